import type { DateSystem } from '../number-format/format-date.ts'
import { createNumberFormat, type NumberFormat, readNumberFormat } from '../number-format/number-format.ts'
import type { OfficePackage } from '../package/office-package.ts'
import { getAttribute, getNumber } from '../package/read-xml.ts'

/** The number formats of a workbook's cells. */
export type CellFormats = {
  /** The format of a cell's style, the number in its `s`; `null` for numbers shown as they are. */
  get(style: number): NumberFormat | null
}

/** ECMA-376 part 1, section 18.8.30, as an English Excel shows them. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
}

/** Days and times that an East Asian Excel shows in the way of its own language, which the file does not tell. */
function isEastAsianDate(id: number): boolean {
  return (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
}

/** Styles a workbook may have; Excel allows 65,490. */
const MAX_STYLES = 70_000

/** Reads the styles of a workbook; plain ones when the part is absent. */
export async function readCellFormats(
  pkg: OfficePackage,
  part: string | null,
  system: DateSystem,
): Promise<CellFormats> {
  const codes = new Map<number, string>()
  const styles: number[] = []
  let isCellStyles = false
  if (part !== null) {
    await pkg.tryFeed(part, {
      open(name, attributes) {
        if (name === 'numFmt')
          codes.set(getNumber(attributes, 'numFmtId') ?? -1, getAttribute(attributes, 'formatCode') ?? '')
        else if (name === 'cellXfs') isCellStyles = true
        else if (name === 'xf' && isCellStyles && styles.length < MAX_STYLES)
          styles.push(getNumber(attributes, 'numFmtId') ?? 0)
        return name === 'dxfs' || name === 'extLst'
      },
      close(name) {
        if (name === 'cellXfs') isCellStyles = false
      },
      text() {},
    })
  }
  const known = new Map<number, NumberFormat | null>()

  function getFormat(id: number): NumberFormat | null {
    if (!codes.has(id) && isEastAsianDate(id)) {
      const { raw } = createNumberFormat('yyyy-mm-dd', system)
      return { raw, shown: raw }
    }
    return readNumberFormat(codes.get(id) ?? BUILT_IN[id] ?? '', system)
  }

  return {
    get(style) {
      const id = styles[style] ?? 0
      const format = known.get(id)
      if (format !== undefined) return format
      const read = getFormat(id)
      known.set(id, read)
      return read
    },
  }
}
