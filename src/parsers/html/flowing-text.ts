/** Text built in pieces, with white space collapsed as in a browser. */
type FlowingText = {
  /** Length since the last `take`. */
  readonly length: number
  /** Adds page text; white space is collapsed unless `isPreformatted`. */
  add(text: string, isPreformatted: boolean): void
  /** Adds separate words, such as the alternative text of an image. */
  addWords(words: string): void
  /** Ends the line within the block. */
  breakLine(): void
  /**
   * Marks the next text as superscript: `^` separates a number from the number before, and a
   * footnote mark from its word.
   */
  raise(isNote: boolean): void
  /** Returns the trimmed text (line ends only, if preformatted) and resets. */
  take(isPreformatted: boolean): string
}

/** `^` is inserted between text that matches `before` and text that matches `start`. */
type CaretRule = { before: RegExp; start: RegExp }

const FIGURES: CaretRule = { before: /\p{N}/u, start: /^[-−+]?\p{N}/u }
const NOTE: CaretRule = { before: /[\p{L}\p{N}]/u, start: /^[\p{L}\p{N}]/u }

/**
 * Creates an empty text. The last character is stored separately: reading the end of a growing
 * string flattens its whole length.
 */
export function createFlowingText(): FlowingText {
  let text = ''
  let last = ''
  /** A space that counts only if more text follows on the line. */
  let isSpaceDue = false
  /** Pending superscript. */
  let raised: CaretRule | null = null

  function append(piece: string): void {
    if (piece === '') return
    if (raised?.before.test(last) === true && raised.start.test(piece)) text += '^'
    raised = null
    text += piece
    last = piece.slice(-1)
  }

  function appendFlowing(piece: string): void {
    const single = piece.replaceAll(/[ \t\n\f\r]+/g, ' ')
    const isAtLineStart = last === '' || last === '\n'
    if (!isAtLineStart && (isSpaceDue || single.startsWith(' ')) && single !== ' ') append(' ')
    append(single.replaceAll(/^ | $/g, ''))
    isSpaceDue = single.endsWith(' ')
  }

  return {
    get length() {
      return text.length
    },
    add(piece, isPreformatted) {
      // A soft hyphen is only a possible line break.
      const clean = piece.replaceAll('\u00ad', '')
      if (isPreformatted) append(clean.replaceAll(/\r\n?/g, '\n'))
      else if (clean !== '') appendFlowing(clean)
    },
    addWords(words) {
      if (words.trim() !== '') appendFlowing(` ${words} `)
    },
    breakLine() {
      append('\n')
      isSpaceDue = false
    },
    raise(isNote) {
      raised = isNote ? NOTE : FIGURES
    },
    take(isPreformatted) {
      const taken = isPreformatted ? text.replace(/^(?:[ \t]*\n)+/, '').trimEnd() : text.trim()
      text = ''
      last = ''
      isSpaceDue = false
      raised = null
      return taken
    },
  }
}
