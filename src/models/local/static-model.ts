import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { createEventLoopYielder } from '../../concurrency/event-loop-yield.ts'
import type { Embedder } from '../embedder.ts'
import { EMBEDDED_MODEL } from '../embedders.ts'
import { createPieceReader } from './piece-reader.ts'
import { createPieceFinder } from './piece-vocabulary.ts'
import {
  ENTRY_BYTES,
  openTableLoops,
  readStaticTable,
  type StaticTable,
  TABLE_FILE,
  VOCABULARY_FILE,
} from './static-table.ts'

/** Computes vectors of texts from a table of word vectors. */
type StaticModel = {
  readonly dimensions: number
  /**
   * Rows of the text's word pieces, in order, with repetitions. Pieces outside the vocabulary are
   * skipped.
   */
  tokenize(text: string): number[]
  /**
   * The L2-normalised vector of a text: the sum of sqrt(count) × row over its distinct pieces. The
   * English dimensions are zero except in English. All zeros without known pieces. `language`: ISO
   * 639-1; by the text itself if absent.
   */
  embed(text: string, kind: 'query' | 'passage', language?: string | null): Float32Array
}

/**
 * Mean of the pieces of a text in English or of names, in 1/16 of a bit (embedder/README.md). A
 * foreign passage ranks too high for foreign questions. A
 * question taken for English is compared by noise. So a passage needs more evidence.
 */
const MIN_ENGLISHNESS = { query: -8, passage: -24 } as const

const ENGLISH = 'en'

/** Threads with an area in the memory of a table. */
export const EMBEDDING_THREADS = { eventLoop: 0, indexing: 1 } as const

type EmbeddingThread = (typeof EMBEDDING_THREADS)[keyof typeof EMBEDDING_THREADS]

/** Creates the model of a table for a thread. */
export function createStaticModel(table: StaticTable, thread: EmbeddingThread): StaticModel {
  const readPieces = createPieceReader(createPieceFinder(table.memory, table.vocabulary))
  const sums = createRowSums(table, thread)
  const englishness = new Int8Array(table.memory.buffer, table.englishness, table.rows)
  // Reused for all texts, all zeros in between: allocating it took a third of the time.
  const counts = new Uint32Array(table.rows)

  return {
    dimensions: table.dimensions,
    tokenize(text) {
      const found: number[] = []
      readPieces(text, (row) => void found.push(row))
      return found
    },
    embed(text, kind, language) {
      const distinct: number[] = []
      readPieces(text, (row) => {
        if (counts[row] === 0) distinct.push(row)
        counts[row] = (counts[row] ?? 0) + 1
      })
      let english = 0
      for (const row of distinct) {
        sums.add(row, Math.sqrt(counts[row] ?? 0))
        counts[row] = 0
        english += englishness[row] ?? 0
      }
      const canBeEnglish = (language ?? ENGLISH) === ENGLISH
      return sums.take(canBeEnglish && english >= MIN_ENGLISHNESS[kind] * distinct.length)
    },
  }
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
 * Of 298 English questions about unrelated subjects, 90 % had a cosine of at most .38 with the
 * nearest of 217 windows. The maximum was .485.
 */
const MIN_SIMILARITY = 0.4
/** Measured with all ranking features (docs/relevance.md). */
const FUSION_WEIGHT = { english: 0.3, other: 0.5, crossLanguage: 0.6 } as const
/**
 * Except in English, related and unrelated texts have similar cosines. The right paragraph has .61
 * in English and .44 to .48 elsewhere. The nearest paragraph of a different article has .40 and .35
 * to .38.
 */
const CALIBRATED = ['en'] as const

/** The built-in embedder. A thread can share the table. */
export type StaticEmbedder = Embedder & {
  /** Returns the table, and reads the files on first use. Rejects if the files are damaged. */
  openTable(): Promise<StaticTable>
}

/**
 * The built-in embedder of the folder `embedder/`. Needs no network and no native code. Reads its
 * table on first use. Rejects immediately if the files are missing.
 */
export async function createStaticEmbedder({ directory }: { directory: string }): Promise<StaticEmbedder> {
  await Promise.all([TABLE_FILE, VOCABULARY_FILE].map((name) => access(join(directory, name))))
  let opening: Promise<StaticTable> | null = null
  let model: StaticModel | null = null
  const openTable = () => (opening ??= readStaticTable(directory))
  return {
    ...createEmbedder(async () => (model ??= createStaticModel(await openTable(), EMBEDDING_THREADS.eventLoop))),
    openTable,
  }
}

/** The same embedder in the indexing thread, over the table of the event loop. */
export function shareStaticEmbedder(table: StaticTable): Embedder {
  const model = createStaticModel(table, EMBEDDING_THREADS.indexing)
  return createEmbedder(async () => model)
}

function createEmbedder(openModel: () => Promise<StaticModel>): Embedder {
  const yieldToEventLoop = createEventLoopYielder(SLICE_MS)
  return {
    model: EMBEDDED_MODEL,
    windowCharacters: WINDOW_CHARACTERS,
    minSimilarity: MIN_SIMILARITY,
    calibratedLanguages: CALIBRATED,
    chunksAtOnce: CHUNKS_AT_ONCE,
    crossLanguageWeight: FUSION_WEIGHT.crossLanguage,
    fusionWeight: (language) => (language === 'en' ? FUSION_WEIGHT.english : FUSION_WEIGHT.other),
    embed: async (texts, kind, { languages = [] } = {}) =>
      embedInSlices(await openModel(), { texts, kind, languages }, yieldToEventLoop),
  }
}

type TextsToEmbed = {
  texts: readonly string[]
  kind: 'query' | 'passage'
  languages: readonly (string | null)[]
}

async function embedInSlices(
  model: StaticModel,
  { texts, kind, languages }: TextsToEmbed,
  yieldToEventLoop: () => Promise<void>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (const [index, text] of texts.entries()) {
    if (index % TEXTS_A_LOOK === 0) await yieldToEventLoop()
    vectors.push(model.embed(text, kind, languages[index]))
  }
  return vectors
}

/** Sums of weighted rows of a table. */
type RowSums = {
  /** Adds a row to the sum. Add each row at most once: the capacity is the size of the table. */
  add(row: number, weight: number): void
  /**
   * Returns the L2-normalised sum of the rows added since the last call; all zeros if the sum is
   * zero. The English dimensions are zero if the text is not English.
   */
  take(isEnglish: boolean): Float32Array
}

/**
 * Creates sums over the rows of a table, in the area of a thread. WebAssembly adds sixteen numbers
 * at a time, and halves the time of embedding a text.
 */
function createRowSums(table: StaticTable, thread: EmbeddingThread): RowSums {
  const { memory, rows, dimensions, englishDimensions, scales, areas } = table
  const { unitSum } = openTableLoops(memory)
  const out = areas[thread] ?? 0
  const entries = out + Float32Array.BYTES_PER_ELEMENT * dimensions
  const numbers = new Int32Array(memory.buffer, entries, (ENTRY_BYTES / 4) * rows)
  const weights = new Float32Array(memory.buffer, entries, (ENTRY_BYTES / 4) * rows)
  const sum = new Float32Array(memory.buffer, out, dimensions)
  let count = 0
  return {
    add(row, weight) {
      numbers[2 * count] = row
      weights[2 * count + 1] = weight
      count += 1
    },
    take(isEnglish) {
      const columns = isEnglish ? dimensions : dimensions - englishDimensions
      unitSum(entries, count, dimensions, columns, scales, out)
      count = 0
      // The memory is shared, but the vectors of callers are not.
      const vector = new Float32Array(dimensions)
      vector.set(sum.subarray(0, columns))
      return isEnglish ? balanceParts(vector, dimensions - englishDimensions) : vector
    },
  }
}

/**
 * Gives both parts of an English vector the same length. A cosine is then the mean of two cosines.
 * The lengths of sums differ by text, and across languages only the first part counts.
 */
function balanceParts(vector: Float32Array, border: number): Float32Array {
  const [first, second] = [vector.subarray(0, border), vector.subarray(border)]
  const [one, other] = [lengthOf(first), lengthOf(second)]
  if (one === 0 || other === 0) return vector
  for (let at = 0; at < first.length; at += 1) first[at] = (first[at] ?? 0) * (Math.SQRT1_2 / one)
  for (let at = 0; at < second.length; at += 1) second[at] = (second[at] ?? 0) * (Math.SQRT1_2 / other)
  return vector
}

function lengthOf(numbers: Float32Array): number {
  let squares = 0
  for (let at = 0; at < numbers.length; at += 1) squares += (numbers[at] ?? 0) ** 2
  return Math.sqrt(squares)
}
