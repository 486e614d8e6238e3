import type { Chunk } from './chunk.ts'
import { lineSpans, sentenceSpans } from './split-text.ts'
import { chunkOf, lengthOf, type TextRun, type Unit } from './unit.ts'

/** Packs units into chunks, in order. */
export type Packer = {
  /** Adds a unit to the open chunk, starts a new chunk, or splits a unit that is too long. */
  place(unit: Unit): void
  /** Adds units together, in a new chunk if they do not fit. */
  placeTogether(units: readonly Unit[]): void
  /** Closes the chunk before a heading, unless the chunk is tiny and has the same parent. */
  beginSection(heading: Unit): void
  /** Last placed unit of the open chunks. */
  last(): Unit | null
  /** Removes the last placed unit. */
  takeBack(): void
  /** Closes the chunk. Leading units at its end move to the next chunk. */
  close(): void
  /** Start of the text that is still needed; `null` if none is. */
  start(): number | null
  /** Returns the chunks closed since the last call. */
  take(): Chunk[]
}

/**
 * About 200 words: long enough to be understood alone, short enough for one subject
 * (docs/relevance.md, "How long documents are cut").
 */
export const TARGET_CHARACTERS = 1000
/** Tolerance for prose, so that a paragraph is not split for its last words. */
const MAX_CHARACTERS = 1200
/** Rows, records and code are split only beyond this length. */
const MAX_ATOMIC_CHARACTERS = 2 * TARGET_CHARACTERS
/** Minimum size of a chunk that a new section closes. */
const FAIR_CHARACTERS = 350

/** Creates the packer of one document with the text `source`. */
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
      // A blank piece starts no chunk, because the chunk would get the page and section of the
      // previous one.
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

/** True if the new section lies within the previous one or has the same parent. */
function isNeighbour(before: readonly string[], next: readonly string[]): boolean {
  if (before.length > next.length) return false
  return next.slice(0, -1).every((heading, index) => index >= before.length || before[index] === heading)
}

/** Buffers the chunks of a document that may become a single chunk. */
type ShortProse = {
  isOpen(): boolean
  /**
   * Takes the text appended last, with its unit unless blank. Returns the buffered chunks once the
   * document needs several.
   */
  append(unit: Unit | null): Chunk[]
  /** Takes regular chunks and returns the chunks to emit. */
  emit(chunks: Chunk[]): Chunk[]
  /** The whole document as one chunk; empty if the document needs several or is blank. */
  finish(): Chunk[]
}

/**
 * Prose without sections up to this length has one subject. Split in two, abstracts took two of ten
 * hits (docs/relevance.md).
 */
const MAX_SHORT_PROSE_CHARACTERS = 2000

/**
 * Creates the buffer of the document with the text `source`. The document is one chunk while it is
 * short and has only paragraphs of one page.
 */
export function createShortProse(source: TextRun): ShortProse {
  let units: Unit[] = []
  let held: Chunk[] = []
  let isOpen = true
  return {
    isOpen: () => isOpen,
    append(unit) {
      const isProse = unit === null || (unit.kind === 'paragraph' && unit.page === (units[0] ?? unit).page)
      if (isOpen && isProse && source.length() <= MAX_SHORT_PROSE_CHARACTERS) {
        if (unit !== null) units.push(unit)
        return []
      }
      const parts = held
      isOpen = false
      units = []
      held = []
      return parts
    },
    emit(chunks) {
      if (!isOpen) return chunks
      held.push(...chunks)
      return []
    },
    finish() {
      const chunk = isOpen ? chunkOf(units, source) : null
      return chunk === null ? [] : [chunk]
    },
  }
}
