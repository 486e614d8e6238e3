import type { PieceFinder } from './piece-vocabulary.ts'
import { splitTableWords } from './table-words.ts'

/**
 * Calls `take` with the row of every piece of a text, in order, with repetitions. Words without
 * pieces are skipped.
 */
type PieceReader = (text: string, take: (row: number) => void) => void

const SPACE = 0
const MARK = 1
const LETTER = 2
const OTHER = 3
const ASCII = 0x80
const CAPITAL_SIGMA = '\u03A3'
/** Cached runs with non-ASCII characters: the frequent words of such a language, in a few MB. */
const MAX_RUNS = 20_000
const MAX_RUN_CHARACTERS = 32
const NO_ROWS: readonly number[] = []
/**
 * Class of each ASCII character. Control characters are dropped inside words, and
 * belong to `OTHER`.
 */
const KINDS = Uint8Array.from({ length: ASCII }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[\t\n\r ]/.test(character)) return SPACE
  if (/[0-9A-Za-z]/.test(character)) return LETTER
  return code > 0x20 && code < 0x7f ? MARK : OTHER
})

/**
 * Creates a reader over these pieces. The rows equal those of the words of `splitTableWords`,
 * without a string for each ASCII word. Runs between ASCII spaces and punctuation are independent,
 * so only runs with other characters take the slow path. The exception is a capital sigma, whose
 * lower case depends on the letters behind an apostrophe or a full stop.
 */
export function createPieceReader(findPieces: PieceFinder): PieceReader {
  const table = createWordTable(findPieces)
  const marks = Array.from(KINDS, (kind, code) => (kind === MARK ? findPieces(String.fromCharCode(code)) : NO_ROWS))
  const runs = new Map<string, readonly number[]>()
  // One object for all words: a new one for each would cost an allocation per word.
  const word: HashedWord = { start: 0, end: 0, hash: NO_LETTERS }

  function rowsOf(text: string): number[] {
    return splitTableWords(text).flatMap((word) => [...findPieces(word)])
  }

  function rowsOfRun(run: string): readonly number[] {
    const known = runs.get(run)
    if (known !== undefined) return known
    const rows = rowsOf(run)
    if (run.length > MAX_RUN_CHARACTERS) return rows
    if (runs.size >= MAX_RUNS) runs.clear()
    // In V8, a slice of 13 or more characters is a view that keeps the whole text alive; a copy is
    // not.
    runs.set(Buffer.from(run, 'utf16le').toString('utf16le'), rows)
    return rows
  }

  /** Reads a run and the space or punctuation after it. Returns the start of the next. */
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
    if (at > start && isAscii) {
      word.start = start
      word.end = at
      word.hash = hash
      table.find(text, word, take)
    } else if (at > start) for (const row of rowsOfRun(text.slice(start, at))) take(row)
    if (at < text.length) for (const row of marks[text.charCodeAt(at)] ?? NO_ROWS) take(row)
    return at + 1
  }

  return (text, take) => {
    if (text.includes(CAPITAL_SIGMA)) {
      for (const row of rowsOf(text)) take(row)
      return
    }
    let start = 0
    while (start < text.length) start = readRun(text, start, take)
  }
}

function kindOf(code: number): number {
  return code < ASCII ? (KINDS[code] ?? OTHER) : OTHER
}

/** A word between two offsets of a text; `hash` is the {@link hashLetter} of its characters. */
type HashedWord = { start: number; end: number; hash: number }

/** Cache of the rows of words, looked up by characters in the text, without creating strings. */
type WordTable = {
  /**
   * Calls `take` with the rows of the word, in order, ignoring case. The word must consist of ASCII
   * letters and digits.
   */
  find(text: string, word: HashedWord, take: (row: number) => void): void
}

/**
 * Cached words: the vocabulary of most collections. At least twice as many slots keep chains short.
 */
const MAX_WORDS = 50_000
const SLOT_BITS = 17
/** Longer words rarely repeat. */
const MAX_LETTERS = 32
/** Only an adversarial text has longer probe chains; further words are looked up each time. */
const MAX_PROBES = 16
/** In 32-bit numbers: 50,000 words of two rows and seven letters take half of it. */
const POOL_SIZE = 2 ** 19
/** FNV-1a, in 32 bits. */
const FNV_PRIME = 0x01000193
/** ASCII lower case differs from upper case in this bit; digits have it set already. */
const SMALL = 0x20

/** The hash of an empty word. */
export const NO_LETTERS = 0x811c9dc5

/** Adds a character to a hash, so that the reader computes the hash while scanning a word. */
export function hashLetter(hash: number, code: number): number {
  return Math.imul(hash ^ (code | SMALL), FNV_PRIME)
}

/**
 * Creates a table that calls `look` once per word while the word is cached. An entry holds length,
 * row count, rows and letters together. Lookups are scattered over the table, and each entry is a
 * cache miss.
 */
export function createWordTable(look: (word: string) => readonly number[]): WordTable {
  const slots = new Int32Array(1 << SLOT_BITS)
  const pool = new Int32Array(POOL_SIZE)
  const letters = new Uint8Array(pool.buffer)
  let words = 0
  // Not 0, which marks an empty slot.
  let used = 1

  function remember(slot: number, word: string, rows: readonly number[]): void {
    const size = 2 + rows.length + Math.ceil(word.length / 4)
    if (words >= MAX_WORDS || used + size > POOL_SIZE) {
      slots.fill(0)
      words = 0
      used = 1
      return
    }
    pool[used] = word.length
    pool[used + 1] = rows.length
    pool.set(rows, used + 2)
    for (let at = 0; at < word.length; at += 1) letters[4 * (used + 2 + rows.length) + at] = word.charCodeAt(at)
    slots[slot] = used
    words += 1
    used += size
  }

  function holds(entry: number, text: string, { start, end }: HashedWord): boolean {
    const length = end - start
    if (pool[entry] !== length) return false
    const from = 4 * (entry + 2 + (pool[entry + 1] ?? 0))
    for (let at = 0; at < length; at += 1) {
      if (letters[from + at] !== (text.charCodeAt(start + at) | SMALL)) return false
    }
    return true
  }

  /** The slot of the word, or the empty slot for it; -1 if neither is near. */
  function findSlot(text: string, word: HashedWord): number {
    const { hash } = word
    let slot = (hash ^ (hash >>> SLOT_BITS)) & (slots.length - 1)
    for (let probe = 0; probe < MAX_PROBES; probe += 1) {
      const entry = slots[slot] ?? 0
      if (entry === 0 || holds(entry, text, word)) return slot
      slot = (slot + 1) & (slots.length - 1)
    }
    return -1
  }

  return {
    find(text, hashed, take) {
      const { start, end } = hashed
      const slot = end - start > MAX_LETTERS ? -1 : findSlot(text, hashed)
      const entry = slot < 0 ? 0 : (slots[slot] ?? 0)
      if (entry > 0) {
        const last = entry + 2 + (pool[entry + 1] ?? 0)
        for (let at = entry + 2; at < last; at += 1) take(pool[at] ?? 0)
        return
      }
      const word = text.slice(start, end).toLowerCase()
      const rows = look(word)
      if (slot >= 0) remember(slot, word, rows)
      for (const row of rows) take(row)
    },
  }
}
