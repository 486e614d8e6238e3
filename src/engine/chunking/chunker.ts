import type { Block } from '../../parsers/parse-event.ts'
import type { Chunk } from './chunk.ts'
import { createOutline } from './outline.ts'
import { type ChunkSizes, createPacker, type Packer, toChunkLimits } from './packer.ts'
import { chunkOf, createTextRun, lengthOf, type TextRun, type Unit, unitOf } from './unit.ts'

/** Splits the blocks of one document into chunks. Holds a few thousand characters at any time. */
export type Chunker = {
  /** Takes the next block and returns the completed chunks. */
  push(block: Block): Chunk[]
  /** Returns the remaining chunks, after the last block. */
  flush(): Chunk[]
}

/** Blocks that are never continued. JSON records often share a line. */
const NEVER_OPEN: ReadonlySet<Block['kind']> = new Set(['heading', 'record'])
const LINE_END = /[\n\r\f\u2028\u2029]/

/**
 * Creates the chunker of one document. A section begins a chunk, unless the previous chunk is tiny
 * and has the same parent. Lists, tables and code stay whole while short enough; rows and records
 * are never cut. Paragraphs are cut between sentences only if necessary. A short document of
 * paragraphs only is one chunk. Linear in the length of the document. Sizes of `null` are the
 * default.
 */
export function createChunker(sizes: ChunkSizes | null = null): Chunker {
  const limits = toChunkLimits(sizes)
  const source = createTextRun()
  const outline = createOutline()
  const packer = createPacker(source, limits)
  const short = createShortProse(source, limits.maxShortProse)
  const groups = createGroups(packer, limits.target)
  /**
   * True if the last block ended within a line, so that the next block of the same kind continues
   * the line.
   */
  let isOpen = false

  function add(unit: Unit): void {
    if (unit.family !== null) {
      groups.add(unit)
      return
    }
    groups.end()
    if (unit.kind === 'heading') packer.beginSection(unit)
    packer.place(unit)
  }

  /**
   * Extends the last unit, which the previous block left open, and removes that unit from the group
   * or chunk.
   */
  function continued(unit: Unit): Unit {
    const last = groups.last() ?? packer.last()
    if (!isOpen || NEVER_OPEN.has(unit.kind) || last?.kind !== unit.kind || last.end !== unit.start) return unit
    if (groups.last() !== null) groups.takeBack()
    else packer.takeBack()
    return { ...last, end: unit.end }
  }

  function endAll(): void {
    groups.end()
    packer.end()
  }

  /**
   * A long run of white space ends all units, because waiting would buffer all of the white space.
   */
  function passBlank(): Chunk[] {
    const end = groups.last()?.end ?? packer.last()?.end ?? null
    if (end !== null && source.length() - end > limits.target) endAll()
    return take()
  }

  function take(): Chunk[] {
    const chunks = short.emit(packer.take())
    if (short.isOpen()) return chunks
    const start = packer.start() ?? groups.start() ?? source.length()
    if (chunks.length > 0 || start === source.length()) source.dropBefore(start)
    return chunks
  }

  return {
    push(block) {
      const start = source.length()
      source.append(block.text)
      if (block.kind === 'blank' || block.text.trim() === '') return [...short.append(null), ...passBlank()]
      const unit = unitOf(block, start, outline.place(block, start))
      const parts = short.append(unit)
      add(continued(unit))
      isOpen = !LINE_END.test(block.text.slice(block.text.trimEnd().length))
      return [...parts, ...take()]
    },
    flush() {
      endAll()
      return [...short.finish(), ...take()]
    },
  }
}

/** Collects the current list, table or code, which stays whole while it fits. */
type Groups = {
  add(unit: Unit): void
  last(): Unit | null
  takeBack(): void
  /** Start of the units that are not placed yet; `null` if there are none. */
  start(): number | null
  end(): void
}

function createGroups(packer: Packer, maxCharacters: number): Groups {
  /** Units that may still fit whole. `spilled` is the family of units that did not fit. */
  let group: Unit[] = []
  let spilled: string | null = null

  function end(): void {
    packer.placeTogether(group)
    group = []
    spilled = null
  }

  return {
    add(unit) {
      if (unit.family === spilled) {
        packer.place(unit)
        return
      }
      if (group[0]?.family !== unit.family) end()
      group.push(unit)
      if (lengthOf(group) <= maxCharacters) return
      for (const each of group) packer.place(each)
      group = []
      spilled = unit.family
    },
    last: () => group.at(-1) ?? null,
    takeBack: () => {
      group.pop()
    },
    start: () => group[0]?.start ?? null,
    end,
  }
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
 * Creates the buffer of the document with the text `source`. The document is one chunk while it is
 * short and has only paragraphs of one page.
 */
function createShortProse(source: TextRun, maxCharacters: number): ShortProse {
  let units: Unit[] = []
  let held: Chunk[] = []
  let isOpen = true
  return {
    isOpen: () => isOpen,
    append(unit) {
      const isProse = unit === null || (unit.kind === 'paragraph' && unit.page === (units[0] ?? unit).page)
      if (isOpen && isProse && source.length() <= maxCharacters) {
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
