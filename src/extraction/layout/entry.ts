/** A place of a text that says what stands in it: a label, and the text that belongs to it. */
export type Entry = {
  label: string
  /** What else names the value: the header of its column, the object a key stands in. */
  besides: string
  /** The text that belongs to the label, in UTF-16 code units of the passage; never empty. */
  start: number
  end: number
  /** Where a value of several lines would end, such as an address; equal to `end` where there are no more. */
  blockEnd: number
  /** How sure it is that label and value belong together, 0 to 1. */
  trust: number
  /** True for the cell of a row and a column: `label` is another cell of its row, which has to be asked for itself. */
  isCell?: boolean
  /** The cells of a column, which is a list and nothing else. */
  items?: readonly string[]
}

/** A part of a text with its place. */
export type Span = { text: string; start: number; end: number }

/** A span without the white space and the marks of emphasis around it; `null` when nothing is left. */
export function trimSpan(text: string, start: number, end: number): Span | null {
  const [before = ''] = /^[\s*_|]*/.exec(text.slice(start, end)) ?? []
  // Looked for at the beginning of a run alone: a long one in the middle would be gone through from each of its places.
  const rest = text.slice(start + before.length, end).replace(/(?<![\s*_|])[\s*_|]+$/, '')
  const from = start + before.length
  return rest === '' ? null : { text: rest, start: from, end: from + rest.length }
}
