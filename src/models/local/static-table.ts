import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { planVocabulary, type Vocabulary, type VocabularyPlaces, writeVocabulary } from './piece-vocabulary.ts'
import { STATIC_TABLE_MODULE } from './static-table-module.ts'

/**
 * The table and the vocabulary of the static embedder in shared memory. A thread gets
 * a reference instead of a copy of 30 MB.
 *
 * The memory begins with the numbers of all rows, four bits each. The scale of each block of 32
 * numbers follows as a float. How English each piece is, the vocabulary, and an area for each
 * thread are behind.
 */
export type StaticTable = {
  readonly memory: SharedMemory
  readonly rows: number
  readonly dimensions: number
  /** Number of dimensions for English texts only, at the end. */
  readonly englishDimensions: number
  /** Byte offset of the scales. */
  readonly scales: number
  /** Byte offset of a signed byte for each row: how English the piece is. */
  readonly englishness: number
  readonly vocabulary: VocabularyPlaces
  /** Byte offset of each thread's area for sums ({@link areaBytes}). */
  readonly areas: readonly number[]
}

/** A shared `WebAssembly.Memory`, for which Node's types have no declaration. */
type SharedMemory = { readonly buffer: SharedArrayBuffer }

/** Loops over the memory of a table in WebAssembly, described in `static-table.wat`. */
type TableLoops = {
  unitSum(entries: number, count: number, ...table: number[]): void
  widenFloats(from: number, to: number, count: number): void
  indexPieces(...places: number[]): number
}

/** The part of WebAssembly in use, for which Node's types have no declaration either. */
type Engine = {
  Memory: new (size: { initial: number; maximum: number; shared: true }) => SharedMemory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: { table: { memory: SharedMemory } }) => { exports: unknown }
}

const { Instance, Memory, Module } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly

/** Files of the embedder's folder. */
export const TABLE_FILE = 'static-multi.bin'
export const VOCABULARY_FILE = 'vocab.txt'

const PAGE_BYTES = 64 * 1024
const HEADER_BYTES = 20
const VERSION = 3
/** Numbers per scale. */
const BLOCK = 32
/** Bytes of a row and a weight in an area. */
export const ENTRY_BYTES = 8
/** The event loop and the indexing thread. */
const THREADS = 2

/** Reads a table of 26 MB in about 0.02 s. Rejects if files are missing or damaged. */
export async function readStaticTable(directory: string): Promise<StaticTable> {
  // Decoded as a whole: `readFile` decodes piece by piece, which takes four times as long.
  const vocabulary = String(await readFile(join(directory, VOCABULARY_FILE)))
  const file = await open(join(directory, TABLE_FILE))
  try {
    return await fillTable(
      vocabulary,
      async (into, position) => (await file.read({ buffer: into, position })).bytesRead,
    )
  } finally {
    await file.close()
  }
}

/** Reads bytes of a file from `position` on, and returns their number: 0 at the end. */
type ReadAt = (into: Uint8Array, position: number) => Promise<number>

/**
 * Reads the parts of a file to their places in new memory (embedder/README.md, "byte by byte").
 * Rejects if the header has a different version, the vocabulary a different length, or the file.
 */
export async function fillTable(vocabulary: string, readAt: ReadAt): Promise<StaticTable> {
  const header = Buffer.alloc(HEADER_BYTES)
  await readFully(readAt, header, 0)
  const { rows, dimensions, englishDimensions } = requireHeader(header)
  const text = vocabulary.endsWith('\n') ? vocabulary : `${vocabulary}\n`
  const { filler, ...table } = allocate({ text, rows }, { dimensions, englishDimensions })
  const { scales, englishness } = table
  const { buffer } = table.memory
  const blocks = (rows * dimensions) / BLOCK
  const codeBytes = (rows * dimensions) / 2
  // Scales of 16 bits fill the second half of those of 32 bits, until all are read.
  const halves = scales + 2 * blocks
  const scalesStart = HEADER_BYTES + 4 * Math.ceil(rows / 4)
  const codesStart = scalesStart + 2 * blocks
  await readFully(readAt, new Uint8Array(buffer, englishness, rows), HEADER_BYTES)
  await readFully(readAt, new Uint8Array(buffer, halves, 2 * blocks), scalesStart)
  await readFully(readAt, new Uint8Array(buffer, 0, codeBytes), codesStart)
  if ((await readAt(new Uint8Array(1), codesStart + codeBytes)) > 0)
    throw new Error('the table of the embedder is too long')
  filler.widenFloats(halves, scales, blocks)
  writeVocabulary(filler, table.vocabulary, text)
  return table
}

/** Fills `into`. Rejects at the end of the file. */
async function readFully(readAt: ReadAt, into: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < into.length; ) {
    const count = await readAt(into.subarray(at), position + at)
    if (count === 0) throw new Error('the table of the embedder is cut off')
    at += count
  }
}

type Sizes = Pick<StaticTable, 'dimensions' | 'englishDimensions'>

function allocate(pieces: Vocabulary, sizes: Sizes): StaticTable & { filler: ReturnType<typeof allocateTable> } {
  const { rows } = pieces
  const { dimensions } = sizes
  const scales = (rows * dimensions) / 2
  const englishness = scales + (4 * rows * dimensions) / BLOCK
  const vocabulary = planVocabulary(pieces, englishness + 4 * Math.ceil(rows / 4))
  const first = 16 * Math.ceil(vocabulary.end / 16)
  const areas = Array.from({ length: THREADS }, (_, thread) => first + thread * areaBytes({ rows, dimensions }))
  const filler = allocateTable(first + THREADS * areaBytes({ rows, dimensions }))
  return { memory: filler.memory, rows, ...sizes, scales, englishness, vocabulary, areas, filler }
}

/** Allocates memory for at least `bytes`, all zeros, with the loops over it. */
export function allocateTable(bytes: number): TableLoops & { memory: SharedMemory } {
  const pages = Math.ceil(bytes / PAGE_BYTES)
  const memory = new Memory({ initial: pages, maximum: pages, shared: true })
  return { ...openTableLoops(memory), memory }
}

/** The loops over the memory of a table, in this thread. */
export function openTableLoops(memory: SharedMemory): TableLoops {
  const module = new Module(Buffer.from(STATIC_TABLE_MODULE, 'base64'))
  return new Instance(module, { table: { memory } }).exports as TableLoops
}

/** Bytes of an area: a vector, then an entry for each row. A multiple of 16. */
function areaBytes({ rows, dimensions }: Pick<StaticTable, 'rows' | 'dimensions'>): number {
  return 16 * Math.ceil((4 * dimensions + ENTRY_BYTES * rows) / 16)
}

function requireHeader(header: Buffer): Sizes & { rows: number } {
  if (header.toString('latin1', 0, 4) !== 'SEMB' || header.readUInt32LE(4) !== VERSION) {
    throw new Error(`the table of the embedder is not one of version ${VERSION}`)
  }
  const rows = header.readUInt32LE(8)
  const dimensions = header.readUInt32LE(12)
  const englishDimensions = header.readUInt32LE(16)
  if ([dimensions, englishDimensions].some((size) => size % BLOCK !== 0) || englishDimensions >= dimensions)
    throw new Error(`the rows of the embedder are no multiple of ${BLOCK} numbers`)
  return { rows, dimensions, englishDimensions }
}
