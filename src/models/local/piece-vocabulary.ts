import { isUnspacedWord } from './table-words.ts'

/*
 * A vocabulary of word pieces in shared memory, one copy for all threads, in four parts:
 *
 * - slots: a hash table with open addressing; a slot is 1 + the row of a piece, or 0
 * - starts: offset of each piece in the letters, then the end
 * - letters: UTF-16 code units of all pieces, `##` included, with a line end behind each
 * - reach: length of the longest piece by the first two letters, hashed to 16 bits
 */

/** Where the parts of a vocabulary are in a memory, in bytes. */
export type VocabularyPlaces = {
  slots: number
  slotCount: number
  starts: number
  rows: number
  letters: number
  letterCount: number
  reach: number
  end: number
}

type Memory = { readonly buffer: ArrayBufferLike }

/** A memory, and the loop that indexes the pieces in it (`static-table.wat`). */
type PieceIndexer = { memory: Memory; indexPieces(...places: number[]): number }

const REACH_SIZE = 2 ** 16
/** Marks pieces inside a word, twice. */
const MARK = 0x23
const CONTINUATION_MARKS = 2
/** FNV-1a, in 32 bits. */
const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193
/** Longer pieces do not exist (embedder/README.md). In characters. */
const MAX_PIECE_CHARACTERS = 24
/** Longer words have no pieces in scripts with spaces. In characters. */
const MAX_WORD_CHARACTERS = 100
const NONE: readonly number[] = []

/** A vocabulary of `rows` pieces, one a line, each with a line end. */
export type Vocabulary = { text: string; rows: number }

/** Plans the parts of a vocabulary from a byte offset on, a multiple of 4. */
export function planVocabulary({ text, rows }: Vocabulary, start: number): VocabularyPlaces {
  const slotCount = 2 ** Math.ceil(Math.log2(2 * Math.max(1, rows)))
  const starts = start + 4 * slotCount
  const letters = starts + 4 * (rows + 1)
  const reach = letters + 2 * text.length
  return { slots: start, slotCount, starts, rows, letters, letterCount: text.length, reach, end: reach + REACH_SIZE }
}

/** Writes all pieces. Row n is the n-th piece. Throws if their number is not that of the plan. */
export function writeVocabulary({ memory, indexPieces }: PieceIndexer, places: VocabularyPlaces, text: string): void {
  const { slots, slotCount, starts, rows, letters, reach } = places
  const size = Buffer.from(memory.buffer, letters, 2 * text.length).write(text, 'utf16le')
  if (indexPieces(letters, letters + size, starts, rows, slots, slotCount - 1, reach) !== rows)
    throw new Error('the vocabulary does not fit the table of the embedder')
}

/** Returns the rows of the pieces of a word, in order. */
export type PieceFinder = (word: string) => readonly number[]

/**
 * Creates a finder of pieces, longest match first from the left. A word of a script with spaces has
 * no pieces if a part is unknown, or if the word is too long. Without spaces, such characters are
 * skipped, and no piece has the mark of continuations.
 */
export function createPieceFinder(memory: Memory, places: VocabularyPlaces): PieceFinder {
  const { slots, starts, letters, reach } = viewVocabulary(memory, places)
  const continued = hashCode(hashCode(FNV_START, MARK), MARK)

  /** True if the row is the piece of `marks` `#` and the letters of the word. */
  function isPiece(row: number, word: string, { start, end, marks }: Span): boolean {
    const from = starts[row] ?? 0
    // Behind a piece is its line end.
    if ((starts[row + 1] ?? 0) - 1 - from !== marks + end - start) return false
    for (let at = 0; at < marks; at += 1) if (letters[from + at] !== MARK) return false
    for (let at = start; at < end; at += 1) if (letters[from + marks + at - start] !== word.charCodeAt(at)) return false
    return true
  }

  function findRow(word: string, hash: number, span: Span): number {
    for (let slot = slotOf(hash, slots.length); ; slot = (slot + 1) & (slots.length - 1)) {
      const row = (slots[slot] ?? 0) - 1
      if (row < 0 || isPiece(row, word, span)) return row
    }
  }

  /** Extends `span` to the longest piece. Returns the row, or -1 without a piece. */
  function findLongest(word: string, span: Span): number {
    const { start, marks } = span
    const last = Math.min(word.length, start + Math.max(1, reach[reachKey(word, start)] ?? 0, sizeAt(word, start)))
    let [hash, best, end, characters] = [marks > 0 ? continued : FNV_START, -1, start, 0]
    for (let at = start; at < last && characters < MAX_PIECE_CHARACTERS; ) {
      const size = sizeAt(word, at)
      for (const stop = at + size; at < stop; at += 1) hash = hashCode(hash, word.charCodeAt(at))
      characters += 1
      span.end = at
      const row = findRow(word, hash, span)
      if (row >= 0) [best, end] = [row, at]
    }
    span.end = end
    return best
  }

  return (word) => {
    const isUnspaced = isUnspacedWord(word)
    if (!isUnspaced && word.length > MAX_WORD_CHARACTERS && [...word].length > MAX_WORD_CHARACTERS) return NONE
    const rows: number[] = []
    const span: Span = { start: 0, end: 0, marks: 0 }
    while (span.start < word.length) {
      span.marks = span.start === 0 || isUnspaced ? 0 : CONTINUATION_MARKS
      const row = findLongest(word, span)
      if (row < 0 && !isUnspaced) return NONE
      if (row >= 0) rows.push(row)
      span.start = row < 0 ? span.start + sizeAt(word, span.start) : span.end
    }
    return rows
  }
}

type Span = { start: number; end: number; marks: number }

function viewVocabulary({ buffer }: Memory, places: VocabularyPlaces) {
  return {
    slots: new Int32Array(buffer, places.slots, places.slotCount),
    starts: new Int32Array(buffer, places.starts, places.rows + 1),
    letters: new Uint16Array(buffer, places.letters, places.letterCount),
    reach: new Uint8Array(buffer, places.reach, REACH_SIZE),
  }
}

function hashCode(hash: number, code: number): number {
  return Math.imul(hash ^ code, FNV_PRIME)
}

function slotOf(hash: number, slots: number): number {
  return (hash ^ (hash >>> 15)) & (slots - 1)
}

function reachKey(word: string, start: number): number {
  return (31 * word.charCodeAt(start) + (start + 1 < word.length ? word.charCodeAt(start + 1) : 0)) & (REACH_SIZE - 1)
}

/** Code units of the character at an offset. */
function sizeAt(word: string, at: number): number {
  return (word.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}
