import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createEventLoopYielder } from '../../concurrency/event-loop-yield.ts'
import type { Embedder } from '../embedder.ts'
import { createPieceReader } from './piece-reader.ts'
import { ROW_SUMS_MODULE } from './row-sums-module.ts'
import { createWordPieces } from './word-pieces.ts'

/** A table of word vectors that computes the vector of a text. Pure. */
type StaticModel = {
  readonly dimensions: number
  /**
   * Rows of the text's word pieces, in order, with repetitions. Pieces outside the vocabulary are
   * skipped.
   */
  tokenize(text: string): number[]
  /**
   * The L2-normalised vector of a text: the sum of sqrt(count) × row over its distinct pieces. All
   * zeros without known pieces.
   */
  embed(text: string): Float32Array
}

const HEADER_BYTES = 16

/**
 * Reads a model from its two files (embedder/README.md, "byte by byte"). Throws if they are damaged
 * or inconsistent.
 */
export function readStaticModel(table: Buffer, vocabularyText: string): StaticModel {
  const { rows, dimensions } = requireHeader(table)
  const vocabulary = vocabularyText.replace(/\n$/, '').split('\n')
  if (vocabulary.length !== rows) throw new Error('the vocabulary does not fit the table of the embedder')
  const scales = readScales(table, rows)
  const values = new Int8Array(table.buffer, table.byteOffset + HEADER_BYTES + 4 * rows, rows * dimensions)
  const readPieces = createPieceReader(createWordPieces(vocabulary))
  const sums = createRowSums(values, dimensions)
  // Reused for all texts, all zeros in between: allocating it took a third of the time.
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

/**
 * A separate function: inside the model's closure, the table would stay in memory beside its copy
 * for the sums.
 */
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

/** Milliseconds of work between two turns of the event loop, over all calls. */
const SLICE_MS = 8
/** Texts between two clock reads, about 0.3 ms: a small document is embedded in one turn. */
const TEXTS_A_LOOK = 16
/** A few milliseconds of work between two turns of the event loop. */
const CHUNKS_AT_ONCE = 32
/**
 * Windows of whole sentences up to this length give the best results: the largest single gain
 * measured (embedder/README.md, "Windows").
 */
const WINDOW_CHARACTERS = 200
/**
 * Measured with all other ranking features (docs/relevance.md). The model knows English; of other
 * languages only names and numbers.
 */
/**
 * Queries about subjects that 64 texts in 8 languages do not have were at most .35 from the nearest
 * text.
 */
const MIN_SIMILARITY = 0.4
const FUSION_WEIGHT = { english: 0.35, other: 0.2 } as const

/**
 * The built-in embedder of the folder `embedder/`, read once. Needs no network and no native code.
 * Rejects if the files are missing or damaged.
 */
export async function createStaticEmbedder({ directory }: { directory: string }): Promise<Embedder> {
  const [table, vocabulary] = await Promise.all([
    readFile(join(directory, 'static-en.bin')),
    readFile(join(directory, 'vocab.txt'), 'utf8'),
  ])
  const model = readStaticModel(table, vocabulary)
  const yieldToEventLoop = createEventLoopYielder(SLICE_MS)
  return {
    model: 'static-en',
    windowCharacters: WINDOW_CHARACTERS,
    minSimilarity: MIN_SIMILARITY,
    chunksAtOnce: CHUNKS_AT_ONCE,
    fusionWeight: (language) => (language === 'en' ? FUSION_WEIGHT.english : FUSION_WEIGHT.other),
    embed: (texts) => embedInSlices(model, texts, yieldToEventLoop),
  }
}

async function embedInSlices(
  model: StaticModel,
  texts: readonly string[],
  yieldToEventLoop: () => Promise<void>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (const [index, text] of texts.entries()) {
    if (index % TEXTS_A_LOOK === 0) await yieldToEventLoop()
    vectors.push(model.embed(text))
  }
  return vectors
}

/** Sums of weighted rows of a table. */
type RowSums = {
  /** Adds a row to the sum. Add each row at most once: the capacity is the size of the table. */
  add(row: number, weight: number): void
  /**
   * Returns the L2-normalised sum of the rows added since the last call; all zeros if the sum is
   * zero.
   */
  take(): Float32Array
}

/** The part of WebAssembly in use, for which Node's types have no declaration. */
type Engine = {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

/** Exports of the module (`row-sums.wat`); memory grows by pages. */
type Exports = {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): void }
  unitSum(entries: number, count: number, dimensions: number, out: number): void
}

const { Module, Instance } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly

const PAGE_BYTES = 64 * 1024
const ENTRY_BYTES = 8

/**
 * Creates sums over a copy of a table with rows of `dimensions` bytes, a multiple of 16.
 * WebAssembly adds sixteen numbers at a time instead of one, which halves the time of embedding a
 * text.
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
