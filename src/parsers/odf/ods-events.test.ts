import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildFlatOdf,
  buildOdf,
  type OdfParts,
  odfCell,
  odfParagraph,
  odfShape,
  odfTable,
  odfXml,
} from '../../../test/support/build-odf.ts'
import { linesOf, type ReadOffice, readOdf } from '../../../test/support/read-office.ts'

const read = (body: string, parts?: OdfParts): Promise<ReadOffice> => readOdf(buildOdf('spreadsheet', body, parts))
const text = (value: string, more = '') => odfCell('string', value, value, more)
const empty = (count: number) => `<table:table-cell table:number-columns-repeated="${count}"/>`
const row = (cells: string, more = '') => `<table:table-row ${more}>${cells}</table:table-row>`
const sheet = (name: string, content: string, style = '') =>
  `<table:table table:name="${name}" table:style-name="${style}"><table:table-column/>${content}</table:table>`
const rowsOf = async (rows: string) => linesOf(await read(sheet('S', rows))).slice(1)

test('sheets are pages with their names as headings, and hidden sheets say so', async () => {
  const automatic = `<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style>
    <style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>`
  const body =
    sheet('Prices', row(text('Item') + text('Price')) + row(text('Oil') + odfCell('float', '4', '4')), 'ta1') +
    sheet('Secret', row(text('x')), 'ta2') +
    sheet('Empty', row(empty(1024), 'table:number-rows-repeated="1048576"'))
  const { blocks, pages, pageCount, titles } = await read(body, { automatic })
  assert.deepEqual(
    blocks.map(({ kind, text: words, page }) => [kind, words.trim(), page]),
    [
      ['heading', 'Prices', 1],
      ['table-header', 'Item | Price', 1],
      ['table-row', 'Oil | 4', 1],
      ['heading', 'Secret', 2],
      ['paragraph', 'x', 2],
    ],
  )
  assert.deepEqual(
    pages.map(({ page, method, message }) => [page, method, message]),
    [
      [1, 'text', null],
      [2, 'text', 'hidden sheet'],
      [3, 'empty', null],
    ],
  )
  assert.deepEqual([pageCount, titles], [3, [null]])
})

test('cells show their value and what the sheet displays, if that differs', async () => {
  const cells: readonly (readonly [cell: string, expected: string])[] = [
    [odfCell('float', '1234.5', '1,234.50'), '1234.5 (1,234.50)'],
    [odfCell('float', '7', '7'), '7'],
    [odfCell('percentage', '0.125', '12.5%'), '0.125 (12.5%)'],
    [odfCell('currency', '18', '€18.00', 'office:currency="EUR"'), '18 (€18.00)'],
    [odfCell('date', '2031-03-04', '04.03.31'), '2031-03-04 (04.03.31)'],
    [odfCell('date', '2031-03-04T10:30:00', '2031-03-04 10:30:00'), '2031-03-04 10:30:00'],
    [odfCell('time', 'PT27H05M00S', '27:05:00'), '27:05:00'],
    [odfCell('boolean', 'true', 'WAHR'), 'TRUE'],
    [odfCell('float', '0.30000000000000004', ''), '0.3'],
    [odfCell('float', 'nonsense', 'shown'), 'shown'],
    ['<table:table-cell table:formula="of:=SUM([.B2:.B9];[$Other.A1])"/>', '=SUM(B2:B9;$Other.A1)'],
    [
      `<table:table-cell office:value-type="string"><text:p>two</text:p><text:p>lines<text:s/><text:span>here</text:span></text:p></table:table-cell>`,
      'two lines here',
    ],
  ]
  const rows = cells.map(([cell], index) => row(text(`c${index}`) + cell)).join('')
  assert.deepEqual(
    await rowsOf(rows),
    cells.map(([, expected], index) => `table-row: c${index} | ${expected}`),
  )
})

test('repeated cells and rows are read as often as they are shown, empty ones cost nothing', async () => {
  const rows =
    row(text('Day') + text('Ship') + text('Tons')) +
    row(
      text('Mon') + odfCell('float', '0', '0', 'table:number-columns-repeated="2"') + empty(16_000),
      'table:number-rows-repeated="3"',
    ) +
    row(empty(16_384), 'table:number-rows-repeated="1048000"') +
    row(empty(2) + text('far') + text('end'))
  assert.deepEqual(await rowsOf(rows), [
    ...[
      'table-header: Day | Ship | Tons',
      'table-row: Mon | 0 | 0',
      'table-row: Mon | 0 | 0',
      'table-row: Mon | 0 | 0',
    ],
    'table-row: far | end',
  ])
})

test('a few bytes that repeat to gigabytes are refused', async () => {
  const bomb = row(
    text('x'.repeat(1_000), 'table:number-columns-repeated="16384"'),
    'table:number-rows-repeated="1048576"',
  )
  await assert.rejects(rowsOf(bomb), { message: /too large when unpacked: it repeats cells too often/ })
  await assert.rejects(rowsOf(row(text('x', 'table:number-columns-repeated="999999999"'))), /repeats cells too often/)
})

test('cells merged over rows are repeated, covered text is not shown', async () => {
  const rows =
    row(text('Port') + text('Ship') + text('Tons')) +
    row(text('Hull', 'table:number-rows-spanned="2"') + text('Ann') + odfCell('float', '3', '3')) +
    row(
      `<table:covered-table-cell>${odfParagraph('under')}</table:covered-table-cell>${text('Bea')}${odfCell('float', '4', '4')}`,
    )
  assert.deepEqual((await rowsOf(rows)).slice(1), ['table-row: Hull | Ann | 3', 'table-row: Hull | Bea | 4'])
})

test('rows repeated on every printed page are headers', async () => {
  const rows = `<table:table-header-rows>${row(text('2031') + text('42'))}</table:table-header-rows>${row(text('a') + text('b'))}`
  assert.deepEqual(await rowsOf(rows), ['table-header: 2031 | 42', 'table-row: a | b'])
})

test('comments, shapes and charts follow the rows', async () => {
  const comment = `<office:annotation><dc:creator>Ann</dc:creator>${odfParagraph('Check this')}</office:annotation>`
  const chart = odfXml(
    'document-content',
    `<office:body><office:chart>${odfTable([['May', '7']])}</office:chart></office:body>`,
  )
  const drawing = `<table:shapes>${odfShape(odfParagraph('Floating'))}<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></table:shapes>`
  const anchored = `<table:table-cell office:value-type="string">${odfParagraph('c')}${odfShape(odfParagraph('Boxed'))}</table:table-cell>`
  const body = sheet(
    'S',
    drawing + row(text('a') + text('b')) + row(text('x').replace('<text:p', `${comment}<text:p`) + anchored),
  )
  assert.deepEqual(linesOf(await read(body, { files: { 'Object 1/content.xml': chart } })).slice(2), [
    ...['table-row: x | c', 'paragraph: Floating', 'table-row: May | 7', 'paragraph: Comment on A2 by Ann: Check this'],
    'paragraph: Boxed',
  ])
})

test('printed headers and footers come once, those with only a name and a number not at all', async () => {
  const masters = `<style:master-page style:name="m"><style:header><text:p><text:sheet-name>???</text:sheet-name></text:p></style:header>
    <style:footer><text:p>Page <text:page-number>1</text:page-number></text:p><text:p>Strictly confidential</text:p></style:footer></style:master-page>`
  const body = sheet('A', row(text('a'))) + sheet('B', row(text('b')))
  const { blocks } = await read(body, { masters })
  assert.deepEqual(
    blocks.slice(-2).map(({ text: words, page }) => [words.trim(), page]),
    [
      ['b', 2],
      ['Strictly confidential', 2],
    ],
  )
})

test('a flat file is read like an archive, except that its sheets are not counted before', async () => {
  const body = sheet('S', row(text('a') + odfCell('float', '0.5', '50%')))
  const whole = await read(body, { title: 'Stock' })
  const flat = await readOdf(buildFlatOdf('spreadsheet', body, { title: 'Stock' }))
  assert.deepEqual(flat, { ...whole, pageCount: null })
})

test('linked tables, deleted cells and messages of checks are not rows', async () => {
  const body = `<table:content-validations><table:content-validation><table:help-message>${odfParagraph('help')}</table:help-message></table:content-validation></table:content-validations>
    <table:tracked-changes><table:cell-content-change><table:change-track-table-cell>${odfParagraph('old')}</table:change-track-table-cell></table:cell-content-change></table:tracked-changes>
    ${sheet('S', row(text('new')))}<table:dde-links><table:dde-link>${odfTable([['linked']])}</table:dde-link></table:dde-links>`
  const { pageCount, pages, text: words } = await read(body)
  assert.deepEqual([pageCount, pages.length, words], [1, 1, 'S\n\nnew\n'])
})
