/**
 * A setting: one row of the table from which the parser, `.env.example` and the settings page are
 * made.
 */

/** The value of a setting, or the problem as the end of a sentence that begins with its name. */
export type ParsedSetting<Value> = { value: Value } | { problem: string }

/** A row of the table. */
export type Setting<Value> = {
  /** Default as written in the environment; `null` means unset. */
  default: string | null
  /** Explanation of the default for the documentation, if its text says too little. */
  defaultMeaning?: string
  /** Allowed values, in Markdown. */
  allowed: string
  meaning: string
  /** True for a value that no message or log may contain. */
  secret?: true
  /** Parses the text, or `default` if unset. */
  parse(text: string): ParsedSetting<Value>
}

/** Settings under a heading of the documentation. */
export type SettingGroup = { title: string; names: readonly string[] }
