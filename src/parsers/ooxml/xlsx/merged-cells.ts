import type { OfficePackage, Relationship } from '../package/office-package.ts'
import { getAttribute, getIntAttribute } from '../package/read-xml.ts'
import { type CellReference, parseCellReference, type SheetCell, type SheetRow } from './sheet-handler.ts'

/** Repeats the text of a merged cell in each of its rows, so that every row makes sense alone. */
type MergedCellFiller = {
  /** Adds the texts merged from above. Rows must arrive in order. */
  fill(row: SheetRow): SheetRow
}

const MERGE_CELL = /<(?:\w+:)?mergeCell\s[^<>]*?\bref="([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})"/g
/** Longer than any matching element. */
const OVERLAP_CHARACTERS = 200
/** Limit on merged ranges per sheet. */
export const MAX_RANGES = 100_000
/** Limit on merged ranges per row; crafted files may have more. */
const MAX_RANGES_PER_ROW = 1_000
const MAX_REPEATED_CHARACTERS = 200

/**
 * Finds the ranges that span several rows, sorted by first row. The file lists ranges after the
 * rows, so the bytes are searched before the rows are parsed.
 */
export async function findMergedRanges(pieces: AsyncIterable<Buffer>): Promise<CellRange[]> {
  const ranges: CellRange[] = []
  let tail = ''
  for await (const piece of pieces) {
    const text = tail + piece.toString('latin1')
    let end = 0
    for (const match of text.includes('mergeCell') ? text.matchAll(MERGE_CELL) : []) {
      const range = parseCellRange(match[1] ?? '')
      if (range !== null && range.to.row > range.from.row && ranges.length < MAX_RANGES) ranges.push(range)
      end = match.index + match[0].length
    }
    tail = text.slice(Math.max(end, text.length - OVERLAP_CHARACTERS))
  }
  return ranges.sort((a, b) => a.from.row - b.from.row)
}

/** Creates the filler of a sheet. `ranges` must be sorted by first row. */
export function createMergedCellFiller(ranges: readonly CellRange[]): MergedCellFiller {
  let next = 0
  let active: { range: CellRange; text: string | null }[] = []

  function activateRanges(row: number): void {
    for (let range = ranges[next]; range !== undefined && range.from.row <= row; range = ranges[next]) {
      if (range.to.row >= row && active.length < MAX_RANGES_PER_ROW) active.push({ range, text: null })
      next += 1
    }
    active = active.filter(({ range }) => range.to.row >= row)
  }

  return {
    fill(row) {
      activateRanges(row.row)
      if (active.length === 0) return row
      const byColumn = new Map(row.cells.map((cell) => [cell.column, cell]))
      const added: SheetCell[] = []
      for (const merged of active) {
        const { column } = merged.range.from
        const own = byColumn.get(column)
        if (merged.range.from.row === row.row) merged.text = own?.text ?? null
        else if (own === undefined && merged.text !== null && merged.text.length <= MAX_REPEATED_CHARACTERS) {
          added.push({ column, text: merged.text, isText: true })
        }
      }
      if (added.length === 0) return row
      return { row: row.row, cells: [...row.cells, ...added].sort((a, b) => a.column - b.column) }
    },
  }
}

/** A rectangle of cells, including both corners. */
export type CellRange = { from: CellReference; to: CellReference }

/** Parses a range reference (`A1:C9`, or a single cell); `null` when malformed. */
function parseCellRange(reference: string): CellRange | null {
  const [first = '', last = first] = reference.split(':')
  const from = parseCellReference(first)
  const to = parseCellReference(last)
  return from === null || to === null ? null : { from, to }
}

/** Returns the header rows of the sheet's tables. */
export async function findHeaderRows(
  pkg: OfficePackage,
  relationships: readonly Relationship[],
): Promise<ReadonlySet<number>> {
  const rows = new Set<number>()
  for (const { type, part } of relationships) {
    if (type !== 'table' || part === null || !pkg.claimPart(part)) continue
    await pkg.parseOptional(part, {
      open(name, attributes) {
        const range = name === 'table' ? parseCellRange(getAttribute(attributes, 'ref') ?? '') : null
        if (range !== null && (getIntAttribute(attributes, 'headerRowCount') ?? 1) > 0) rows.add(range.from.row)
        return false
      },
      close() {},
      text() {},
    })
  }
  return rows
}
