import { tooLargeUnpacked } from '../../parse-event.ts'
import type { DateSystem } from '../number-format/format-date.ts'
import { createNumberFormat, type NumberFormat, readNumberFormat } from '../number-format/number-format.ts'
import type { OfficePackage } from '../package/office-package.ts'
import { getAttribute, getIntAttribute } from '../package/read-xml.ts'

/** Number formats of the cells of a workbook. */
export type CellFormats = {
  /** Returns the format of a cell style (attribute `s`); `null` for numbers displayed unchanged. */
  get(style: number): NumberFormat | null
}

/** ECMA-376 part 1, section 18.8.30, as displayed by an English Excel. */
const BUILT_IN_FORMATS: Readonly<Record<number, string>> = {
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

/**
 * Date and time formats of East Asian Excel versions. Their display depends on a language that the
 * file does not name.
 */
function isEastAsianDate(id: number): boolean {
  return (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
}

/** Excel allows 65,490 styles. */
const MAX_STYLES = 70_000

/** Reads the cell formats of a workbook; all plain when the part is absent. */
export async function readCellFormats(
  pkg: OfficePackage,
  part: string | null,
  system: DateSystem,
): Promise<CellFormats> {
  const codes = new Map<number, string>()
  const styles: number[] = []
  let isCellStyles = false
  if (part !== null) {
    await pkg.parseOptional(part, {
      open(name, attributes) {
        if (name === 'numFmt')
          codes.set(getIntAttribute(attributes, 'numFmtId') ?? -1, getAttribute(attributes, 'formatCode') ?? '')
        else if (name === 'cellXfs') isCellStyles = true
        else if (name === 'xf' && isCellStyles && styles.length < MAX_STYLES)
          styles.push(getIntAttribute(attributes, 'numFmtId') ?? 0)
        return name === 'dxfs' || name === 'extLst'
      },
      close(name) {
        if (name === 'cellXfs') isCellStyles = false
      },
      text() {},
    })
  }
  return createCellFormats({ codes, styles, system })
}

/** Format codes of a workbook by number, and the number of each style. */
type FormatTables = { codes: ReadonlyMap<number, string>; styles: readonly number[]; system: DateSystem }

/** Creates the cell formats of a workbook. */
export function createCellFormats({ codes, styles, system }: FormatTables): CellFormats {
  const known = new Map<number, NumberFormat | null>()

  function getFormat(id: number): NumberFormat | null {
    if (!codes.has(id) && isEastAsianDate(id)) {
      const { raw } = createNumberFormat('yyyy-mm-dd', system)
      return { raw, formatted: raw }
    }
    return readNumberFormat(codes.get(id) ?? BUILT_IN_FORMATS[id] ?? '', system)
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

/** Shared strings of a workbook, by index. */
export type CellStrings = {
  /**
   * Returns a string; empty for an unknown index. Throws `unprocessable_document` when long strings
   * are repeated excessively.
   */
  get(index: number): string
}

/** Stored as UTF-8 in a single buffer: half the size of strings. */
const MAX_STRING_BYTES = 256 * 1024 * 1024
/** A small file can expand to gigabytes by repeating a long string in a thousand cells. */
const MIN_LONG_CHARACTERS = 1_000
const MAX_REPEATED_CHARACTERS = 20_000_000

/** Reads the shared strings; empty when the part is absent. */
export async function readCellStrings(pkg: OfficePackage, part: string | null): Promise<CellStrings> {
  const strings = createStringTable()
  let text = ''
  let isText = false
  if (part !== null) {
    await pkg.parse(part, {
      open(name) {
        if (name === 'si') text = ''
        isText = name === 't'
        return name === 'rPh' || name === 'rPr'
      },
      close(name) {
        isText = false
        if (name === 'si') strings.add(text)
      },
      text(piece) {
        if (isText) text += piece
      },
    })
  }
  return { get: (index) => unescapeText(strings.get(index)) }
}

/** Creates an empty table of shared strings. `add` throws `unprocessable_document` over 256 MB. */
export function createStringTable(): CellStrings & { add(text: string): void } {
  const starts: number[] = [0]
  let bytes = Buffer.alloc(64 * 1024)
  let repeated = 0
  const used = new Set<number>()
  return {
    add(text) {
      const start = starts.at(-1) ?? 0
      const needed = start + Buffer.byteLength(text)
      if (needed > MAX_STRING_BYTES) throw tooLargeUnpacked('its strings take more than 256 MB')
      if (needed > bytes.length) bytes = Buffer.concat([bytes.subarray(0, start)], Math.max(needed, bytes.length * 2))
      starts.push(start + bytes.write(text, start))
    },
    get(index) {
      const start = starts[index]
      const end = starts[index + 1]
      if (start === undefined || end === undefined) return ''
      const value = bytes.toString('utf8', start, end)
      if (value.length <= MIN_LONG_CHARACTERS) return value
      if (used.has(index)) repeated += value.length
      used.add(index)
      if (repeated > MAX_REPEATED_CHARACTERS) throw tooLargeUnpacked('its cells repeat long texts too often')
      return value
    },
  }
}

/** Replaces escapes such as `_x000D_` (ECMA-376 part 1, section 22.9.2.19). */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    return character === '\r' || character === '\0' ? '' : character
  })
}
