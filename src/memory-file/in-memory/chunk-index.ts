import type { ChunkFilter } from '../memory-file.ts'
import { createBestSlots, type FoundSlots } from './best-slots.ts'
import { withLength } from './growing-array.ts'
import { addBm25, type Corpus, createTermPostings } from './term-postings.ts'
import { BLOCK_LENGTH, createVectorBlocks, type VectorMemory } from './vector-blocks.ts'

/**
 * Rows to add, as Arrow columns of one batch. Texts are UTF-8: text `i` is `bytes` from
 * `offsets[i]` to `offsets[i + 1]`. The row `i` goes to slot `slots[i]`, or is skipped if that is
 * `NO_SLOT`; slots ascend.
 */
export type IndexedRows = {
  slots: Uint32Array
  /** Numbers of the documents, see `document-numbers.ts`. */
  documents: Uint32Array
  kinds: Texts
  terms: Texts
  /** 16-bit floats of all rows; zeros for a row without a vector. Empty for 0 dimensions. */
  vectors: Uint16Array
}

/** Texts of a column. */
export type Texts = { bytes: Uint8Array; offsets: Int32Array }

/** Slots allowed in a search; `documents` has a byte for each document, 1 if allowed. */
export type SlotFilter = Pick<ChunkFilter, 'kind'> & { documents?: Uint8Array }

/** A search in an index. */
export type SlotSearch = { limit: number; filter?: SlotFilter | undefined }

/** Chunks by slot, a number that stays the same as long as the index exists. */
export type ChunkIndex = {
  add(rows: IndexedRows): void
  remove(slots: Uint32Array): void
  /** BM25 over terms. */
  searchLexical(terms: readonly string[], search: SlotSearch): FoundSlots
  /** Nearest by cosine, exact to about .001. */
  searchVector(vector: Float32Array, search: SlotSearch): FoundSlots
  close(): void
}

/** The slot of a row that is not indexed. */
export const NO_SLOT = 0xffff_ffff

/** Creates an empty index; `dimensions` is 0 for an index without vectors. */
export function createChunkIndex(memory: VectorMemory, dimensions: number): ChunkIndex {
  const postings = createTermPostings()
  const facts = createSlotFacts()
  const vectors = createVectorBlocks(memory, dimensions)
  const scoring = createScoring(memory)
  return {
    add(rows) {
      rows.slots.forEach((slot, row) => {
        if (slot === NO_SLOT) return
        facts.add(slot, rows, { row, length: postings.add(slot, bytesOf(rows.terms, row)) })
        if (dimensions > 0) vectors.put(slot, rows.vectors.subarray(row * dimensions, (row + 1) * dimensions))
      })
    },
    remove: facts.remove,
    searchLexical(terms, { limit, filter }) {
      const { corpus } = facts
      const scores = scoring.begin(corpus.lengths.length)
      addBm25(scores, postings, { terms, corpus })
      const passes = facts.createFilter(filter)
      const best = createBestSlots(limit)
      for (let first = 0, least = 0; first < scores.length; first += BLOCK_LENGTH)
        for (const at of memory.listAbove(scores.byteOffset + 4 * first, least)) {
          const slot = first + at
          const score = scores[slot] ?? 0
          if (score > least && passes(slot)) least = Math.max(0, best.offer(slot, score))
        }
      return best.list()
    },
    searchVector: (vector, { limit, filter }) => vectors.search(vector, limit, facts.createFilter(filter)),
    close() {
      scoring.close()
      vectors.close()
    },
  }
}

/** Creates scores of all slots in the memory. `begin` returns zeros for whole blocks. */
function createScoring(memory: VectorMemory): { begin(slots: number): Float32Array; close(): void } {
  let [address, bytes] = [0, 0]
  const close = () => {
    if (bytes > 0) memory.free(address, bytes)
    bytes = 0
  }
  return {
    begin(slots) {
      const needed = 4 * BLOCK_LENGTH * Math.ceil(slots / BLOCK_LENGTH)
      if (needed > bytes) {
        close()
        address = memory.take(needed)
        bytes = needed
      }
      return new Float32Array(memory.memory.buffer, address, bytes / 4).fill(0)
    },
    close,
  }
}

/** State of a slot. */
const [GONE, DOCUMENT, CORRECTION] = [0, 1, 2] as const

/** What is known of the slots beside terms and vectors. */
type SlotFacts = {
  readonly corpus: Corpus
  /** Adds the facts of a row with so many terms. */
  add(slot: number, rows: IndexedRows, added: { row: number; length: number }): void
  remove(slots: Uint32Array): void
  /** Creates a test of slots: they exist, and pass the filter. */
  createFilter(filter?: SlotFilter): (slot: number) => boolean
}

function createSlotFacts(): SlotFacts {
  const corpus: Corpus = { lengths: new Uint32Array(0), chunks: 0, terms: 0, removed: 0 }
  let states = new Uint8Array(0)
  let documentOf = new Uint32Array(0)

  return {
    corpus,
    add(slot, rows, { row, length }) {
      states = withLength(states, slot + 1)
      states[slot] = textOf(rows.kinds, row) === 'correction' ? CORRECTION : DOCUMENT
      documentOf = withLength(documentOf, slot + 1)
      documentOf[slot] = rows.documents[row] ?? 0
      corpus.lengths = withLength(corpus.lengths, slot + 1)
      corpus.lengths[slot] = length
      corpus.chunks += 1
      corpus.terms += length
    },
    remove(slots) {
      for (const slot of slots) {
        if ((states[slot] ?? GONE) === GONE) continue
        states[slot] = GONE
        corpus.chunks -= 1
        corpus.removed += 1
        corpus.terms -= corpus.lengths[slot] ?? 0
        corpus.lengths[slot] = 0
      }
    },
    createFilter({ kind, documents } = {}) {
      const state = kind === undefined ? null : kind === 'correction' ? CORRECTION : DOCUMENT
      return (slot) =>
        (state === null ? states[slot] !== GONE : states[slot] === state) &&
        (documents === undefined || documents[documentOf[slot] ?? 0] === 1)
    },
  }
}

/** A view of a text. */
export function bytesOf({ bytes, offsets }: Texts, place: number): Uint8Array {
  return bytes.subarray(offsets[place] ?? 0, offsets[place + 1] ?? 0)
}

function textOf(texts: Texts, place: number): string {
  const bytes = bytesOf(texts, place)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}
