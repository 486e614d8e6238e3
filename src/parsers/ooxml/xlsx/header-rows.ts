import type { OfficePackage } from '../package/office-package.ts'
import type { Relationship } from '../package/relationships.ts'
import { getAttribute, getNumber } from '../xml/xml-handler.ts'
import { parseCellRange } from './cell-place.ts'

/** The rows that are headers of the sheet's tables, where it has tables that say so. */
export async function findHeaderRows(
  pkg: OfficePackage,
  relationships: readonly Relationship[],
): Promise<ReadonlySet<number>> {
  const rows = new Set<number>()
  for (const { type, part } of relationships) {
    if (type !== 'table' || part === null || !pkg.takeOnce(part)) continue
    await pkg.tryFeed(part, {
      open(name, attributes) {
        const range = name === 'table' ? parseCellRange(getAttribute(attributes, 'ref') ?? '') : null
        if (range !== null && (getNumber(attributes, 'headerRowCount') ?? 1) > 0) rows.add(range.from.row)
        return false
      },
      close() {},
      text() {},
    })
  }
  return rows
}
