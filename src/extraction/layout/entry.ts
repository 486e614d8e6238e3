/** A label and the text that belongs to the label. */
export type Entry = {
  label: string
  /** Further names of the value: the column header, the enclosing JSON keys. */
  contextLabel: string
  /** Range of the value in the passage, in UTF-16 code units; never empty. */
  start: number
  end: number
  /** End of a multi-line value, such as an address; equals `end` for a single line. */
  blockEnd: number
  /** Confidence that label and value belong together, 0 to 1. */
  trust: number
  /**
   * True for a table cell. `label` is then another cell of the row, so the column must match too.
   */
  isCell?: boolean
  /** True for a table cell before the one that names the row. */
  isBeforeLabel?: boolean
  /** True for one of several amounts, whose name is `contextLabel`; an asked word must match it. */
  isQualified?: boolean
  /** True for a value that lists several named amounts. */
  isEnumerated?: boolean
  /** The cells of a whole column, which is a list value. */
  items?: readonly string[]
}

/** A range of a text with its content. */
export type Span = { text: string; start: number; end: number }

/** Trims white space and emphasis marks; returns `null` if nothing is left. */
export function trimSpan(text: string, start: number, end: number): Span | null {
  const [before = ''] = /^[\s*_|]*/.exec(text.slice(start, end)) ?? []
  // The lookbehind matches at the start of a run only. Without it, a long run in the middle would
  // take quadratic time.
  const rest = text.slice(start + before.length, end).replace(/(?<![\s*_|])[\s*_|]+$/, '')
  const from = start + before.length
  return rest === '' ? null : { text: rest, start: from, end: from + rest.length }
}
