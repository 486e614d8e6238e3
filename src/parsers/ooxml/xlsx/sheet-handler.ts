import { type NumberFormat, plainNumber } from '../number-format/number-format.ts'
import { type Attributes, getIntAttribute, type XmlHandler } from '../package/read-xml.ts'
import type { CellFormats, CellStrings } from './cell-formats.ts'
import { unescapeText } from './cell-formats.ts'

/** A non-empty cell. `isText` is false for numbers, dates and booleans. */
export type SheetCell = { column: number; text: string; isText: boolean }

/** A row with at least one non-empty cell. */
export type SheetRow = { row: number; cells: SheetCell[] }

/** Lookup tables of a sheet, and the receivers of its rows. */
type SheetContext = {
  strings: CellStrings
  formats: CellFormats
  onRow(row: SheetRow): void
  /** Receives a printed header or footer, with its formatting codes. */
  onHeaderFooter(text: string): void
}

/** The open cell. `value` is `null` when the file stores no value; an empty text is a value. */
type OpenCell = { type: string; style: number; value: string | null; formula: string; inline: string }

const HEADER_FOOTER_ELEMENT = /^(odd|even|first)(Header|Footer)$/

/** Parses the rows of a sheet. (ECMA-376 part 1, section 18.3.1.) */
export function createSheetHandler(context: SheetContext): XmlHandler {
  let row = 0
  let column = 0
  let cells: SheetCell[] = []
  let cell: OpenCell | null = null
  let within = ''
  let margin = ''

  function openCell(attributes: Attributes): void {
    const place = parseCellReference(attributes['r'] ?? '')
    column = place?.column ?? column + 1
    cell = {
      type: attributes['t'] ?? 'n',
      style: getIntAttribute(attributes, 's') ?? 0,
      value: null,
      formula: '',
      inline: '',
    }
  }

  function closeCell(): void {
    if (cell === null) return
    const shown = formatCell(cell, context)
    if (shown.text !== '') cells.push({ column, ...shown })
    cell = null
  }

  function closeRow(): void {
    if (cells.length > 0) context.onRow({ row, cells })
    cells = []
  }

  return {
    open(name, attributes) {
      if (name === 'row') {
        row = getIntAttribute(attributes, 'r') ?? row + 1
        column = 0
      } else if (name === 'c') openCell(attributes)
      else if (name === 'v' && cell !== null) cell.value ??= ''
      within = name
      margin = ''
      return name === 'rPh' || name === 'extLst' || name === 'conditionalFormatting' || name === 'dataValidations'
    },
    close(name) {
      if (name === 'c') closeCell()
      else if (name === 'row') closeRow()
      else if (HEADER_FOOTER_ELEMENT.test(name)) context.onHeaderFooter(margin)
      within = ''
    },
    text(text) {
      if (cell === null) {
        if (HEADER_FOOTER_ELEMENT.test(within)) margin += text
      } else if (within === 'v') cell.value = (cell.value ?? '') + text
      else if (within === 't') cell.inline += text
      else if (within === 'f') cell.formula += text
    },
  }
}

type CellDisplay = Omit<SheetCell, 'column'>

function formatCell(cell: OpenCell, { strings, formats }: SheetContext): CellDisplay {
  const { type, style, value, formula, inline } = cell
  const trimmed = value?.trim() ?? ''
  // Programs that do not calculate store formulas without values; the formula is then shown
  // instead.
  const isCalculated = type === 'str' ? value !== null : `${trimmed}${inline}` !== ''
  if (!isCalculated && formula !== '') return { text: `=${formula.trim()}`, isText: false }
  switch (type) {
    case 's':
      return { text: trimmed === '' ? '' : removeBlankLines(strings.get(Number(trimmed))), isText: true }
    case 'inlineStr':
      return { text: removeBlankLines(unescapeText(inline)), isText: true }
    case 'str':
      return { text: removeBlankLines(unescapeText(value ?? '')), isText: true }
    case 'b':
      return { text: trimmed === '' ? '' : trimmed === '0' || trimmed === 'false' ? 'FALSE' : 'TRUE', isText: false }
    case 'd':
      return { text: trimmed.replace('T', ' '), isText: false }
    case 'e':
      return { text: trimmed, isText: false }
    default:
      if (trimmed === '') return { text: removeBlankLines(inline), isText: false }
      return { text: formatCellNumber(trimmed, style, formats), isText: false }
  }
}

function formatCellNumber(value: string, style: number, formats: CellFormats): string {
  const number = Number(value)
  return Number.isFinite(number) ? formatNumber(number, formats.get(style)) : value
}

/** Returns a number as stored, followed by its display in parentheses if that differs. */
export function formatNumber(number: number, format: NumberFormat | null): string {
  if (format === null) return plainNumber(number)
  const raw = format.raw(number)
  const shown = format.formatted(number)
  return raw === shown ? raw : `${raw} (${shown})`
}

/** Removes blank lines: a cell is part of a table row. */
export function removeBlankLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join('\n')
}

/** Row and column of a cell, from 1. */
export type CellReference = { row: number; column: number }

/** Parses a cell reference (`B12`, `$B$12`); `null` when malformed. */
export function parseCellReference(reference: string): CellReference | null {
  const [, letters, digits] = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? []
  if (letters === undefined || digits === undefined) return null
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return { row: Number(digits), column }
}

/** Writes a cell reference: `B12`. */
export function formatCellReference({ row, column }: CellReference): string {
  let letters = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return `${letters}${row}`
}
