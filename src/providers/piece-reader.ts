import { splitBertWords } from './bert-words.ts'
import type { WordPieces } from './word-pieces.ts'
import { createWordTable } from './word-table.ts'

/** Hands over the row of every piece of a text, in order, repeated as they are; words that are in no piece are left out. */
export type PieceReader = (text: string, take: (row: number) => void) => void

const SPACE = 0
const MARK = 1
const LETTER = 2
const OTHER = 3
const ASCII = 0x80
/** Runs with other characters that are remembered: the frequent words of such a language, in a few MB. */
const MOST_RUNS = 20_000
const MOST_RUN_CHARACTERS = 32
/** What each ASCII character is to BERT; controls are dropped inside words, so they are none of the first three. */
const KINDS = Uint8Array.from({ length: ASCII }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[\t\n\r ]/.test(character)) return SPACE
  if (/[0-9A-Za-z]/.test(character)) return LETTER
  return code > 0x20 && code < 0x7f ? MARK : OTHER
})

/**
 * A reader over these pieces. Same rows as those of the words of `splitBertWords`, without a string for each ASCII word: runs
 * between ASCII spaces and marks do not change each other, so only those with other characters take the long way.
 */
export function createPieceReader(pieces: WordPieces): PieceReader {
  const table = createWordTable(pieces.find)
  const marks = Array.from({ length: ASCII }, (_, code) => pieces.find(String.fromCharCode(code)))

  const runs = new Map<string, readonly number[]>()

  function rowsOfRun(run: string): readonly number[] {
    const known = runs.get(run)
    if (known !== undefined) return known
    const rows = splitBertWords(run).flatMap((word) => [...pieces.find(word)])
    if (run.length > MOST_RUN_CHARACTERS) return rows
    if (runs.size >= MOST_RUNS) runs.clear()
    // A part of 13 characters and more is a view to V8 and keeps the whole text alive; a copy does not.
    runs.set(Buffer.from(run, 'utf16le').toString('utf16le'), rows)
    return rows
  }

  /** The run that ends before an ASCII space, a mark or the end of the text. */
  function readWord(text: string, start: number, end: number, take: (row: number) => void): void {
    if (end === start) return
    let at = start
    while (at < end && kindAt(text, at) === LETTER) at += 1
    if (at < end) for (const row of rowsOfRun(text.slice(start, end))) take(row)
    else table.find(text, start, end, take)
  }

  return (text, take) => {
    let start = 0
    for (let at = 0; at < text.length; at += 1) {
      const kind = kindAt(text, at)
      if (kind === LETTER || kind === OTHER) continue
      readWord(text, start, at, take)
      if (kind === MARK) for (const row of marks[text.charCodeAt(at)] ?? []) take(row)
      start = at + 1
    }
    readWord(text, start, text.length, take)
  }
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < ASCII ? (KINDS[code] ?? OTHER) : OTHER
}
