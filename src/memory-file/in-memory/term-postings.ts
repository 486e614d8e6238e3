import { withLength } from './growing-array.ts'
import { createTermDictionary } from './term-dictionary.ts'

/** The usual constants of BM25, which Lance has as well (Robertson and Zaragoza 2009, 3.1). */
const K1 = 1.2
const B = 0.75

/** A posting is a slot and, in the low bits, how often the term occurs there. */
const COUNT_BITS = 8
const MAX_COUNT = 2 ** COUNT_BITS - 1
/** Slots that fit into a posting. */
export const MAX_SLOTS = 2 ** (32 - COUNT_BITS)

const SPACE = 0x20

/** Terms with the slots of the chunks that contain them, in typed arrays outside of the heap. */
export type TermPostings = {
  /**
   * Adds the terms of a chunk, in UTF-8 and separated by spaces. Slots must ascend. Returns the
   * number of terms.
   */
  add(slot: number, terms: Uint8Array): number
  /** The number of a term; -1 if no chunk has it. */
  find(term: string): number
  /** Number of chunks that had the term when they were added. */
  countOf(term: number): number
  /** Calls `visit` with each run of postings of a term, from `start` to before `end`. */
  visit(term: number, visit: VisitRun): void
}

type VisitRun = (postings: Uint32Array, start: number, end: number) => void

/** Creates empty postings. */
export function createTermPostings(): TermPostings {
  const dictionary = createTermDictionary()
  const lists = createPostingLists()
  return {
    add(slot, bytes) {
      let count = 0
      for (let start = 0, end = 0; end <= bytes.length; end += 1) {
        if (end < bytes.length && bytes[end] !== SPACE) continue
        if (end > start) {
          lists.append(dictionary.put({ bytes, start, end }), slot)
          count += 1
        }
        start = end + 1
      }
      return count
    },
    find: dictionary.find,
    countOf: lists.countOf,
    visit: lists.visit,
  }
}

/*
 * Postings of a term are in blocks of 2, 2, 4, 8 … 1,024, each followed by the address of the next
 * block. Blocks are in pages, since a single array would be copied each time it grows.
 */
const PAGE_BITS = 20
const PAGE_LENGTH = 2 ** PAGE_BITS
const IN_PAGE = PAGE_LENGTH - 1
const BLOCK_LENGTH = { first: 2, last: 1024 } as const

/** Numbers of a term: chunks, address of the first block, next address, and the room there. */
const FACTS = 4
const [CHUNKS, FIRST, NEXT, ROOM] = [0, 1, 2, 3] as const

type PostingLists = Pick<TermPostings, 'countOf' | 'visit'> & { append(term: number, slot: number): void }

function createPostingLists(): PostingLists {
  const pages: Uint32Array[] = []
  let facts = new Uint32Array(0)
  let used = PAGE_LENGTH

  const pageOf = (address: number) => pages[address >>> PAGE_BITS] ?? new Uint32Array()

  /** Takes a block with room for `length` postings and an address, within a page. */
  function takeBlock(length: number): number {
    if (used + length + 1 > PAGE_LENGTH) {
      pages.push(new Uint32Array(PAGE_LENGTH))
      used = 0
    }
    used += length + 1
    return (pages.length - 1) * PAGE_LENGTH + used - length - 1
  }

  /** Counts the term again if the last posting is of the slot. */
  function countAgain(last: number, slot: number): boolean {
    const page = pageOf(last)
    const posting = page[last & IN_PAGE] ?? 0
    if (posting >>> COUNT_BITS !== slot) return false
    if ((posting & MAX_COUNT) < MAX_COUNT) page[last & IN_PAGE] = posting + 1
    return true
  }

  return {
    append(term, slot) {
      const at = FACTS * term
      facts = withLength(facts, at + FACTS)
      const count = facts[at + CHUNKS] ?? 0
      let to = facts[at + NEXT] ?? 0
      if (count > 0 && countAgain(to - 1, slot)) return
      if ((facts[at + ROOM] ?? 0) === 0) {
        const length = blockLength(count)
        const block = takeBlock(length)
        if (count === 0) facts[at + FIRST] = block
        else pageOf(to)[to & IN_PAGE] = block
        facts[at + ROOM] = length
        to = block
      }
      pageOf(to)[to & IN_PAGE] = slot * (MAX_COUNT + 1) + 1
      facts[at + NEXT] = to + 1
      facts[at + ROOM] = (facts[at + ROOM] ?? 0) - 1
      facts[at + CHUNKS] = count + 1
    },
    countOf: (term) => facts[FACTS * term + CHUNKS] ?? 0,
    visit(term, visit) {
      const count = facts[FACTS * term + CHUNKS] ?? 0
      let address = facts[FACTS * term + FIRST] ?? 0
      for (let read = 0; read < count; ) {
        const length = blockLength(read)
        const page = pageOf(address)
        const start = address & IN_PAGE
        visit(page, start, start + Math.min(length, count - read))
        read += length
        address = page[start + length] ?? 0
      }
    },
  }
}

/** Length of the block behind `count` postings: as many again. */
function blockLength(count: number): number {
  return Math.min(BLOCK_LENGTH.last, Math.max(BLOCK_LENGTH.first, count))
}

/**
 * Chunks as BM25 sees them: the number of terms of each slot, 0 if the chunk was removed, and sums
 * over the chunks that exist. Without removed chunks, the chunks of a term need not be counted.
 */
export type Corpus = { lengths: Uint32Array; chunks: number; terms: number; removed: number }

/** Adds to `scores` the BM25 of each slot for some terms. A repeated term counts repeatedly. */
export function addBm25(
  scores: Float32Array,
  postings: TermPostings,
  asked: { terms: readonly string[]; corpus: Corpus },
): void {
  const { lengths, chunks, terms, removed } = asked.corpus
  const average = terms / Math.max(1, chunks)
  const times = new Map<number, number>()
  for (const text of asked.terms) {
    const term = postings.find(text)
    if (term >= 0) times.set(term, (times.get(term) ?? 0) + 1)
  }
  for (const [term, repeated] of times) {
    const found = removed === 0 ? postings.countOf(term) : countExisting(lengths, postings, term)
    const weight = repeated * Math.log(1 + (chunks - found + 0.5) / (found + 0.5)) * (K1 + 1)
    postings.visit(term, (page, start, end) => {
      for (let at = start; at < end; at += 1) {
        const posting = page[at] ?? 0
        const slot = posting >>> COUNT_BITS
        const count = posting & MAX_COUNT
        const norm = K1 * (1 - B + (B * (lengths[slot] ?? 0)) / average)
        scores[slot] = (scores[slot] ?? 0) + (weight * count) / (count + norm)
      }
    })
  }
}

function countExisting(lengths: Uint32Array, postings: TermPostings, term: number): number {
  let count = 0
  postings.visit(term, (page, start, end) => {
    for (let at = start; at < end; at += 1) if (lengths[(page[at] ?? 0) >>> COUNT_BITS] !== 0) count += 1
  })
  return count
}
