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
  /** Closes all chunks; the next chunk repeats nothing. */
  end(): void
  /** Start of the text that is still needed; `null` if none is. */
  start(): number | null
  /** Returns the chunks closed since the last call. */
  take(): Chunk[]
}

/** Sizes of the chunks of a memory, in characters, as chosen at its creation. */
export type ChunkSizes = {
  /** No chunk is longer. */
  maxCharacters: number
  /** Maximum characters of a chunk of prose repeated by the next chunk. */
  overlap: number
}

/** Limits of the chunker, in characters. */
export type ChunkLimits = {
  /**
   * About 200 words: long enough to be understood alone, short enough for one subject
   * (docs/relevance.md, "How long documents are cut").
   */
  target: number
  /** Tolerance for prose, so that a paragraph is not split for its last words. */
  max: number
  /** Rows, records and code are split only beyond this length. */
  maxAtomic: number
  /** Minimum size of a chunk that a new section closes. */
  fair: number
  /**
   * Prose without sections up to this length has one subject. Split in two, abstracts took two of
   * ten hits (docs/relevance.md).
   */
  maxShortProse: number
  overlap: number
  /** Maximum with headings; `null`: headings may add to `max`. */
  bound: number | null
}

const DEFAULT_LIMITS: ChunkLimits = {
  ...{ target: 1000, max: 1200, maxAtomic: 2000, fair: 350, maxShortProse: 2000 },
  ...{ overlap: 0, bound: null },
}

/** The limits for the sizes of a memory, in the proportions of the default; `null`: the default. */
export function toChunkLimits(sizes: ChunkSizes | null): ChunkLimits {
  if (sizes === null) return DEFAULT_LIMITS
  const { maxCharacters: max, overlap } = sizes
  const share = (size: number) => Math.floor((max * size) / DEFAULT_LIMITS.max)
  const { target, fair } = DEFAULT_LIMITS
  return {
    ...{ target: share(target), max, maxAtomic: max, fair: share(fair), maxShortProse: max },
    ...{ overlap, bound: max },
  }
}

/** Creates the packer of one document with the text `source`. */
export function createPacker(source: TextRun, limits: ChunkLimits): Packer {
  const { target, max, maxAtomic, fair, bound } = limits
  const open = createOpenChunk(source, limits)

  function placeInPieces(unit: Unit): void {
    const spans = (unit.isAtomic ? lineSpans : sentenceSpans)(source.slice(unit.start, unit.end), target)
    for (const span of spans) {
      const piece = { ...unit, start: unit.start + span.start, end: unit.start + span.end }
      // A blank piece starts no chunk, because the chunk would get the page and section of the
      // previous one.
      const hasWords = source.slice(piece.start, piece.end).trim() !== ''
      if (hasWords && open.lengthWith([piece]) > target) open.close()
      open.push(piece, target)
    }
  }

  function place(unit: Unit): void {
    const isTiny = open.newLength() < fair
    const most = unit.isAtomic && isTiny ? maxAtomic : max
    if (open.lengthWith([unit]) <= most) {
      open.push(unit, most)
      return
    }
    if (unit.isAtomic || !isTiny) open.close()
    const isTooLong = lengthOf([unit]) > (unit.isAtomic ? maxAtomic : max)
    // A paragraph without room for the begin of the chunk is split after the begin.
    const isCrowded = bound !== null && !unit.isAtomic && open.lengthWith([unit]) > max
    if (isTooLong || isCrowded || (isTiny && !unit.isAtomic)) placeInPieces(unit)
    else open.push(unit, most)
  }

  return {
    place,
    placeTogether(units) {
      if (open.last() !== null && open.lengthWith(units) > max) open.close()
      for (const unit of units) place(unit)
    },
    beginSection(heading) {
      const content = open.lastContent()
      if (content === null) return
      if (open.newLength() >= fair || !isNeighbour(content.path, heading.path)) open.close()
    },
    last: open.last,
    takeBack: open.takeBack,
    end() {
      while (open.last() !== null) open.close()
      open.forget()
    },
    start: open.start,
    take: open.take,
  }
}

/** Units of the open chunk. */
type OpenChunk = Pick<Packer, 'last' | 'takeBack' | 'start' | 'take'> & {
  /** Adds a unit. The first of a chunk follows repeated sentences within `maxCharacters`. */
  push(unit: Unit, maxCharacters: number): void
  /** Closes the chunk. Leading units at its end move to the next chunk. */
  close(): void
  /** The next chunk repeats nothing. */
  forget(): void
  /** Last unit that introduces nothing. */
  lastContent(): Unit | null
  /** Length without repeated sentences. */
  newLength(): number
  /** Length after adding units, with repeated sentences. */
  lengthWith(units: readonly Unit[]): number
}

function createOpenChunk(source: TextRun, limits: ChunkLimits): OpenChunk {
  const overlap = createOverlap(source, limits.overlap)
  let pending: Unit[] = []
  let chunks: Chunk[] = []
  return {
    push(unit, maxCharacters) {
      const repeated = pending.length > 0 ? null : overlap.before(unit, maxCharacters)
      pending.push(...(repeated === null ? [unit] : [repeated, unit]))
    },
    close() {
      const kept = pending.findLastIndex((unit) => !unit.isLeading) + 1 || pending.length
      for (const units of splitAt(pending.slice(0, kept), limits.bound)) {
        const isBlank = ({ start, end }: Unit) => source.slice(start, end).trim() === ''
        // Repeated sentences with nothing but white space are no chunk.
        const chunk = units.every((unit) => unit.isRepeated || isBlank(unit)) ? null : chunkOf(units, source)
        if (chunk === null) continue
        chunks.push(chunk)
        overlap.closed(units)
      }
      pending = pending.slice(kept)
    },
    forget: () => overlap.closed([]),
    last: () => pending.at(-1) ?? null,
    lastContent: () => pending.findLast((unit) => !unit.isLeading) ?? null,
    takeBack() {
      pending.pop()
      // Repeated again before what is placed next.
      if (pending.at(-1)?.isRepeated) pending.pop()
    },
    newLength: () => lengthOf(pending[0]?.isRepeated ? pending.slice(1) : pending),
    lengthWith(units) {
      const [unit] = units
      if (unit === undefined) return lengthOf(pending)
      const first = pending[0] ?? overlap.before(unit, Number.POSITIVE_INFINITY) ?? unit
      return lengthOf([first, ...units])
    },
    start: () => overlap.start() ?? pending[0]?.start ?? null,
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

/** Splits between units into parts of at most `bound` characters; `null`: one part. */
function splitAt(units: readonly Unit[], bound: number | null): readonly Unit[][] {
  const parts: Unit[][] = []
  for (const unit of units) {
    const part = parts.at(-1)
    const isFull = part !== undefined && bound !== null && lengthOf([part[0] ?? unit, unit]) > bound
    if (part === undefined || isFull) parts.push([unit])
    else part.push(unit)
  }
  return parts
}

/** Sentences at the end of a chunk, repeated by the next chunk. */
type Overlap = {
  /** Takes the units of a closed chunk. */
  closed(units: readonly Unit[]): void
  /**
   * The last whole sentences of the closed chunk, for the chunk with `next` as first unit. With
   * `next` at most `maxCharacters`. `null` without such sentences, and across sections, pages and
   * tables.
   */
  before(next: Unit, maxCharacters: number): Unit | null
  /** Start of the repeatable text; `null` without one. */
  start(): number | null
}

function createOverlap(source: TextRun, characters: number): Overlap {
  let last: readonly Unit[] = []
  return {
    closed(units) {
      if (characters > 0) last = units
    },
    before(next, maxCharacters) {
      const run = last.slice(last.findLastIndex((unit) => !isSameProse(unit, next)) + 1)
      const [first] = run
      const end = run.at(-1)?.end
      if (first === undefined || end === undefined) return null
      const text = source.slice(first.start, end)
      const spans = sentenceSpans(text, text.length)
      // Repeating all of a chunk would make that chunk superfluous.
      const start = spans.find((span) => {
        const at = first.start + span.start
        const repeated = text.slice(span.start).trim()
        const fits = repeated.length <= characters && next.end - at <= maxCharacters
        return fits && repeated !== '' && at > (last[0]?.start ?? at)
      })?.start
      return start === undefined ? null : { ...first, start: first.start + start, end, isRepeated: true }
    },
    start: () => last[0]?.start ?? null,
  }
}

function isSameProse(unit: Unit, next: Unit): boolean {
  const isProse = unit.kind === 'paragraph' && next.kind === 'paragraph' && unit.page === next.page
  return isProse && unit.path.join('\n') === next.path.join('\n')
}
