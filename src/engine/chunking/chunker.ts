import type { Block } from '../../parsers/parse-event.ts'
import type { Chunk } from './chunk.ts'
import { createOutline } from './outline.ts'
import { createPacker, createShortProse, type Packer, TARGET_CHARACTERS } from './packer.ts'
import { createTextRun, lengthOf, type Unit, unitOf } from './unit.ts'

/**
 * Turns the blocks of one document, in order, into chunks; holds a few thousand characters at any
 * time.
 */
export type Chunker = {
  /** Takes the next block and gives the chunks that are complete. */
  push(block: Block): Chunk[]
  /** The rest, after the last block. */
  flush(): Chunk[]
}

/** Blocks of these kinds end where they end; records of JSON often stand in one line. */
const NEVER_OPEN: ReadonlySet<Block['kind']> = new Set(['heading', 'record'])
const LINE_END = /[\n\r\f\u2028\u2029]/

/**
 * Makes the chunker of one document. Chunks follow structure: a section begins one unless the chunk
 * before it is tiny and of the same parent, lists, tables and code stay whole while they fit, rows
 * and records are not cut, paragraphs are cut between sentences only where they do not fit. A short
 * document of nothing but paragraphs is one chunk. Linear in the length of the document.
 */
export function createChunker(): Chunker {
  const source = createTextRun()
  const outline = createOutline()
  const packer = createPacker(source)
  const short = createShortProse(source)
  const groups = createGroups(packer)
  /**
   * True where the last block ended in the middle of a line: more of the same kind belongs to it.
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

  /** The unit that the last block left open, longer by the new one; taken out of where it stood. */
  function continued(unit: Unit): Unit {
    const last = groups.last() ?? packer.last()
    if (!isOpen || NEVER_OPEN.has(unit.kind) || last?.kind !== unit.kind || last.end !== unit.start) return unit
    if (groups.last() !== null) groups.takeBack()
    else packer.takeBack()
    return { ...last, end: unit.end }
  }

  function endAll(): void {
    groups.end()
    while (packer.last() !== null) packer.close()
  }

  /**
   * Nothing keeps to what stands behind a wall of white space, and waiting for it would hold all of
   * that.
   */
  function passBlank(): Chunk[] {
    const end = groups.last()?.end ?? packer.last()?.end ?? null
    if (end !== null && source.length() - end > TARGET_CHARACTERS) endAll()
    return take()
  }

  function take(): Chunk[] {
    const chunks = short.hold(packer.take())
    if (short.isOpen()) return chunks
    const start = packer.start() ?? groups.start() ?? source.length()
    if (chunks.length > 0 || start === source.length()) source.dropBefore(start)
    return chunks
  }

  return {
    push(block) {
      const start = source.length()
      source.append(block.text)
      if (block.kind === 'blank' || block.text.trim() === '') return [...short.judge(null), ...passBlank()]
      const unit = unitOf(block, start, outline.place(block, start))
      const parts = short.judge(unit)
      add(continued(unit))
      isOpen = !LINE_END.test(block.text.slice(block.text.trimEnd().length))
      return [...parts, ...take()]
    },
    flush() {
      endAll()
      return [...short.whole(), ...take()]
    },
  }
}

/** The list, table or code that is read, which stays whole while it fits. */
type Groups = {
  add(unit: Unit): void
  last(): Unit | null
  takeBack(): void
  /** Where the units begin that are not placed yet; `null` where there are none. */
  start(): number | null
  end(): void
}

function createGroups(packer: Packer): Groups {
  /** Units that may still fit whole; `spilled` is the family of those that did not. */
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
      if (lengthOf(group) <= TARGET_CHARACTERS) return
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
