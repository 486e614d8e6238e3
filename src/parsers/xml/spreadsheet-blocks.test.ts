import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildXlsx, sheetRows } from '../../../test/support/build-office.ts'
import { readOffice } from '../../../test/support/read-office.ts'
import type { ParseEvent } from '../parse-event.ts'
import { readText } from '../text/read-text.ts'
import { createXmlReader } from './xml-reader.ts'

const SPREADSHEET = 'urn:schemas-microsoft-com:office:spreadsheet'

/** An XML spreadsheet; elements have no prefix and attributes the prefix `ss`. */
function workbook(sheets: string, head = ''): string {
  return `<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="${SPREADSHEET}" xmlns:ss="${SPREADSHEET}">${head}${sheets}</Workbook>`
}

function sheet(rows: string, options = '', name = 'Stock'): string {
  return `<Worksheet ss:Name="${name}"><Table>${rows}</Table><WorksheetOptions>${options}</WorksheetOptions></Worksheet>`
}

const data = (type: string, value: string | number) => `<Data ss:Type="${type}">${value}</Data>`
const cell = (value: string | number, attributes = '') =>
  `<Cell ${attributes}>${data(typeof value === 'number' ? 'Number' : 'String', value)}</Cell>`
const row = (cells: string, attributes = '') => `<Row ${attributes}>${cells}</Row>`

function read(text: string) {
  const events: ParseEvent[] = [...readText(createXmlReader, text)]
  const blocks = events.flatMap((event) => ('block' in event ? [event.block] : []))
  const pages = events.flatMap((event) => ('page' in event ? [event.page] : []))
  return { events, blocks, pages, lines: blocks.map(({ kind, text: words }) => `${kind}: ${words.trimEnd()}`) }
}

test('a table gives the same blocks and reports as in an XLSX file', async () => {
  const values = [['Stock of May'], ['Item', 'Crates'], ['Quince', 12], ['Łódź', 0.5], [], ['Plum', 'x']]
  const rows = values.map((cells) => row(cells.map((value) => cell(value)).join(''))).join('')
  const own = read(workbook(sheet(rows)))
  const other = await readOffice(buildXlsx([{ name: 'Stock', content: sheetRows(values) }]))
  assert.deepEqual(own.blocks, other.blocks)
  assert.deepEqual(own.pages, other.pages)
})

test('cells and rows keep their places, merged cells are repeated below', () => {
  const rows = [
    row(cell('Region') + cell('Ships', 'ss:MergeAcross="1"') + cell('Tons')),
    row(cell('North', 'ss:MergeDown="1"') + cell(1, 'ss:Index="4"')),
    row(cell(2, 'ss:Index="4"')),
    row(cell('South') + cell(3, 'ss:Index="4"'), 'ss:Index="6"'),
  ]
  assert.deepEqual(read(workbook(sheet(rows.join('')))).lines, [
    'heading: Stock',
    'table-header: Region | Ships |  | Tons',
    'table-row: North |  |  | 1',
    'table-row: North |  |  | 2',
    'table-row: South |  |  | 3',
  ])
})

test('values are shown as stored and as displayed', () => {
  const format = (id: string, code: string) => `<Style ss:ID="${id}"><NumberFormat ss:Format="${code}"/></Style>`
  const styles = `<Styles>${format('a', '#,##0.00')}${format('b', 'Short Date')}${format('c', 'Percent')}<Style ss:ID="d" ss:Parent="c"/></Styles>`
  const date = (value: string, style: string) => `<Cell ss:StyleID="${style}">${data('DateTime', value)}</Cell>`
  const cells = [
    cell(1234.5, 'ss:StyleID="a"'),
    date('2024-03-01T00:00:00.000', 'b'),
    date('2024-03-01T12:30:00.000', 'none'),
    cell(0.5, 'ss:StyleID="d"'),
    `<Cell>${data('Boolean', 1)}</Cell>`,
    `<Cell>${data('Error', '#N/A')}</Cell>`,
    '<Cell ss:Formula="=SUM(R[-2]C:R[-1]C)"/>',
    `<Cell ss:Formula="=R1C1"><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40"><B>bo</B>ld</ss:Data></Cell>`,
  ]
  assert.deepEqual(read(workbook(sheet(row(cells.join(''))), styles)).lines.slice(1), [
    'table-row: 1234.5 (1,234.50) | 2024-03-01 (3/1/2024) | 2024-03-01 12:30:00 | 0.5 (50.00%) | TRUE | #N/A | =SUM(R[-2]C:R[-1]C) | bold',
  ])
  const old = '<ExcelWorkbook><Date1904/></ExcelWorkbook>'
  assert.deepEqual(read(workbook(sheet(row(date('1904-01-01T00:00:00.000', ''))), old)).lines.slice(1), [
    'table-row: 1904-01-01',
  ])
})

test('comments and printed headers follow the rows; hidden sheets and the title are known', () => {
  const comment = `<Cell>${data('String', 'a')}<Comment ss:Author="Ines"><ss:Data>Check</ss:Data></Comment></Cell>`
  const options = '<PageSetup><Header ss:Data="&amp;LReport &amp;P"/></PageSetup><Visible>SheetHidden</Visible>'
  const properties = '<DocumentProperties><Title>Harbour</Title><Author>Ann</Author></DocumentProperties>'
  const { events, blocks, pages } = read(
    workbook(sheet(row(comment + cell(1)), options) + sheet('', '', 'Nothing'), properties),
  )
  assert.deepEqual(events[0], { title: 'Harbour', over: 'headings' })
  assert.deepEqual(
    blocks.map(({ text }) => text.trim()),
    ['Stock', 'a | 1', 'Comment on A1 by Ines: Check', 'Report'],
  )
  assert.deepEqual(
    pages.map(({ page, method, message }) => [page, method, message]),
    [
      [1, 'text', 'hidden sheet'],
      [2, 'empty', null],
    ],
  )
})

test('prefixed elements are read; far places and empty workbooks end well', () => {
  const prefixed = `<ss:Workbook xmlns:ss="${SPREADSHEET}"><ss:Worksheet ss:Name="S"><ss:Table><ss:Row ss:Index="9e15"><ss:Cell ss:Index="99999999999"><ss:Data ss:Type="Number">1</ss:Data></ss:Cell></ss:Row></ss:Table></ss:Worksheet></ss:Workbook>`
  assert.deepEqual(read(prefixed).lines, ['heading: S', 'table-row: 1'])
  assert.throws(() => read(workbook(sheet(''))), /has no text/)
})
