import type { Block } from '../../parsers/parse-event.ts'
import type { Chunk } from './chunk.ts'
import type { Place } from './outline.ts'

/**
 * A run of text that is never split across chunks unless too long. Offsets refer to the extracted
 * text.
 */
export type Unit = Place & {
  kind: Block['kind']
  start: number
  end: number
  page: number | null
  /** Adjacent units of one family share a chunk while they fit. */
  family: string | null
  /** Split only between lines, and only if far too long. */
  isAtomic: boolean
  /** Introduces the next unit: never the end of a chunk. */
  isLeading: boolean
  /** True for sentences of the previous chunk. */
  isRepeated?: true
}

/** An introduction such as "The steps are:" stays with the next unit. */
const INTRODUCTION = /[:：]\s*$/
const MAX_LEADING_CHARACTERS = 300

/** Creates the unit of a block at offset `start`. */
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

/** Number of characters from the first unit to the last. */
export function lengthOf(units: readonly Unit[]): number {
  return (units.at(-1)?.end ?? 0) - (units[0]?.start ?? 0)
}

/** Headings common to all units. Heading units count only if there are no others. */
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

/** Creates the chunk of the units; `null` if they are white space. */
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
  /** Number of characters appended in total. */
  length(): number
  append(text: string): void
  /** Text between two offsets that are not dropped. */
  slice(start: number, end: number): string
  /** Drops the text before an offset. */
  dropBefore(offset: number): void
}

/** Creates an empty run. */
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
