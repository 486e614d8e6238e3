import { splitBertWords, type WordPieces } from './word-pieces.ts'

/** Hands over the row of every piece of a text, in order, repeated as they are; words that are in no piece are left out. */
type PieceReader = (text: string, take: (row: number) => void) => void

const SPACE = 0
const MARK = 1
const LETTER = 2
const OTHER = 3
const ASCII = 0x80
/** Runs with other characters that are remembered: the frequent words of such a language, in a few MB. */
const MAX_RUNS = 20_000
const MAX_RUN_CHARACTERS = 32
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
    if (run.length > MAX_RUN_CHARACTERS) return rows
    if (runs.size >= MAX_RUNS) runs.clear()
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

/** What is known of words, found by their characters where they stand: no string is cut out of the text. */
type WordTable = {
  /**
   * Hands over, in order, what `look` gave for the word between two offsets, letters A to Z made small. The word must be of ASCII letters
   * and digits alone; `hash` is that of its characters, one after the other ({@link hashLetter}).
   */
  find(text: string, start: number, end: number, hash: number, take: (row: number) => void): void
}

/** Words remembered: the vocabulary of most collections. Twice as many slots and more keep chains short. */
const MAX_WORDS = 50_000
const SLOT_BITS = 17
/** Longer ones hardly come again. */
const MAX_LETTERS = 32
/** Of so many in one place only a text made for it has more; they are looked up each time. */
const MAX_PROBES = 16
/** In 32-bit numbers: 50,000 words of two rows and seven letters take half of it. */
const POOL_SIZE = 2 ** 19
/** FNV-1a, in 32 bits. */
const FNV_PRIME = 0x01000193
/** ASCII differs between A and a by this bit; digits have it set already. */
const SMALL = 0x20

/** The hash of no character. */
export const NO_LETTERS = 0x811c9dc5

/** The hash of what had `hash` and one character more: who reads a word makes it on the way. */
export function hashLetter(hash: number, code: number): number {
  return Math.imul(hash ^ (code | SMALL), FNV_PRIME)
}

/**
 * A table that asks `look` for each word once, as long as the word is remembered. What is known of a word stands in one place, its number of letters,
 * number of rows, rows and letters: a text looks up words all over the table, and each place is a wait for the memory.
 */
export function createWordTable(look: (word: string) => readonly number[]): WordTable {
  const slots = new Int32Array(1 << SLOT_BITS)
  const pool = new Int32Array(POOL_SIZE)
  const letters = new Uint8Array(pool.buffer)
  let words = 0
  // Not at 0, which stands for an empty slot.
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

  function stands(entry: number, text: string, start: number, length: number): boolean {
    if (pool[entry] !== length) return false
    const from = 4 * (entry + 2 + (pool[entry + 1] ?? 0))
    for (let at = 0; at < length; at += 1) {
      if (letters[from + at] !== (text.charCodeAt(start + at) | SMALL)) return false
    }
    return true
  }

  /** The slot of the word, or the empty one it would take; -1 where neither is near. */
  function findSlot(text: string, start: number, end: number, hash: number): number {
    let slot = (hash ^ (hash >>> SLOT_BITS)) & (slots.length - 1)
    for (let probe = 0; probe < MAX_PROBES; probe += 1) {
      const entry = slots[slot] ?? 0
      if (entry === 0 || stands(entry, text, start, end - start)) return slot
      slot = (slot + 1) & (slots.length - 1)
    }
    return -1
  }

  return {
    find(text, start, end, hash, take) {
      const slot = end - start > MAX_LETTERS ? -1 : findSlot(text, start, end, hash)
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
