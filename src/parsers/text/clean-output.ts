import type { BlockReader, CreateReader } from './block-reader.ts'
import { createLineSplitter } from './line-splitter.ts'

const ESC = '\x1b'
const BELL = '\x07'
const MAX_SEQUENCE_CHARACTERS = 2000
/** Control sequences: colours and cursor, titles and links, character sets. ECMA-48, section 5. */
const SEQUENCES = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESC}]{0,${MAX_SEQUENCE_CHARACTERS}}(?:${BELL}|${ESC}\\\\)|` +
    `[PX^_][^${ESC}]{0,${MAX_SEQUENCE_CHARACTERS}}${ESC}\\\\|[ -/]*[0-~])`,
  'g',
)
/** True for a text with control sequences. */
export function hasSequences(text: string): boolean {
  return text.includes(`${ESC}[`)
}

const CONTROLS = /(?![\t\n\v\f\r])\p{Cc}/gu

/**
 * Reads what programs write to a terminal as the terminal shows it: without colours, control
 * characters, deleted letters and former states of progress bars. A text without control characters
 * is read as is.
 */
export function createCleanReader(createReader: CreateReader): CreateReader {
  return (emit, head) => {
    const reader = createReader(emit, cleanLine(head))
    // Lines of classic Mac OS end with CR.
    const clean = createCleaner(head.includes('\n'), reader.write)
    return {
      write: clean.write,
      end() {
        clean.end()
        reader.end()
      },
    }
  }
}

function createCleaner(hasLineFeeds: boolean, write: (text: string) => void): BlockReader {
  /** The last state of a progress bar, which ends with CR. */
  let held: string | null = null

  function release(): void {
    if (held !== null) write(`${held.slice(0, -1)}\n`)
    held = null
  }

  const lines = createLineSplitter(({ text, isStart, isEnd }) => {
    const line = cleanLine(text)
    const isState = hasLineFeeds && isStart && isEnd && line.endsWith('\r')
    if (held !== null && !(isStart && isReplaced(held, line))) {
      release()
      // CR CR LF ends one line.
      if (line.trim() === '') return
    }
    held = isState ? line : null
    if (!isState) write(line)
  })
  return {
    write: lines.write,
    end() {
      lines.end()
      release()
    },
  }
}

/** Share of the words of a state in the next one; a bar has no words. */
const MIN_SHARED_WORDS = 2 / 3
/** Lines of a log that end with CR are no states. */
const TIME_STAMP = /^\W{0,3}\d{2,4}[-:/.]\d{2}[-:/.]\d{2}/

/** True if a line overwrites the state before it: nearly the same words, with other numbers. */
function isReplaced(state: string, next: string): boolean {
  if (next.trim() === '') return state.trim() === ''
  if (TIME_STAMP.test(state)) return false
  const words = state.toLowerCase().match(/\p{L}{2,}/gu) ?? []
  const later = new Set(next.toLowerCase().match(/\p{L}{2,}/gu))
  return words.filter((word) => later.has(word)).length >= words.length * MIN_SHARED_WORDS
}

/** Removes control sequences, letters before a backspace, and other control characters. */
function cleanLine(text: string): string {
  const plain = text.includes(ESC) ? text.replaceAll(SEQUENCES, '') : text
  return (plain.includes('\b') ? deleteLetters(plain) : plain).replaceAll(CONTROLS, '')
}

/** A backspace deletes the letter before it on its line. */
function deleteLetters(text: string): string {
  const letters: string[] = []
  for (const letter of text) {
    if (letter !== '\b') letters.push(letter)
    else if (!/^[\r\n]?$/.test(letters.at(-1) ?? '')) letters.pop()
  }
  return letters.join('')
}
