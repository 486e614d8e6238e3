/** The part of a long text that is still needed, addressed by offsets into the whole. */
export type TextRun = {
  /** The number of characters ever appended. */
  length(): number
  append(text: string): void
  /** The text between two offsets, neither of which has been dropped. */
  slice(start: number, end: number): string
  /** Forgets what lies before an offset. */
  dropBefore(offset: number): void
}

/** Makes an empty run. */
export function createTextRun(): TextRun {
  let base = 0
  let text = ''
  return {
    length: () => base + text.length,
    append(more) {
      text += more
    },
    slice: (start, end) => text.slice(start - base, end - base),
    dropBefore(offset) {
      if (offset <= base) return
      text = text.slice(offset - base)
      base = offset
    },
  }
}
