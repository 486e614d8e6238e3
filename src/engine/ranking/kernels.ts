import { RANKING_KERNELS_MODULE } from './kernels-module.ts'

/** The functions of `kernels.wat`. */
type Kernels = {
  memory: { readonly buffer: ArrayBuffer }
  put(table: number, first: number, second: number, gram: number): void
  begin(): void
  length(): number
  find(...memory: [table: number, text: number, count: number, forms: number, counts: number, out: number]): number
  dotBytes(floats: number, row: number, bytes: number): number
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
 * come the forms, a piece of a text, the heads of its words, counts, and vectors.
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
const WORD_SHIFT = 10

const { buffer } = kernels.memory
const table = new Uint8Array(buffer, TABLE, TABLE_BYTES)
const text = Buffer.from(buffer, TEXT, 2 * (PIECE_CHARACTERS + 2))
const heads = new Uint32Array(buffer, HEADS, PIECE_CHARACTERS)
const counts = new Uint32Array(buffer, COUNTS, MAX_GRAMS)
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
      text.write(isLast ? `${piece} ` : piece, 'utf16le')
      const [count, from] = [piece.length + Number(isLast), areForms ? 0 : FORMS]
      const found = kernels.find(TABLE, TEXT, count, from, COUNTS, HEADS)
      if (found < 0) return null
      for (const head of heads.subarray(0, found)) visit(head % (1 << WORD_SHIFT), head >>> WORD_SHIFT)
    }
    return { counts: counts.slice(0, grams.length), length: kernels.length() }
  },

  /** The largest dot product of a vector with rows of signed bytes of its length. */
  maxRowDot(vector: Float32Array, rows: Int8Array): number {
    const bytes = setVector(0, vector)
    const row = new Int8Array(buffer, VECTORS + 4 * bytes, bytes)
    let most = Number.NEGATIVE_INFINITY
    for (let start = 0; start + vector.length <= rows.length; start += vector.length) {
      row.set(rows.subarray(start, start + vector.length))
      most = Math.max(most, kernels.dotBytes(VECTORS, row.byteOffset, bytes))
    }
    return most
  },

  /** Sets up to forty vectors of one length. Returns their dot products, by place. */
  setVectors(vectors: readonly Float32Array[]): (one: number, other: number) => number {
    const lengths = vectors.map((vector, place) => setVector(place, vector))
    const bytes = 4 * (lengths[0] ?? 0)
    return (one, other) => kernels.dot(VECTORS + one * bytes, VECTORS + other * bytes, bytes)
  },
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
function setVector(place: number, vector: Float32Array): number {
  if (vector.length > MAX_DIMENSIONS) throw new RangeError(`a vector of ${vector.length} numbers is too long`)
  const length = 8 * Math.ceil(vector.length / 8)
  const floats = new Float32Array(buffer, VECTORS + 4 * length * place, length)
  floats.set(vector)
  floats.fill(0, vector.length)
  return length
}
