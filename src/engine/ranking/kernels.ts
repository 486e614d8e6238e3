import { countWindows } from '../windows.ts'
import { RANKING_KERNELS_MODULE } from './kernels-module.ts'

/** The functions of `kernels.wat`. */
type Kernels = {
  memory: { readonly buffer: ArrayBuffer }
  put(table: number, first: number, second: number, gram: number): void
  begin(): void
  length(): number
  find(...memory: [table: number, text: number, count: number, forms: number, counts: number, out: number]): number
  unpack(packed: number, end: number, out: number): void
  rowDots(...memory: [floats: number, rows: number, stride: number, bytes: number, out: number, end: number]): void
  sumRows(...memory: [rows: number, end: number, stride: number, bytes: number, out: number]): void
  dot(one: number, other: number, bytes: number): number
}

/** The part of WebAssembly in use, for which Node's types have no declaration. */
type Engine = {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

const { Module, Instance } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly
const kernels = new Instance(new Module(Buffer.from(RANKING_KERNELS_MODULE, 'base64'))).exports as Kernels

/*
 * The memory begins with a table of four-grams: 4,096 keys of 8 bytes and numbers of 2 bytes. Then
 * come the forms, a piece of a text, the heads of its words, counts, vectors, and windows: packed,
 * unpacked, and their dot products.
 */
const TABLE = 0
const TABLE_BYTES = 4096 * (8 + 2)
const FORMS = TABLE + TABLE_BYTES
const CODE_UNITS = 0x10000
const TEXT = FORMS + 2 * CODE_UNITS
const PIECE_CHARACTERS = 8192
/** A piece may end with a separator. */
const HEADS = TEXT + 2 * (PIECE_CHARACTERS + 2)
const COUNTS = HEADS + 4 * PIECE_CHARACTERS
const MAX_GRAMS = 1024
const VECTORS = COUNTS + 4 * MAX_GRAMS
/** Longer vectors are in no memory file, and forty of them fit into the memory. */
const MAX_DIMENSIONS = 16_384
const MAX_VECTORS = 40
const PACKED = VECTORS + 4 * MAX_DIMENSIONS * MAX_VECTORS
/** Bytes of the windows that are read of a chunk, for 2,500 windows of 384 numbers. */
const MAX_PACKED = 512 * 1024
const ROWS = PACKED + MAX_PACKED + 16
const DOTS = ROWS + 2 * MAX_PACKED
const WORD_SHIFT = 10
const SPACE = 32

const { buffer } = kernels.memory
const table = new Uint8Array(buffer, TABLE, TABLE_BYTES)
const text = Buffer.from(buffer, TEXT, 2 * (PIECE_CHARACTERS + 2))
const codeUnits = new Uint16Array(buffer, TEXT, PIECE_CHARACTERS + 2)
const heads = new Uint32Array(buffer, HEADS, PIECE_CHARACTERS)
const counts = new Uint32Array(buffer, COUNTS, MAX_GRAMS)
const packed = new Uint8Array(buffer, PACKED, MAX_PACKED)
/** The four-grams in the table. */
let installed: readonly string[] | null = null

/** The loops of the ranking over characters and numbers. */
export const rankingKernels = {
  /**
   * Forms of characters by code unit: a comparable character, 32 for a separator, or 0 for none. A
   * character that depends on others has 0xfffe or 0xffff.
   */
  forms: new Uint16Array(buffer, FORMS, CODE_UNITS),

  /**
   * Counts up to 1,024 four-grams in a text, whose characters are read as their `forms` or as they
   * are. Calls `visit` for each that is the head of its word, with the number of the word. `length`
   * is that of the text without repeated separators. `null` at a character without a form.
   */
  countGrams(
    grams: readonly string[],
    { source, areForms }: { source: string; areForms: boolean },
    visit: (head: number, word: number) => void,
  ): { counts: Uint32Array; length: number } | null {
    // Calls for several queries alternate.
    if (installed !== grams) install(grams)
    kernels.begin()
    counts.fill(0, 0, grams.length)
    for (let start = 0; start <= source.length; start += PIECE_CHARACTERS) {
      const piece = source.slice(start, start + PIECE_CHARACTERS)
      const isLast = start + PIECE_CHARACTERS > source.length
      text.write(piece, 'utf16le')
      codeUnits[piece.length] = SPACE
      const [count, from] = [piece.length + Number(isLast), areForms ? 0 : FORMS]
      const found = kernels.find(TABLE, TEXT, count, from, COUNTS, HEADS)
      if (found < 0) return null
      for (let at = 0; at < found; at++) {
        const head = heads[at] ?? 0
        visit(head % (1 << WORD_SHIFT), head >>> WORD_SHIFT)
      }
    }
    return { counts: counts.slice(0, grams.length), length: kernels.length() }
  },

  /**
   * Dot products of a vector with packed windows (`windows.ts`) of its length, as signed bytes.
   * Valid until the next call.
   */
  rowDots(vector: Float32Array, windows: Uint8Array): Float32Array {
    const rows = unpack(windows, vector.length)
    const dots = new Float32Array(buffer, DOTS, rows)
    const numbers = setVector(vector)
    if (rows > 0) kernels.rowDots(VECTORS, ROWS, vector.length, numbers, DOTS, DOTS + 4 * rows)
    return dots
  },

  /**
   * Sums the windows of each of up to forty chunks. Returns the cosines of the sums, by place; 0
   * without windows.
   */
  sumWindows(chunks: readonly Uint8Array[], dimensions: number): (one: number, other: number) => number {
    if (chunks.length > MAX_VECTORS) throw new RangeError(`${chunks.length} chunks are too many`)
    const numbers = paddedLength(dimensions)
    const addressOf = (place: number) => VECTORS + 4 * numbers * place
    const lengths = chunks.map((windows, place) => {
      const rows = unpack(windows, dimensions)
      if (rows === 0) return 0
      const sum = addressOf(place)
      kernels.sumRows(ROWS, ROWS + rows * dimensions, dimensions, numbers, sum)
      new Float32Array(buffer, sum + 4 * dimensions, numbers - dimensions).fill(0)
      return Math.sqrt(kernels.dot(sum, sum, 4 * numbers))
    })
    return (one, other) => {
      const scale = (lengths[one] ?? 0) * (lengths[other] ?? 0)
      return scale === 0 ? 0 : kernels.dot(addressOf(one), addressOf(other), 4 * numbers) / scale
    }
  },
}

/** Unpacks windows of so many numbers. Returns how many they are. */
function unpack(windows: Uint8Array, dimensions: number): number {
  const read = windows.length > MAX_PACKED ? windows.subarray(0, MAX_PACKED) : windows
  packed.set(read)
  if (read.length > 0) kernels.unpack(PACKED, PACKED + read.length, ROWS)
  return countWindows(read, dimensions)
}

function install(grams: readonly string[]): void {
  table.fill(0)
  grams.forEach((gram, number) => {
    const [first = 0, second = 0, third = 0, fourth = 0] = [0, 1, 2, 3].map((at) => gram.charCodeAt(at))
    kernels.put(TABLE, (first << 16) | second, (third << 16) | fourth, number)
  })
  installed = grams
}

/** Sets a vector with zeros up to a multiple of eight. Returns its length with them. */
function setVector(vector: Float32Array): number {
  const length = paddedLength(vector.length)
  const floats = new Float32Array(buffer, VECTORS, length)
  floats.set(vector)
  floats.fill(0, vector.length)
  return length
}

function paddedLength(dimensions: number): number {
  if (dimensions > MAX_DIMENSIONS) throw new RangeError(`a vector of ${dimensions} numbers is too long`)
  return 8 * Math.ceil(dimensions / 8)
}
