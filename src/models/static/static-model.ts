import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createEventLoopYielder } from '../../concurrency/event-loop-yield.ts'
import type { Embedder } from '../embedder.ts'
import { createPieceReader } from './piece-reader.ts'
import { ROW_SUMS_MODULE } from './row-sums-module.ts'
import { createWordPieces } from './word-pieces.ts'

/** A table of word vectors, and the arithmetic that makes one vector of a text. Pure. */
type StaticModel = {
  readonly dimensions: number
  /** The rows of the text's word pieces, in order, repeated as they are; pieces that are not in the vocabulary are left out. */
  tokenize(text: string): number[]
  /** The L2-normalised vector of a text: sum over its distinct pieces of sqrt(count) × row. All zeros when no piece is known. */
  embed(text: string): Float32Array
}

const HEADER_BYTES = 16

/**
 * Reads a model from the bytes of its two files (embedder/README.md, "byte by byte"). Throws when they are damaged or do
 * not fit each other.
 */
export function readStaticModel(table: Buffer, vocabularyText: string): StaticModel {
  const { rows, dimensions } = requireHeader(table)
  const vocabulary = vocabularyText.replace(/\n$/, '').split('\n')
  if (vocabulary.length !== rows) throw new Error('the vocabulary does not fit the table of the embedder')
  const scales = readScales(table, rows)
  const values = new Int8Array(table.buffer, table.byteOffset + HEADER_BYTES + 4 * rows, rows * dimensions)
  const readPieces = createPieceReader(createWordPieces(vocabulary))
  const sums = createRowSums(values, dimensions)
  // Kept from text to text, all zeros in between: making it anew took a third of the time.
  const counts = new Uint32Array(rows)

  function tokenize(text: string): number[] {
    const found: number[] = []
    readPieces(text, (row) => void found.push(row))
    return found
  }

  return {
    dimensions,
    tokenize,
    embed(text) {
      const distinct: number[] = []
      readPieces(text, (row) => {
        if (counts[row] === 0) distinct.push(row)
        counts[row] = (counts[row] ?? 0) + 1
      })
      for (const row of distinct) {
        sums.add(row, (scales[row] ?? 0) * Math.sqrt(counts[row] ?? 0))
        counts[row] = 0
      }
      return sums.take()
    },
  }
}

/** In a function of its own: from that of the model the table would be held as long as the model, beside the copy that sums are made of. */
function readScales(table: Buffer, rows: number): Float32Array {
  return Float32Array.from({ length: rows }, (_, row) => table.readFloatLE(HEADER_BYTES + 4 * row))
}

function requireHeader(table: Buffer): { rows: number; dimensions: number } {
  if (table.length < HEADER_BYTES || table.toString('latin1', 0, 4) !== 'SEMB' || table.readUInt32LE(4) !== 1) {
    throw new Error('the table of the embedder is not one of version 1')
  }
  const rows = table.readUInt32LE(8)
  const dimensions = table.readUInt32LE(12)
  if (table.length !== HEADER_BYTES + 4 * rows + rows * dimensions)
    throw new Error('the table of the embedder is cut off')
  if (dimensions % 16 !== 0) throw new Error('the rows of the embedder are no multiple of 16 numbers')
  return { rows, dimensions }
}

/** Work between two turns of the event loop, of all calls together. In milliseconds. */
const SLICE_MS = 8
/** Texts between two looks at the clock, some 0.3 ms: a small document is embedded at once when its turn has come. */
const TEXTS_A_LOOK = 16
/** A few milliseconds of work between two turns of the event loop. */
const CHUNKS_AT_ONCE = 32
/** Windows of whole sentences up to here find best: the largest single gain measured (embedder/README.md, "Windows"). */
const WINDOW_CHARACTERS = 200
/** Measured with all else that ranks (docs/relevance.md): it knows English, and of other languages names and numbers. */
const FUSION_WEIGHT = { english: 0.35, other: 0.2 } as const

/**
 * The embedder that the service brings along: the folder `embedder/`, read once. Needs no network and no native code. Rejects when
 * the files are missing or damaged.
 */
export async function createStaticEmbedder({ directory }: { directory: string }): Promise<Embedder> {
  const [table, vocabulary] = await Promise.all([
    readFile(join(directory, 'static-en.bin')),
    readFile(join(directory, 'vocab.txt'), 'utf8'),
  ])
  const model = readStaticModel(table, vocabulary)
  const shareLoop = createEventLoopYielder(SLICE_MS)
  return {
    model: 'static-en',
    windowCharacters: WINDOW_CHARACTERS,
    chunksAtOnce: CHUNKS_AT_ONCE,
    fusionWeight: (language) => (language === 'en' ? FUSION_WEIGHT.english : FUSION_WEIGHT.other),
    embed: (texts) => embedInSlices(model, texts, shareLoop),
  }
}

async function embedInSlices(
  model: StaticModel,
  texts: readonly string[],
  shareLoop: () => Promise<void>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (const [index, text] of texts.entries()) {
    if (index % TEXTS_A_LOOK === 0) await shareLoop()
    vectors.push(model.embed(text))
  }
  return vectors
}

/** Sums of weighted rows of a table. */
type RowSums = {
  /** Takes a row into the sum, each at most once: there is room for as many as the table has. */
  add(row: number, weight: number): void
  /** The L2-normalised sum of the rows taken since the last one; all zeros where they sum up to nothing. */
  take(): Float32Array
}

/** Of WebAssembly, which Node's types leave to those of browsers. */
type Engine = {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

/** What the module (`row-sums.wat`) gives out; memory grows by pages. */
type Exports = {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): void }
  unitSum(entries: number, count: number, dimensions: number, out: number): void
}

const { Module, Instance } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly

const PAGE_BYTES = 64 * 1024
const ENTRY_BYTES = 8

/**
 * Sums over a table of rows of so many bytes, a multiple of 16, which it copies. In WebAssembly, which adds sixteen numbers at a time where JavaScript adds one: half of the
 * time of embedding a text.
 */
export function createRowSums(table: Int8Array, dimensions: number): RowSums {
  const module = new Module(Buffer.from(ROW_SUMS_MODULE, 'base64'))
  const { memory, unitSum } = new Instance(module).exports as Exports
  const rows = table.length / dimensions
  const entries = table.length
  const out = entries + rows * ENTRY_BYTES
  memory.grow(Math.ceil((out + Float32Array.BYTES_PER_ELEMENT * dimensions) / PAGE_BYTES))
  new Int8Array(memory.buffer).set(table)
  const places = new Int32Array(memory.buffer, entries, 2 * rows)
  const weights = new Float32Array(memory.buffer, entries, 2 * rows)
  const sum = new Float32Array(memory.buffer, out, dimensions)
  let count = 0
  return {
    add(row, weight) {
      places[2 * count] = row * dimensions
      weights[2 * count + 1] = weight
      count += 1
    },
    take() {
      unitSum(entries, count, dimensions, out)
      count = 0
      return sum.slice()
    },
  }
}
