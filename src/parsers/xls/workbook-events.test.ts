import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { buildDocx, buildXlsx, sheetRows, wordParagraph } from '../../../test/support/build-office.ts'
import { buildSummary } from '../../../test/support/build-summary.ts'
import { buildWordFile } from '../../../test/support/build-word-file.ts'
import {
  buildXlsFile,
  buildXlsStream,
  shorts,
  type XlsParts,
  type XlsSheetParts,
  type XlsValue,
  xlsBegin,
  xlsComment,
  xlsDouble,
  xlsObject,
  xlsRecord,
  xlsSpecial,
  xlsString,
  xlsText,
} from '../../../test/support/build-xls-file.ts'
import { readOffice } from '../../../test/support/read-office.ts'
import { bufferBytes } from '../byte-source.ts'
import type { Block, PageReport, ParseEvent } from '../parse-event.ts'
import { readXlsBytes } from '../read-office.ts'

async function read(bytes: Buffer) {
  const events: ParseEvent[] = []
  for await (const event of readXlsBytes(bufferBytes(bytes))) events.push(event)
  const blocks: Block[] = events.flatMap((event) => ('block' in event ? [event.block] : []))
  const pages: PageReport[] = events.flatMap((event) => ('page' in event ? [event.page] : []))
  const lines = blocks.slice(1).map(({ kind, text }) => `${kind}: ${text.trimEnd()}`)
  return { events, blocks, pages, lines }
}

async function linesOf(sheet: Omit<XlsSheetParts, 'name'>, parts: Omit<XlsParts, 'sheets'> = {}): Promise<string[]> {
  return (await read(buildXlsFile({ ...parts, sheets: [{ name: 'Stock', ...sheet }] }))).lines
}

const TABLE: XlsValue[][] = [
  ['Stock of May'],
  ['Item', 'Crates', 'Price', 'Day', 'Open'],
  ['Quince', 12, 1234.5, 45352, true],
  ['Łódź', 7, -0.5, 45353.5, false],
  [],
  ['Plum\nand pear', 0.1, 3, 45354],
  [null, 2022, 2023],
]

test('a table gives the same blocks and reports as in an XLSX file', async () => {
  const styles = TABLE.map((row) => row.map((_, column) => [0, 0, 1, 2, 0][column] ?? 0))
  const formats = ['#,##0.00 "€";[Red]-#,##0.00 "€"', 'd-mmm-yy']
  const own = await read(buildXlsFile({ sheets: [{ name: 'Stock', rows: TABLE, styles }], formats }))
  const rows = TABLE.map((row) => row.map((value) => (typeof value === 'boolean' ? null : value)))
  const content = sheetRows(rows)
    .replaceAll(/<c r="(C|D)(\d+)"(?! t=)/g, (cell, column) => `${cell} s="${column === 'C' ? 1 : 2}"`)
    .replaceAll(
      /<row r="([34])">(.*?)<\/row>/g,
      (_, row, cells) => `<row r="${row}">${cells}<c r="E${row}" t="b"><v>${row === '3' ? 1 : 0}</v></c></row>`,
    )
  const other = await readOffice(buildXlsx([{ name: 'Stock', content }], { formats }))
  assert.deepEqual(own.blocks, other.blocks)
  assert.deepEqual(own.pages, other.pages)
  assert.ok(own.lines.includes('table-row: Quince | 12 | 1234.5 (1,234.50 €) | 2024-03-01 (1-Mar-24) | TRUE'))
})

test('sheets are pages in tab order; hidden sheets are marked, modules are no sheets', async () => {
  const { blocks, pages, events } = await read(
    buildXlsFile({
      sheets: [
        { name: 'Zulu', rows: [['one', 1]] },
        { name: 'Alpha', rows: [['two', 2]], state: 1 },
        { name: 'Module1', kind: 6 },
        { name: 'Beta', rows: [['three', 3]], state: 2, kind: 1 },
        { name: 'Nothing' },
      ],
    }),
  )
  assert.deepEqual(
    blocks.map(({ text, page, kind }) => [page, kind, text.trim()]),
    [
      [1, 'heading', 'Zulu'],
      [1, 'table-row', 'one | 1'],
      [2, 'heading', 'Alpha'],
      [2, 'table-row', 'two | 2'],
      [3, 'heading', 'Beta'],
      [3, 'table-row', 'three | 3'],
    ],
  )
  assert.deepEqual(
    pages.map(({ page, method, message }) => [page, method, message]),
    [
      [1, 'text', null],
      [2, 'text', 'hidden sheet'],
      [3, 'text', 'hidden sheet'],
      [4, 'empty', null],
    ],
  )
  assert.ok(events.some((event) => 'pageCount' in event && event.pageCount === 4))
})

test('every kind of cell yields its value', async () => {
  const formula = (column: number, value: Buffer) => xlsRecord(0x0006, [0, column, 0], value, [0, 0, 0, 0])
  const rk = (value: number) => Buffer.from(Int32Array.from([value]).buffer)
  const records = [
    xlsRecord(0x00fd, [0, 0, 0, 0, 0]),
    xlsRecord(0x0204, [0, 1, 0], xlsString('läbel €')),
    xlsRecord(0x00d6, [0, 2, 0], xlsString('rich'), [1, 0, 1]),
    xlsRecord(0x027e, [0, 3, 0], rk((123 << 2) | 2)),
    xlsRecord(0x00bd, [0, 4], [0], rk((12345 << 2) | 3), [1], rk((-5 << 2) | 2), [5]),
    xlsRecord(0x0205, [0, 6, 0], Buffer.from([0x2a, 1])),
    formula(7, xlsDouble(0.1 + 0.2)),
    formula(8, xlsSpecial(0)),
    xlsRecord(0x04bc, [0, 0, 0, 0]),
    xlsRecord(0x0207, xlsString('calculated')),
    formula(9, xlsSpecial(1, 1)),
    formula(10, xlsSpecial(2, 7)),
    formula(11, xlsSpecial(3)),
    xlsRecord(0x0201, [0, 12, 0]),
    formula(13, xlsDouble(4)),
  ]
  const strings = [{ text: 'shared', runs: 2, extensionBytes: 9 }]
  assert.deepEqual(await linesOf({ records }, { strings, formats: ['0.0'] }), [
    'table-row: shared | läbel € | rich | 123 | 123.45 | -5 (-5.0) | #N/A | 0.3 | calculated | TRUE | #DIV/0! |  |  | 4',
  ])
})

test('shared strings are read wherever a record ends', async () => {
  const strings = ['narrow text', 'wide Łódź 東京 😀', '', { text: 'with runs', runs: 3, extensionBytes: 21 }, 'end']
  const expected = ['table-row: narrow text | wide Łódź 東京 😀 |  | with runs | end']
  const records = strings.map((_, index) => xlsRecord(0x00fd, [0, index, 0, index, 0]))
  for (let maxRecordBytes = 11; maxRecordBytes < 90; maxRecordBytes += 1)
    assert.deepEqual(await linesOf({ records }, { strings, maxRecordBytes }), expected, `${maxRecordBytes} bytes`)
  assert.deepEqual(await linesOf({ records }, { strings, statedStrings: 0xfffffff0 }), expected)
})

test('built-in formats, East Asian dates and the 1904 epoch are those of XLSX', async () => {
  const rows = [[45352, 45352.5, 0.5, 1234.5]]
  const parts = { builtIn: [14, 27, 10, 4] }
  assert.deepEqual(await linesOf({ rows, styles: [[1, 2, 3, 4]] }, parts), [
    'table-row: 2024-03-01 (3/1/2024) | 2024-03-01 12:00:00 | 0.5 (50.00%) | 1234.5 (1,234.50)',
  ])
  const globals = [xlsRecord(0x0022, [1])]
  assert.deepEqual(await linesOf({ rows: [[0]], styles: [[1]] }, { formats: ['yyyy-mm-dd'], globals }), [
    'table-row: 1904-01-01',
  ])
})

test('merged cells and header rows of tables are read from behind the rows', async () => {
  const rows = [
    ['Region', 'Crates'],
    ['North', 1],
    [null, 2],
    ['South', 3],
  ]
  assert.deepEqual(await linesOf({ rows, records: [xlsRecord(0x00e5, [1, 1, 2, 0, 0])] }), [
    'table-header: Region | Crates',
    'table-row: North | 1',
    'table-row: North | 2',
    'table-row: South | 3',
  ])
  const table = xlsRecord(
    0x0872,
    [0x0872, 0, 1, 2, 0, 1, 5],
    Buffer.alloc(5),
    [1],
    Buffer.alloc(6),
    [1, 2, 0, 1],
    [0, 0, 1, 0, 1, 0],
  )
  const texts = [
    ['1', '2'],
    ['a', 'b'],
    ['c', 'd'],
  ]
  assert.deepEqual(
    (await linesOf({ rows: texts, records: [table] })).map((line) => line.split(':')[0]),
    ['table-row', 'table-header', 'table-row'],
  )
})

test('cells out of order are sorted, and the last value of a cell counts', async () => {
  const number = (row: number, column: number, value: number) => xlsRecord(0x0203, [row, column, 0], xlsDouble(value))
  const records = [number(1, 1, 4), number(1, 0, 3), number(0, 1, 9), number(0, 0, 1), number(0, 1, 2)]
  assert.deepEqual(await linesOf({ records }), ['table-row: 1 | 2', 'table-row: 3 | 4'])
})

test('text boxes, embedded files, comments and printed headers follow the rows', async () => {
  const picture = Buffer.concat([shorts([0x09, 14, 8, 5, 0, 0, 0]), shorts([0x1234, 0x00ab])])
  const records = [
    ...xlsComment(1, [0, 0], ['Ines', 'Check\nthis']),
    xlsObject(2, 6),
    ...xlsText('Drawn'),
    xlsObject(3, 8, picture),
    xlsObject(4, 8, picture),
    xlsRecord(0x0014, xlsString('&L&"Arial,Bold"&12Report &P')),
    xlsRecord(0x0015, xlsString('&CReport')),
  ]
  const inner = buildDocx(wordParagraph('Inside'))
  const file = buildXlsFile({ sheets: [{ name: 'S', rows: [['a', 1]], records }] }, { '/MBD00AB1234/Package': inner })
  assert.deepEqual(
    (await read(file)).blocks.map(({ text, page }) => [page, text.trim()]),
    [
      [1, 'S'],
      [1, 'a | 1'],
      [1, 'Drawn'],
      [1, 'Inside'],
      [1, 'Comment on A1 by Ines: Check\nthis'],
      [1, 'Report'],
    ],
  )
})

test('a workbook embedded in a Word file is read', async () => {
  const { default: CFB } = await import('cfb')
  const container = CFB.read(buildWordFile({ stories: { 0: 'outer\r' } }), { type: 'buffer' })
  const stream = buildXlsStream({ sheets: [{ name: 'Inner', rows: [['Plum', 3]] }] })
  CFB.utils.cfb_add(container, '/ObjectPool/_1/Workbook', stream)
  const { readDocBytes } = await import('../read-office.ts')
  const texts: string[] = []
  for await (const event of readDocBytes(bufferBytes(Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer))))
    if ('block' in event) texts.push(event.block.text.trim())
  assert.deepEqual(texts, ['outer', 'Inner', 'Plum | 3'])
})

/** A chart with a title, two series and stored data. */
function chartRecords(): Buffer[] {
  const begin = xlsRecord(0x1033)
  const end = xlsRecord(0x1034)
  const text = (words: string) => xlsRecord(0x100d, [0], xlsString(words, 1))
  const title = (words: string, link: number) => [
    xlsRecord(0x1025, Buffer.alloc(32)),
    begin,
    text(words),
    xlsRecord(0x1027, [link, 0, 0]),
    end,
  ]
  const series = (name: string) => [xlsRecord(0x1003, Buffer.alloc(12)), begin, text(name), end]
  const number = (row: number, column: number, value: number) => xlsRecord(0x0203, [row, column, 0], xlsDouble(value))
  return [
    ...series('Ships'),
    ...series('Tons'),
    ...title('Tonnage axis', 2),
    ...title('Harbour', 1),
    xlsRecord(0x1065, [1]),
    number(0, 0, 11),
    number(1, 0, 12),
    number(0, 1, 1100),
    number(1, 1, 1200),
    xlsRecord(0x1065, [2]),
    xlsRecord(0x0204, [0, 0, 0], xlsString('May')),
    xlsRecord(0x0204, [1, 0, 0], xlsString('June')),
  ]
}

const CHART_LINES = [
  'paragraph: Harbour\nTonnage axis',
  'table-header:  | Ships | Tons',
  'table-row: May | 11 | 1100',
  'table-row: June | 12 | 1200',
]

test('charts give their titles and stored data, in a sheet and as a sheet', async () => {
  const within = [xlsObject(1, 5), xlsBegin(0x20), ...chartRecords(), xlsRecord(0x000a)]
  const rows = [['a', 1]]
  assert.deepEqual(await linesOf({ rows, records: within }), ['table-row: a | 1', ...CHART_LINES])
  assert.deepEqual(await linesOf({ records: chartRecords(), kind: 2 }), CHART_LINES)
})

test('Excel 5 and 95 are read in their code page', async () => {
  const rows = [
    ['Склад', 'Ящики'],
    ['Слива', 3],
  ]
  const note = iconv.encode('Проверить', 'windows-1251')
  const records = [xlsRecord(0x001c, [1, 0, note.length], note)]
  assert.deepEqual(await linesOf({ rows, records }, { codePage: 1251 }), [
    'table-header: Склад | Ящики',
    'table-row: Слива | 3',
    'paragraph: Comment on A2: Проверить',
  ])
  assert.deepEqual(await linesOf({ rows: [['é', 1.5]], styles: [[0, 1]] }, { codePage: 10_000, formats: ['0.00'] }), [
    'table-row: é | 1.5 (1.50)',
  ])
})

test('a bare stream is read, also one of a single sheet', async () => {
  const whole = await read(buildXlsStream({ sheets: [{ name: 'S', rows: [['Plum', 3]] }] }))
  assert.deepEqual(
    whole.blocks.map(({ text }) => text.trim()),
    ['S', 'Plum | 3'],
  )
  const label = xlsRecord(0x0204, [0, 0, 0, 4], Buffer.from('Plum'))
  const one = Buffer.concat([xlsRecord(0x0809, [0, 0x10, 0, 0]), label, xlsRecord(0x000a)])
  assert.deepEqual(
    (await read(one)).blocks.map(({ text }) => text.trim()),
    ['Plum'],
  )
})

test('the data of an embedded chart, whose version is higher, is Unicode', async () => {
  const begin = xlsRecord(0x0809, [0x0680, 0x10, 0, 0, 0, 0, 0, 0])
  const data = Buffer.concat([begin, xlsRecord(0x0204, [0, 0, 0], xlsString('Łódź')), xlsRecord(0x000a)])
  assert.deepEqual(
    (await read(data)).blocks.map(({ text }) => text.trim()),
    ['Łódź'],
  )
})

test('the title is that of the properties', async () => {
  const summary = { '/\u0005SummaryInformation': buildSummary(Buffer.from('Harbour'), 1252) }
  const { events } = await read(buildXlsFile({ sheets: [{ name: 'S', rows: [['a']] }] }, summary))
  assert.deepEqual(events[0], { title: 'Harbour', over: 'headings' })
})

test('encrypted, older and empty workbooks are refused with the reason', async () => {
  const sheets = [{ name: 'S', rows: [['a']] }]
  const locked = buildXlsFile({ sheets, globals: [xlsRecord(0x002f, [1, 1, 1])] })
  await assert.rejects(read(locked), /password protected/)
  await assert.rejects(read(xlsRecord(0x0409, [0, 0x10, 0])), /Excel 4 and earlier are not supported/)
  await assert.rejects(read(buildXlsFile({ sheets: [{ name: 'S' }] })), /has no text/)
  await assert.rejects(read(buildXlsFile({ sheets: [] }, { '/Workbook': Buffer.alloc(600, 7) })), /header is missing/)
})

test('a missing sheet fails alone, a repeated one is reported, a truncated file is cut', async () => {
  const stream = buildXlsStream({
    sheets: [
      { name: 'A', rows: [['kept', 1]] },
      { name: 'B', rows: [['lost', 2]] },
    ],
  })
  const second = stream.lastIndexOf(xlsBegin(0x10))
  const { pages, lines, events } = await read(stream.subarray(0, second + 30))
  assert.deepEqual(lines, ['table-row: kept | 1'])
  assert.deepEqual(
    pages.map(({ method }) => method),
    ['text', 'empty'],
  )
  assert.ok('cut' in (events.at(-1) ?? {}))
  const missing = await read(stream.subarray(0, second))
  assert.deepEqual(
    missing.pages.map(({ method, message }) => [method, message]),
    [
      ['text', null],
      ['failed', 'The sheet "B" is missing.'],
    ],
  )
  const first = stream.indexOf(xlsBegin(0x10))
  const bound = stream.lastIndexOf(xlsRecord(0x0085).subarray(0, 2), first)
  const repeated = Buffer.from(stream)
  repeated.writeUInt32LE(first, bound + 4)
  assert.match((await read(repeated)).pages[1]?.message ?? '', /same part of the file as an earlier sheet/)
})

test('a sheet at a wrong offset or without an end is found', async () => {
  const stream = buildXlsStream({
    sheets: [
      { name: 'A', rows: [['one', 1]] },
      { name: 'B', rows: [['two', 2]] },
    ],
  })
  const first = stream.indexOf(xlsBegin(0x10))
  const second = stream.lastIndexOf(xlsBegin(0x10))
  const bound = stream.indexOf(Buffer.from([0x85, 0]))
  const moved = Buffer.from(stream)
  moved.writeUInt32LE(first + 2, bound + 4)
  const text = ['A', 'one | 1', 'B', 'two | 2']
  assert.deepEqual(
    (await read(moved)).blocks.map((block) => block.text.trim()),
    text,
  )
  const endless = Buffer.concat([stream.subarray(0, second - 4), stream.subarray(second)])
  assert.deepEqual(
    (await read(endless)).blocks.map((block) => block.text.trim()),
    text,
  )
})

test('long texts repeated in a thousand cells are refused', async () => {
  const records = Array.from({ length: 1500 }, (_, row) => xlsRecord(0x00fd, [row, 0, 0, 0, 0]))
  const file = buildXlsFile({ sheets: [{ name: 'S', records }], strings: ['long '.repeat(4000)] })
  await assert.rejects(read(file), /too large when unpacked: its cells repeat long texts/)
})
