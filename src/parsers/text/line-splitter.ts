import { findCutPosition, MAX_BLOCK_CHARACTERS } from './block-reader.ts'

/** A line with its end, or a piece of one that is too long to be held whole. */
export type Line = {
  /** The characters as they came, the line end among them. */
  text: string
  /** False for a piece that goes on where the one before stopped. */
  isStart: boolean
  /** False for a piece after which the line goes on. */
  isEnd: boolean
}

/**
 * Splits text that comes in pieces into lines. Lines end with LF, CR LF or a lone CR; a line of more than
 * {@link MAX_BLOCK_CHARACTERS} comes in pieces.
 */
export function createLineSplitter(onLine: (line: Line) => void): { write(text: string): void; end(): void } {
  let rest = ''
  let isStart = true

  function deliver(line: string, ended: boolean): void {
    let text = line
    while (text.length > MAX_BLOCK_CHARACTERS) {
      const at = findCutPosition(text, MAX_BLOCK_CHARACTERS)
      onLine({ text: text.slice(0, at), isStart, isEnd: false })
      isStart = false
      text = text.slice(at)
    }
    if (!ended) {
      rest = text
      return
    }
    if (text !== '') onLine({ text, isStart, isEnd: true })
    isStart = true
  }

  return {
    write(piece) {
      const text = rest + piece
      rest = ''
      let start = 0
      for (const { index, 0: mark } of text.matchAll(/\r\n?|\n/g)) {
        const end = index + mark.length
        // A CR at the very end may be half of a CR LF.
        if (mark === '\r' && end === text.length) break
        deliver(text.slice(start, end), true)
        start = end
      }
      deliver(text.slice(start), false)
    },
    end() {
      const last = rest
      rest = ''
      deliver(last, true)
    },
  }
}
