import type { DateSystem } from '../number-format/serial-date.ts'
import type { OfficePackage } from '../package/office-package.ts'
import type { Relationship } from '../package/relationships.ts'
import { type Attributes, getAttribute, getPrefixed, isOn } from '../xml/xml-handler.ts'

/** A sheet of a workbook: of cells, or of one chart. */
export type Sheet = {
  name: string
  /** Empty where the file does not say. */
  part: string
  /** What the receipt says of it: `hidden sheet`; `null` for visible ones. */
  message: string | null
}

/** A workbook: its sheets in order, and how it counts days. */
export type Workbook = { sheets: Sheet[]; dateSystem: DateSystem }

const MAX_SHEETS = 10_000

/** Reads the main part of a workbook. */
export async function readWorkbook(pkg: OfficePackage, relationships: readonly Relationship[]): Promise<Workbook> {
  const parts = new Map(relationships.map(({ id, part }) => [id, part]))
  const workbook: Workbook = { sheets: [], dateSystem: '1900' }

  function addSheet(attributes: Attributes): void {
    if (workbook.sheets.length >= MAX_SHEETS) return
    const state = getAttribute(attributes, 'state')
    workbook.sheets.push({
      name: getAttribute(attributes, 'name') ?? '',
      part: parts.get(getPrefixed(attributes, 'id') ?? '') ?? '',
      message: state === 'hidden' || state === 'veryHidden' ? 'hidden sheet' : null,
    })
  }

  await pkg.feed(pkg.mainPart, {
    open(name, attributes) {
      if (name === 'sheet') addSheet(attributes)
      const counts1904 = name === 'workbookPr' && getAttribute(attributes, 'date1904') !== null
      if (counts1904 && isOn(attributes, 'date1904')) workbook.dateSystem = '1904'
      return false
    },
    close() {},
    text() {},
  })
  return workbook
}
