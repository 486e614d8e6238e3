import { findCutPosition, MAX_BLOCK_CHARACTERS } from './block-reader.ts'

/** A line with its line end, or a part of a long line. */
export type Line = {
  /** Raw characters, including the line end. */
  text: string
  /** False for a part that continues a line. */
  isStart: boolean
  /** False for a part whose line continues. */
  isEnd: boolean
}

/**
 * Splits chunks of text into lines. Lines end with LF, CR LF or a lone CR. Lines over {@link
 * MAX_BLOCK_CHARACTERS} are split into parts.
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
        // A final CR may be half of a CR LF.
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
