import type { Chunk } from './chunk.ts'
import { lineSpans, sentenceSpans } from './split-text.ts'
import { chunkOf, lengthOf, type TextRun, type Unit } from './unit.ts'

/** Fills chunks with units, in order. */
export type Packer = {
  /**
   * Puts a unit into the chunk that is being filled, or begins a new one with it, or cuts it where
   * it is too long.
   */
  place(unit: Unit): void
  /** Puts units in together, beginning a new chunk where they do not all fit. */
  placeTogether(units: readonly Unit[]): void
  /** Ends the chunk before a heading, unless it is tiny and of the same parent. */
  beginSection(heading: Unit): void
  /** The last unit that was placed and is not given out. */
  last(): Unit | null
  /** Takes that unit back. */
  takeBack(): void
  /** Ends the chunk; leading units at its end stay for the next one. */
  close(): void
  /** Where the text begins that is still needed; `null` when none is. */
  start(): number | null
  /** The chunks ended since the last call. */
  take(): Chunk[]
}

/**
 * About 200 words: long enough to stand alone, short enough to be about one thing
 * (docs/relevance.md, "How long documents are cut").
 */
export const TARGET_CHARACTERS = 1000
/** Prose may go this far over, so that a paragraph is not cut for its last words. */
const MAX_CHARACTERS = 1200
/** Rows, records and code are cut only beyond this. */
const MAX_ATOMIC_CHARACTERS = 2 * TARGET_CHARACTERS
/** A chunk of this size stands on its own when a new section begins. */
const FAIR_CHARACTERS = 350

/** Makes the packer of one document, whose text is `source`. */
export function createPacker(source: TextRun): Packer {
  let pending: Unit[] = []
  let chunks: Chunk[] = []

  function close(): void {
    const kept = pending.findLastIndex((unit) => !unit.isLeading) + 1 || pending.length
    const chunk = chunkOf(pending.slice(0, kept), source)
    if (chunk !== null) chunks.push(chunk)
    pending = pending.slice(kept)
  }

  function placeInPieces(unit: Unit): void {
    const spans = (unit.isAtomic ? lineSpans : sentenceSpans)(source.slice(unit.start, unit.end), TARGET_CHARACTERS)
    for (const span of spans) {
      const piece = { ...unit, start: unit.start + span.start, end: unit.start + span.end }
      // What is blank does not begin a chunk: it would give it the page and the section of what
      // stands before.
      const hasWords = source.slice(piece.start, piece.end).trim() !== ''
      if (hasWords && pending.length > 0 && lengthOf([pending[0] ?? piece, piece]) > TARGET_CHARACTERS) close()
      pending.push(piece)
    }
  }

  function place(unit: Unit): void {
    const isTiny = lengthOf(pending) < FAIR_CHARACTERS
    const max = unit.isAtomic && isTiny ? MAX_ATOMIC_CHARACTERS : MAX_CHARACTERS
    if (lengthOf([pending[0] ?? unit, unit]) <= max) {
      pending.push(unit)
      return
    }
    if (unit.isAtomic || !isTiny) close()
    const isTooLong = lengthOf([unit]) > (unit.isAtomic ? MAX_ATOMIC_CHARACTERS : MAX_CHARACTERS)
    if (isTooLong || (isTiny && !unit.isAtomic)) placeInPieces(unit)
    else pending.push(unit)
  }

  return {
    place,
    placeTogether(units) {
      if (pending.length > 0 && lengthOf([...pending.slice(0, 1), ...units]) > MAX_CHARACTERS) close()
      for (const unit of units) place(unit)
    },
    beginSection(heading) {
      const content = pending.findLast((unit) => !unit.isLeading)
      if (content === undefined) return
      if (lengthOf(pending) >= FAIR_CHARACTERS || !isNeighbour(content.path, heading.path)) close()
    },
    last: () => pending.at(-1) ?? null,
    takeBack: () => void pending.pop(),
    close,
    start: () => pending[0]?.start ?? null,
    take() {
      const taken = chunks
      chunks = []
      return taken
    },
  }
}

/** True when the new section lies in the one before it, or has the same parent. */
function isNeighbour(before: readonly string[], next: readonly string[]): boolean {
  if (before.length > next.length) return false
  return next.slice(0, -1).every((heading, index) => index >= before.length || before[index] === heading)
}

/** Holds the parts of a document back while it may still be one chunk. */
type ShortProse = {
  isOpen(): boolean
  /**
   * Takes what was appended last, its unit where it has words, and gives the parts held back once
   * the document is not one chunk.
   */
  judge(unit: Unit | null): Chunk[]
  /** Takes the chunks the document has otherwise, and gives those that are to be given out. */
  hold(chunks: Chunk[]): Chunk[]
  /** The whole document as one chunk; empty where it is not one, or white space. */
  whole(): Chunk[]
}

/**
 * Prose without sections up to here is about one thing: cut in two, abstracts took two places of
 * ten hits (docs/relevance.md).
 */
const MOST_CHARACTERS = 2000

/**
 * Begins to judge the document whose text is `source`: one chunk while it is short and nothing but
 * paragraphs of one page.
 */
export function createShortProse(source: TextRun): ShortProse {
  let units: Unit[] = []
  let held: Chunk[] = []
  let isOpen = true
  return {
    isOpen: () => isOpen,
    judge(unit) {
      const isProse = unit === null || (unit.kind === 'paragraph' && unit.page === (units[0] ?? unit).page)
      if (isOpen && isProse && source.length() <= MOST_CHARACTERS) {
        if (unit !== null) units.push(unit)
        return []
      }
      const parts = held
      isOpen = false
      units = []
      held = []
      return parts
    },
    hold(chunks) {
      if (!isOpen) return chunks
      held.push(...chunks)
      return []
    },
    whole() {
      const chunk = isOpen ? chunkOf(units, source) : null
      return chunk === null ? [] : [chunk]
    },
  }
}
