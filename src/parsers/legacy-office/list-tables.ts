import type { List, ListLevel } from '../ooxml/docx/numbering.ts'
import { REGIONS, type Region, type WordHeader } from './word-header.ts'

const LIST_BYTES = 28
const LEVEL_BYTES = 28
const OVERRIDE_BYTES = 16
const MAX_LEVELS = 9
const MAX_LISTS = 4000

/**
 * ECMA-376 names of Word's number formats (MS-OSHARED 2.2.1.3). Other formats are read as decimal.
 */
const NUMBER_FORMATS: Readonly<Record<number, string>> = {
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  5: 'ordinal',
  22: 'decimalZero',
  23: 'bullet',
  255: 'none',
}

type ListDefinition = { id: number; levels: Map<number, ListLevel> }

/**
 * Reads the lists of a Word 97 file (MS-DOC 2.9.131 and 2.9.132), keyed by the list number in
 * paragraphs. Damaged lists are skipped, which loses only list numbers.
 */
export function readLists(header: WordHeader, tables: Buffer): ReadonlyMap<string, List> {
  const lists = new Map<string, List>()
  if (header.version !== 97) return lists
  try {
    const definitions = readListDefinitions(tables, header.getRegion(REGIONS.lists))
    readListOverrides(tables, header.getRegion(REGIONS.listOverrides), { definitions, lists })
  } catch (error) {
    // The lists end beyond the end of the tables.
    if (!(error instanceof RangeError)) throw error
  }
  return lists
}

function readListDefinitions(tables: Buffer, { offset: start, bytes }: Region): Map<number, ListDefinition> {
  const definitions = new Map<number, ListDefinition>()
  if (bytes < 2) return definitions
  const count = Math.min(tables.readUInt16LE(start), MAX_LISTS)
  let at = start + 2 + count * LIST_BYTES
  for (let index = 0; index < count; index += 1) {
    const list = start + 2 + index * LIST_BYTES
    const isSimple = (tables.readUInt8(list + 26) & 1) !== 0
    const definition: ListDefinition = { id: tables.readInt32LE(list), levels: new Map() }
    for (let number = 0; number < (isSimple ? 1 : MAX_LEVELS); number += 1) {
      const { level, end } = readLevel(tables, at)
      definition.levels.set(number, level)
      at = end
    }
    definitions.set(definition.id, definition)
  }
  return definitions
}

function readLevel(tables: Buffer, at: number): { level: ListLevel; end: number } {
  const flags = tables.readUInt8(at + 5)
  const textAt = at + LEVEL_BYTES + tables.readUInt8(at + 24) + tables.readUInt8(at + 25)
  const characters = tables.readUInt16LE(textAt)
  const end = textAt + 2 + characters * 2
  if (end > tables.length) throw new RangeError('the list ends beyond its table')
  const level: ListLevel = {
    start: tables.readInt32LE(at),
    format: NUMBER_FORMATS[tables.readUInt8(at + 4)] ?? 'decimal',
    text: toLevelPattern(tables.toString('utf16le', textAt + 2, end)),
    restartAfter: (flags & 0x08) === 0 ? null : tables.readUInt8(at + 26),
    isLegal: (flags & 0x04) !== 0,
    styleId: null,
  }
  return { level, end }
}

/** Characters 0 to 8 are placeholders for the numbers of the levels. */
function toLevelPattern(text: string): string {
  const pattern = [...text.slice(0, 100)].map((character) => {
    const code = character.charCodeAt(0)
    return code < MAX_LEVELS ? `%${code + 1}` : character
  })
  return pattern.join('')
}

function readListOverrides(
  tables: Buffer,
  region: Region,
  { definitions, lists }: { definitions: ReadonlyMap<number, ListDefinition>; lists: Map<string, List> },
): void {
  if (region.bytes < 4) return
  const count = Math.min(tables.readUInt32LE(region.offset), MAX_LISTS)
  let at = region.offset + 4 + count * OVERRIDE_BYTES
  for (let index = 0; index < count; index += 1) {
    const override = region.offset + 4 + index * OVERRIDE_BYTES
    const definition = definitions.get(tables.readInt32LE(override))
    const starts = new Map<number, number>()
    const levels = new Map(definition?.levels)
    // Registered before its overrides are read, so that damaged overrides do not lose the list.
    if (definition !== undefined) lists.set(String(index + 1), { definitionId: String(definition.id), levels, starts })
    at = readLevelOverrides(tables, at + 4, { count: tables.readUInt8(override + 12), levels, starts })
  }
}

function readLevelOverrides(
  tables: Buffer,
  start: number,
  { count, levels, starts }: { count: number; levels: Map<number, ListLevel>; starts: Map<number, number> },
): number {
  let at = start
  for (let index = 0; index < count; index += 1) {
    const flags = tables.readUInt32LE(at + 4)
    const number = flags & 0xf
    if ((flags & 0x30) === 0x10) starts.set(number, tables.readInt32LE(at))
    at += 8
    if ((flags & 0x20) === 0) continue
    const { level, end } = readLevel(tables, at)
    levels.set(number, level)
    if ((flags & 0x10) !== 0) starts.set(number, level.start)
    at = end
  }
  return at
}
