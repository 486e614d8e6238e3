/** What a setting is: one row of the table from which the parser, `.env.example` and the settings page are made. */

/** The value of a setting, or what is wrong with the text, as the end of a sentence that begins with its name. */
export type Parsed<Value> = { value: Value } | { problem: string }

/** A row of the table. */
export type Setting<Value> = {
  /** The default as one would write it in the environment; `null`: nothing is set. */
  default: string | null
  /** What stands for the default in the documentation where the text alone says too little. */
  defaultMeaning?: string
  /** What may be set, in Markdown. */
  allowed: string
  meaning: string
  /** True where the value must never be shown: not in a message, not in the log. */
  secret?: true
  /** The value for a text that was set, or for `default`. */
  parse(text: string): Parsed<Value>
}

/** The settings under a heading of the documentation. */
export type SettingGroup = { title: string; names: readonly string[] }
