import type { Block } from '../../parsers/parse-event.ts'
import type { Chunk } from './chunk.ts'
import type { Place } from './outline.ts'

/** A run of text that a chunk takes or leaves as one. Offsets count in the extracted text. */
export type Unit = Place & {
  kind: Block['kind']
  start: number
  end: number
  page: number | null
  /** Neighbours of one family are kept in one chunk while they fit. */
  family: string | null
  /** Cut between lines only, and only when far too long. */
  isAtomic: boolean
  /** Belongs to what follows: never the end of a chunk. */
  isLeading: boolean
}

/** A paragraph like "The steps are:" stays with what it introduces. */
const INTRODUCTION = /[:：]\s*$/
const MAX_LEADING_CHARACTERS = 300

/** The unit of a block that begins at `start`. */
export function unitOf(block: Block, start: number, place: Place): Unit {
  const { kind, text } = block
  const isTable = kind === 'table-header' || kind === 'table-row'
  const introduces = kind === 'heading' || kind === 'table-header' || (kind === 'paragraph' && INTRODUCTION.test(text))
  return {
    ...place,
    kind,
    start,
    end: start + text.length,
    page: block.page ?? null,
    family: isTable ? 'table' : kind === 'list-item' || kind === 'code' ? kind : null,
    isAtomic: isTable || kind === 'record' || kind === 'code',
    isLeading: (introduces || block.leads === true) && text.length <= MAX_LEADING_CHARACTERS,
  }
}

/** Characters from the start of the first unit to the end of the last. */
export function lengthOf(units: readonly Unit[]): number {
  return (units.at(-1)?.end ?? 0) - (units[0]?.start ?? 0)
}

/**
 * The headings that all units have in common; headings themselves count only where there is nothing
 * else.
 */
function pathOf(units: readonly Unit[]): readonly string[] {
  const contents = units.filter((unit) => unit.kind !== 'heading')
  if (contents.length === 0) return units.at(-1)?.path ?? []
  let common = contents[0]?.path ?? []
  for (const { path } of contents) {
    if (path === common) continue
    const differs = common.findIndex((heading, index) => path[index] !== heading)
    if (differs >= 0) common = common.slice(0, differs)
  }
  return common
}

/** The chunk that the units make out of the extracted text; `null` when they are white space. */
export function chunkOf(units: readonly Unit[], source: TextRun): Chunk | null {
  const first = units[0]
  const last = units.at(-1)
  if (first === undefined || last === undefined) return null
  const raw = source.slice(first.start, last.end)
  const trimmed = raw.trim()
  if (trimmed === '') return null
  const startOffset = first.start + raw.indexOf(trimmed)
  const pages = units.flatMap((unit) => (unit.page === null ? [] : [unit.page]))
  const path = pathOf(units)
  return {
    text: trimmed,
    startOffset,
    endOffset: startOffset + trimmed.length,
    page: pages[0] ?? null,
    pageEnd: pages.at(-1) ?? null,
    section: path.length > 0 ? path.join(' > ') : null,
    header: units.find((unit) => unit.header !== null && unit.header.start < first.start)?.header?.text ?? null,
  }
}

/** The part of a long text that is still needed, addressed by offsets into the whole. */
export type TextRun = {
  /** The number of characters ever appended. */
  length(): number
  append(text: string): void
  /** The text between two offsets, neither of which has been dropped. */
  slice(start: number, end: number): string
  /** Forgets what lies before an offset. */
  dropBefore(offset: number): void
}

/** Makes an empty run. */
export function createTextRun(): TextRun {
  let base = 0
  let text = ''
  return {
    length: () => base + text.length,
    append(more) {
      text += more
    },
    slice: (start, end) => text.slice(start - base, end - base),
    dropBefore(offset) {
      if (offset <= base) return
      text = text.slice(offset - base)
      base = offset
    },
  }
}
