/** Text that grows a piece at a time, with white space as a browser shows it. */
type FlowingText = {
  /** What has come since the last `take`. */
  readonly length: number
  /** Adds text of the page; runs of white space become one space, unless `isPreformatted`. */
  add(text: string, isPreformatted: boolean): void
  /** Adds words that stand for themselves, such as the alternative text of a picture. */
  addWords(words: string): void
  /** Ends the line within the block. */
  breakLine(): void
  /** What follows is raised: `^` keeps figures from those before them, and the mark of a note from the word. */
  raise(isNote: boolean): void
  /** Gives the text without white space around it (line ends, if preformatted), and begins anew. */
  take(isPreformatted: boolean): string
}

/** Where `^` stands between what is `before` and what begins with `start`. */
type Raised = { before: RegExp; start: RegExp }

const FIGURES: Raised = { before: /\p{N}/u, start: /^[-−+]?\p{N}/u }
const NOTE: Raised = { before: /[\p{L}\p{N}]/u, start: /^[\p{L}\p{N}]/u }

/** An empty one. Its last character is kept apart: to look at the end of a text that is still growing costs its whole length. */
export function createFlowingText(): FlowingText {
  let text = ''
  let last = ''
  /** A space that only counts when more follows on the line. */
  let isSpaceDue = false
  /** What may not run into what follows. */
  let raised: Raised | null = null

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
      // A soft hyphen only says where a word may be cut.
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
