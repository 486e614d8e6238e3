import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCsvReader } from './csv-reader.ts'
import { readText } from './read-text.ts'

function read(text: string) {
  return [...readText(createCsvReader, text)].flatMap((event) => ('block' in event ? [event.block] : []))
}

function warnings(text: string): string[] {
  return [...readText(createCsvReader, text)].flatMap((event) => ('warning' in event ? [event.warning] : []))
}

test('reads the first row as header and every row as a block of raw text', () => {
  assert.deepEqual(read('id,name\r\n1,"Okonkwo, A."\r\n'), [
    { kind: 'table-header', text: 'id,name\r\n' },
    { kind: 'table-row', text: '1,"Okonkwo, A."\r\n' },
  ])
})

for (const [name, delimiter] of [
  ['semicolons', ';'],
  ['tabs', '\t'],
  ['bars', '|'],
  ['commas', ','],
] as const) {
  test(`a line end inside a quoted field does not end the row, with ${name}`, () => {
    const row = (cells: string[]) => `${cells.join(delimiter)}\n`
    const text =
      row(['id', 'note', 'price']) + row(['1', '"two\nlines ""q""\n\nmore"', '1.5']) + row(['2', 'one', '2.5'])
    assert.deepEqual(
      read(text).map((block) => block.kind),
      ['table-header', 'table-row', 'table-row'],
    )
  })
}

test('rejects a table of empty cells', () => {
  for (const text of [',,,\n,,,\n', '""\n""\n', ','.repeat(1000)])
    assert.throws(() => read(text), { code: 'unprocessable_document', message: 'The table has no text in its cells.' })
  assert.equal(read('id,name\n').length, 1)
})

test('prefers semicolons over decimal commas', () => {
  assert.equal(read('Name;Preis\n"A\nB";1,5\nC;2,7\n').length, 3)
})

test('accepts inches in unquoted fields', () => {
  assert.equal(read('part,size\npipe,5"\nrod,3"\n').length, 3)
})

test('treats a first row of values as data', () => {
  assert.equal(read('1,2\n3,4\n')[0]?.kind, 'table-row')
  assert.equal(read('2026-01-02,ok\n2026-01-03,ok\n')[0]?.kind, 'table-row')
})

for (const [name, header, row] of [
  ['questions', 'Timestamp,What is your name?,Email?', '2024/01/10,Ann,a@example.com'],
  ['shortened words', 'Product,Price (€),Tax %,Qty.', 'Quince,1,2,3'],
  ['one name of two columns', 'Name,Value,Value', 'Quince,1,2'],
  ['years', 'Country,2019,2020,2021', 'Norway,11,12,13'],
  ['days', 'Country/Region,Lat,Long,1/22/20,1/23/20', 'Norway,60.5,8.5,0,17'],
  ['less cells than its rows, which end in a delimiter', 'name,city,amount', 'Ann,Rome,0.50,'],
  ['no name for the first column, as R writes it', 'mpg\tcyl\tdisp', 'Mazda RX4\t21\t6\t160'],
  ['a first row that is longer than what is looked at', 'id,text', `1,"${'a long cell, '.repeat(15_000)}"`],
] as const) {
  test(`a header may have ${name}`, () => {
    assert.deepEqual(read(`${header}\n${`${row}\n`.repeat(3)}`)[0], { kind: 'table-header', text: `${header}\n` })
  })
}

test('rejects a first row of names and years, sentences or one word as header', () => {
  for (const text of [
    'Ann,1985,2003\nBob,1990,2011\n',
    'Widget,2000\nGadget,150\n',
    'What is it?,It is a quince.\nWhat is that?,That is a medlar.\n',
    'yes,yes,yes\nno,yes,no\n',
    'Total,10,20\nRest,5,6,7\nOther,5,6,7\n',
  ]) {
    assert.ok(
      read(text).every(({ kind }) => kind !== 'table-header'),
      text,
    )
  }
})

test('reads lines above the table as paragraphs and empty rows as blank', () => {
  assert.deepEqual(
    read('Report of March\n\nid,name\n1,a\n,\n2,b\n').map((block) => block.kind),
    ['paragraph', 'blank', 'table-header', 'table-row', 'blank', 'table-row'],
  )
})

test('starts another table after an empty row, with its own header', () => {
  const kinds = (below: string) =>
    read(`Ship,Flag\nAda,NO\nBo,GB\n\n${below}`)
      .map(({ kind }) => kind)
      .slice(4)
  assert.deepEqual(kinds('Berth,Depth\nA1,6.5\nA2,4\n'), ['table-header', 'table-row', 'table-row'])
  for (const below of ['Cy,DK\nDi,SE\n', 'A1,6.5\nA2,4\n', 'Cy,DK\n', 'Sum,,\n2,3\n'])
    assert.ok(
      kinds(below).every((kind) => kind === 'table-row'),
      below,
    )
  assert.equal(read('Ship,Flag\nAda,NO\n\nBerth,Depth\nA1,6.5\n')[3]?.beginsTable, true)
})

test('skips padded title rows above the header', () => {
  for (const above of ['Duty of ports;;\n', 'Duty of ports;;\nAs of;14 March 2026;\n;;\n', 'Report;Duty\n;;\n', ';;\n'])
    assert.deepEqual(
      read(`${above}Port;Ships;Tons\nQuay;11;1100,50\nMole;12;1200,25\n`).filter(({ kind }) => /table/.test(kind))[0],
      { kind: 'table-header', text: 'Port;Ships;Tons\n' },
      above,
    )
  const inner = read('Squares,,\n,,\n,Number,Square\n,,\n,2,4\n,3,9\n')
  assert.deepEqual(inner[2], { kind: 'table-header', text: ',Number,Square\n' })
})

test('keeps a sparse row above rows of words', () => {
  for (const text of ['Ann;;\nBob;Rome;Spain\nCid;Oslo;Wales\n', 'Ann;;\nBob;Rome;5\nCid;Oslo;6\n'])
    assert.ok(
      read(text).every(({ kind }) => kind === 'table-row'),
      text,
    )
})

test('reads a header of two rows', () => {
  for (const header of [
    'Region,2023,,2024,\n,Ships,Tons,Ships,Tons\n',
    'Region,Inbound,,Outbound,\nRegion,Ships,Tons,Ships,Tons\n',
    'Port,Duty,\n,Ships,Tons\n',
  ]) {
    const row = header.startsWith('Port') ? 'North,11,1100\n' : 'North,11,1100,12,1200\n'
    assert.deepEqual(
      read(`Duty of ports\n\n${header}${row.repeat(3)}`).map(({ kind }) => kind),
      ['paragraph', 'blank', 'table-header', 'table-header', 'table-row', 'table-row', 'table-row'],
      header,
    )
  }
})

test('rejects a first row of values below an incomplete header', () => {
  for (const text of ['name,city,\nAnn,Rome,x\nBob,Oslo,5\n', 'one,two,\nyes,yes,no\nyes,no,5\n'])
    assert.deepEqual(
      read(text).map(({ kind }) => kind),
      ['table-header', 'table-row', 'table-row'],
    )
})

test('warns once about an unclosed quote and loses no row', () => {
  const rows = Array.from({ length: 9000 }, (_, row) => `${row},some name ${row}\n`).join('')
  const text = `id,name\n0,"open\n${rows}`
  assert.equal(read(text).length, 9002)
  assert.match(warnings(text)[0] ?? '', /row 2 is not closed/)
})

test("excludes Excel's separator line from the table", () => {
  for (const line of ['sep=;\r\n', '"sep=;"\n', 'SEP=;\n'])
    for (const table of ['name;price\nA;1,5\nB;2,7\n', 'name;price;stock\nA;1,5;3\nB;2,7;4\n'])
      assert.deepEqual(
        read(line + table).map((block) => block.kind),
        ['paragraph', 'table-header', 'table-row', 'table-row'],
      )
})
