import { splitBertWords } from './bert-words.ts'
import type { WordPieces } from './word-pieces.ts'
import { createWordTable, hashLetter, NO_LETTERS } from './word-table.ts'

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
const NO_ROWS: readonly number[] = []
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
  const marks = Array.from(KINDS, (kind, code) => (kind === MARK ? pieces.find(String.fromCharCode(code)) : NO_ROWS))
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

  /** A run, and the space or mark behind it. Gives where the next begins. */
  function readRun(text: string, start: number, take: (row: number) => void): number {
    let hash = NO_LETTERS
    let isAscii = true
    let at = start
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      const kind = kindOf(code)
      if (kind === SPACE || kind === MARK) break
      if (kind === OTHER) isAscii = false
      else hash = hashLetter(hash, code)
    }
    if (at > start && isAscii) table.find(text, start, at, hash, take)
    else if (at > start) for (const row of rowsOfRun(text.slice(start, at))) take(row)
    if (at < text.length) for (const row of marks[text.charCodeAt(at)] ?? NO_ROWS) take(row)
    return at + 1
  }

  return (text, take) => {
    let start = 0
    while (start < text.length) start = readRun(text, start, take)
  }
}

function kindOf(code: number): number {
  return code < ASCII ? (KINDS[code] ?? OTHER) : OTHER
}
