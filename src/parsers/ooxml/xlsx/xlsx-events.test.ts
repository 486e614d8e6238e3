import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BuiltSheet,
  buildDocx,
  buildXlsx,
  sheetRows,
  wordParagraph,
  xml,
} from '../../../../test/support/build-office.ts'
import { readOffice } from '../../../../test/support/read-office.ts'
import { stripHeaderCodes } from './sheet-page.ts'

async function linesOf(content: string, ...rest: [Parameters<typeof buildXlsx>[1]?, Parameters<typeof buildXlsx>[2]?]) {
  const { blocks } = await readOffice(buildXlsx([{ name: 'Stock', content }], ...rest))
  return blocks.slice(1).map(({ kind, text }) => `${kind}: ${text.trimEnd()}`)
}

test('sheets are pages in tab order; hidden sheets are marked, empty sheets are empty', async () => {
  const sheets: BuiltSheet[] = [
    { name: 'Zulu', content: sheetRows([['one', 1]]) },
    { name: 'Alpha', content: sheetRows([['two', 2]]), attributes: 'state="hidden"' },
    { name: 'Nothing', content: sheetRows([]) },
  ]
  const { blocks, pages } = await readOffice(buildXlsx(sheets))
  assert.deepEqual(
    blocks.map(({ text, page, kind }) => [page, kind, text.trim()]),
    [
      [1, 'heading', 'Zulu'],
      [1, 'table-row', 'one | 1'],
      [2, 'heading', 'Alpha'],
      [2, 'table-row', 'two | 2'],
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
})

test('a table header is distinguished from lines above and from rows of values', async () => {
  const rows = [
    ['Stock of May'],
    ['Item', 'Crates'],
    ['Quince', 12],
    ['Medlar', null],
    [],
    ['Plum', 'Pear'],
    ['x', 'y'],
  ]
  assert.deepEqual(await linesOf(sheetRows(rows)), [
    'paragraph: Stock of May',
    'table-header: Item | Crates',
    'table-row: Quince | 12',
    'table-row: Medlar',
    'table-row: Plum | Pear',
    'table-row: x | y',
  ])
})

test('a header of two rows, the upper naming column groups, is detected in full', async () => {
  const rows = [
    ['Region', '2023', null, '2024'],
    [null, 'Ships', 'Tons', 'Ships', 'Tons'],
    ['North', 11, 1100, 12, 1200],
  ]
  const lines = [
    'table-header: Region | 2023 |  | 2024',
    'table-header:  | Ships | Tons | Ships | Tons',
    'table-row: North | 11 | 1100 | 12 | 1200',
  ]
  assert.deepEqual(await linesOf(sheetRows(rows)), lines)
  const years = [['Region', 2023, null, 2024], ...rows.slice(1)]
  assert.deepEqual(await linesOf(sheetRows(years)), lines)
  const merged = sheetRows(rows).replace(
    '</sheetData>',
    '</sheetData><mergeCells><mergeCell ref="A1:A2"/></mergeCells>',
  )
  assert.deepEqual(await linesOf(merged), [lines[0], 'table-header: Region | Ships | Tons | Ships | Tons', lines[2]])
})

test('a row of a name and a year above the column names is not part of the header', async () => {
  const rows = [
    ['Report', '2024'],
    ['Name', 'Age', 'City'],
    ['Ann', 30, 'Rome'],
  ]
  assert.deepEqual(await linesOf(sheetRows(rows)), [
    'table-row: Report | 2024',
    'table-header: Name | Age | City',
    'table-row: Ann | 30 | Rome',
  ])
  assert.equal(
    (
      await linesOf(
        sheetRows([
          ['Ann', '2024'],
          ['Bo', 5],
        ]),
      )
    )[0],
    'table-row: Ann | 2024',
  )
})

test('a line above the header is not the header, unless no values decide', async () => {
  const line = ['Report', 'of March']
  const names = ['Name', 'Age', 'City']
  assert.deepEqual(await linesOf(sheetRows([line, names, ['Ann', 30, 'Rome'], ['Bo', 'unknown', 'Oslo']])), [
    'table-row: Report | of March',
    'table-header: Name | Age | City',
    'table-row: Ann | 30 | Rome',
    'table-row: Bo | unknown | Oslo',
  ])
  const texts = ['table-header: Report | of March', 'table-row: Name | Age | City']
  assert.deepEqual(await linesOf(sheetRows([line, names])), texts)
  assert.deepEqual(await linesOf(sheetRows([line, names, ['Ann', 'old', 'Rome']])), [
    ...texts,
    'table-row: Ann | old | Rome',
  ])
})

test('years and months name columns of figures, and are figures without a label', async () => {
  const line = ['Rent', 10, 12]
  for (const header of [
    ['Item', 2022, 2023],
    [null, 2022, 2023],
    [null, 'Note', 2022, 2023],
  ]) {
    assert.match(
      (await linesOf(sheetRows([header, header.length > 3 ? ['Rent', 'x', 10, 12] : line])))[0] ?? '',
      /^table-header/,
    )
  }
  assert.deepEqual(await linesOf(sheetRows([[null, 2022, 2023], ['Costs'], line])), [
    'table-header:  | 2022 | 2023',
    'table-row: Costs',
    'table-row: Rent | 10 | 12',
  ])
  for (const rows of [
    [
      [2022, 2023],
      [10, 12],
    ],
    [
      ['Ann', 1990, 2010],
      ['Bo', 1992, 2012],
    ],
    [
      ['Ann', 1990, 55],
      ['Bo', 1992, 60],
    ],
  ]) {
    assert.match((await linesOf(sheetRows(rows)))[0] ?? '', /^table-row/)
  }
})

test('tables start with the sheet and after several empty rows; a single empty row separates groups', async () => {
  const rows = [['Item', 'Crates'], ['Quince', 12], [], ['Plum', 3], [], [], [60, 61], [62, 63]]
  const { blocks } = await readOffice(buildXlsx([{ name: 'S', content: sheetRows(rows) }]))
  assert.deepEqual(
    blocks.filter(({ beginsTable }) => beginsTable).map(({ text }) => text.trim()),
    ['Item | Crates', '60 | 61'],
  )
})

test('a total in a later column stays there after an empty row', async () => {
  const rows = [['Item', 'Port', 'Crates'], ['Quince', 'Wick', 12], [], [null, 'Total', 12], [], [], [null, 60, 61]]
  assert.deepEqual(await linesOf(sheetRows(rows)), [
    'table-header: Item | Port | Crates',
    'table-row: Quince | Wick | 12',
    'table-row:  | Total | 12',
    'table-row: 60 | 61',
  ])
})

test('a table with a declared header row has it there', async () => {
  const sheet = {
    name: 'T',
    content: sheetRows([
      ['1', '2'],
      ['a', 'b'],
      ['c', 'd'],
    ]),
    links: { r1: ['table', '../tables/table1.xml'] as const },
  }
  const parts = { 'xl/tables/table1.xml': xml('table', '', 'ref="A2:B3"') }
  const { blocks } = await readOffice(buildXlsx([sheet], {}, parts))
  assert.deepEqual(
    blocks.map(({ kind }) => kind),
    ['heading', 'table-row', 'table-header', 'table-row'],
  )
})

test('every kind of cell yields its value, and formatted numbers both forms', async () => {
  const cell = (attributes: string, inner: string) => `<c ${attributes}>${inner}</c>`
  const row = [
    cell('r="A1" t="s"', '<v>0</v>'),
    cell('r="B1" t="s"', '<v>1</v>'),
    cell('r="C1" t="b"', '<v>1</v>'),
    cell('r="D1" t="e"', '<v>#N/A</v>'),
    cell('r="E1" t="str"', '<f>A1&amp;"x"</f><v>calculated</v>'),
    cell('r="F1"', '<f>SUM(A1:A3)</f>'),
    cell('r="G1" s="1"', '<v>1234.5</v>'),
    cell('r="H1" s="2"', '<v>45352</v>'),
    cell('r="I1"', '<v>0.30000000000000004</v>'),
    cell('r="J1" t="d"', '<v>2024-03-01T10:00:00</v>'),
    cell('r="K1" t="inlineStr"', '<is><r><t>in</t></r><r><t>line</t></r><rPh><t>kana</t></rPh></is>'),
    cell('r="L1" s="99" t="s"', '<v>77</v>'),
  ]
  const strings = ['<r><rPr><b/></rPr><t>ri</t></r><r><t>ch</t></r><rPh><t>kana</t></rPh>', '<t>a_x000D__x000A_b</t>']
  const formats = ['#,##0.00 "€"', 'd-mmm-yy']
  const [line] = await linesOf(`<sheetData><row r="1">${row.join('')}</row></sheetData>`, { strings, formats })
  assert.equal(
    line,
    'table-row: rich | a b | TRUE | #N/A | calculated | =SUM(A1:A3) | 1234.5 (1,234.50 €) | 2024-03-01 (1-Mar-24) | 0.3 | 2024-03-01 10:00:00 | inline',
  )
})

test('East Asian date and time formats are dates', async () => {
  const numbers = [44562, 44562.5, 0.5, 44562, 7]
  const cells = numbers.map((number, style) => `<c s="${style}"><v>${number}</v></c>`).join('')
  const ids = [27, 36, 50, 58, 59].map((id) => `<xf numFmtId="${id}"/>`).join('')
  const parts = { 'xl/styles.xml': xml('styleSheet', `<cellXfs>${ids}</cellXfs>`) }
  const lines = await linesOf(`<sheetData><row>${cells}</row></sheetData>`, {}, parts)
  assert.deepEqual(lines, ['table-row: 2022-01-01 | 2022-01-01 12:00:00 | 12:00:00 | 2022-01-01 | 7'])
})

test('a formula without a stored value is shown; a formula with an empty text value is not', async () => {
  const cells = ['str', 'b', 'n', 's'].map((type) => `<c t="${type}"><f>A1</f></c>`)
  const empty = [
    '<c t="str"><f>B1</f><v></v></c>',
    '<c t="str"><f>C1</f><v/></c>',
    '<c t="str"><f>D1</f><v>end</v></c>',
  ]
  const lines = await linesOf(`<sheetData><row>${[...cells, ...empty].join('')}</row></sheetData>`)
  assert.deepEqual(lines, ['table-row: =A1 | =A1 | =A1 | =A1 |  |  | end'])
})

test('a workbook with the 1904 epoch uses it', async () => {
  const content = '<sheetData><row r="1"><c r="A1" s="1"><v>0</v></c></row></sheetData>'
  const lines = await linesOf(content, { formats: ['yyyy-mm-dd'], properties: '<workbookPr date1904="1"/>' })
  assert.deepEqual(lines, ['table-row: 1904-01-01'])
})

test('a cell merged over rows is repeated in each', async () => {
  const rows = sheetRows([
    ['Region', 'Crates'],
    ['North', 1],
    [null, 2],
    ['South', 3],
  ])
  const lines = await linesOf(`${rows}<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>`)
  assert.deepEqual(lines.slice(1), ['table-row: North | 1', 'table-row: North | 2', 'table-row: South | 3'])
})

test('the first and the last cell of a sheet are one short row', async () => {
  const content =
    '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row><row r="1048576"><c r="XFD1048576"><v>3</v></c></row></sheetData>'
  assert.deepEqual(await linesOf(content), ['table-row: 1 |  | 2', 'table-row: 3'])
})

test('cells after a wide gap name their column', async () => {
  const columns = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
  const blank = (count: number) => Array.from({ length: count }, () => null)
  const rows = [
    columns.map((letter) => `Head${letter}`),
    ['near', ...blank(20), 1],
    ['far', ...blank(21), 2, 3],
    [...blank(25), 4],
    [],
    ['apart', ...blank(24), 5],
  ]
  const [, ...lines] = await linesOf(sheetRows(rows))
  assert.deepEqual(lines, [
    `table-row: near | ${' | '.repeat(20)}1`,
    'table-row: far |  | HeadW: 2 | HeadX: 3',
    'table-row:  | HeadZ: 4',
    'table-row: apart |  | 5',
  ])
})

test('rows and cells without references follow each other', async () => {
  const content = '<sheetData><row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row></sheetData>'
  assert.deepEqual(await linesOf(content), ['table-row: 1 | 2', 'table-row: 3'])
})

test('comments, threads, drawings, embedded files and printed headers follow the rows', async () => {
  const content = `${sheetRows([['a', 1]])}<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Report &amp;P</oddHeader></headerFooter>`
  const sheet: BuiltSheet = {
    name: 'S',
    content,
    links: {
      r1: ['comments', '../comments1.xml'],
      r2: ['threadedComment', '../threads.xml'],
      r3: ['drawing', '../drawings/drawing1.xml'],
      r4: ['package', '../embeddings/in.docx'],
    },
  }
  const comment = (ref: string, text: string, author: number) =>
    `<comment ref="${ref}" authorId="${author}"><text><r><t>${text}</t></r></text></comment>`
  const parts = {
    'xl/comments1.xml': xml(
      'comments',
      `<authors><author>Ines</author><author>tc={1}</author></authors><commentList>${comment('A1', 'Check', 0)}${comment('B1', '[Kommentarthread] Ihre Version', 1)}</commentList>`,
    ),
    'xl/threads.xml': xml(
      'ThreadedComments',
      '<threadedComment ref="B1" personId="{1}"><text>Agreed</text></threadedComment>',
    ),
    'xl/drawings/drawing1.xml': xml('wsDr', '<sp><txBody><a:p><a:r><a:t>Drawn</a:t></a:r></a:p></txBody></sp>'),
    'xl/embeddings/in.docx': buildDocx(wordParagraph('Inside')),
  }
  const { blocks } = await readOffice(buildXlsx([sheet], {}, parts))
  assert.deepEqual(
    blocks.slice(2).map(({ text }) => text.trim()),
    ['Comment on A1 by Ines: Check', 'Comment on B1: Agreed', 'Drawn', 'Inside', 'Report'],
  )
})

test('a damaged sheet fails alone and is reported', async () => {
  const sheets = [
    { name: 'Bad', content: '<sheetData><row' },
    { name: 'Good', content: sheetRows([['kept', 1]]) },
  ]
  const { text, pages } = await readOffice(buildXlsx(sheets))
  assert.match(text, /kept \| 1/)
  assert.deepEqual(
    pages.map(({ method }) => method),
    ['failed', 'text'],
  )
  assert.match(pages[0]?.message ?? '', /sheet1\.xml is broken at line \d+/)
})

test('long texts repeated in a thousand cells are refused', async () => {
  const rows = Array.from(
    { length: 1500 },
    (_, row) => `<row r="${row + 1}"><c r="A${row + 1}" t="s"><v>0</v></c></row>`,
  )
  const strings = [`<t>${'long '.repeat(4000)}</t>`]
  const workbook = buildXlsx([{ name: 'S', content: `<sheetData>${rows.join('')}</sheetData>` }], { strings })
  await assert.rejects(readOffice(workbook), /too large when unpacked: its cells repeat long texts/)
})

test('a hundred thousand cells are yielded while the sheet is read', async () => {
  const rows = Array.from({ length: 10_000 }, (_, row) => `<row r="${row + 1}">${'<c><v>7</v></c>'.repeat(10)}</row>`)
  const { blocks } = await readOffice(buildXlsx([{ name: 'S', content: `<sheetData>${rows.join('')}</sheetData>` }]))
  assert.equal(blocks.length, 10_001)
})

test('a long gap in a printed header takes linear time', () => {
  const started = performance.now()
  assert.equal(stripHeaderCodes(`&LStock${' '.repeat(150_000)}taken&R \n &C&P`), `Stock${' '.repeat(150_000)}taken`)
  assert.ok(performance.now() - started < 2000, 'this one took a minute')
})
