import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pino from 'pino'
import sharp from 'sharp'
import { createTesseractRecognizer } from '../../../src/models/ocr/tesseract-recognizer.ts'
import type { Raster } from '../../../src/models/recognizer.ts'
import { drawPicture } from '../../support/draw-picture.ts'
import { type DrawnTable, drawTable } from '../../support/draw-table.ts'
import { printPage } from '../../support/print-page.ts'

const recognizer = createTesseractRecognizer({ languages: ['eng'], size: 1, log: pino({ level: 'silent' }) })
after(() => recognizer.close())

async function readLines(image: Raster): Promise<string[]> {
  const { text } = await recognizer.recognize({ image, mode: 'fast' })
  return text.split('\n').filter((line) => line !== '')
}

const GOODS = ['Barley', 'Lamp oil', 'Canvas', 'Tar, refined', 'Oak planks', 'Candles', 'Blankets', 'Hand pump']
const UNITS = ['sack', 'barrel', 'bolt', 'box']

/** A header, and rows whose figures differ; some cells are blank. */
function makeRows(count: number): string[][] {
  const rows = Array.from({ length: count }, (_, at) => {
    const amount = ((at + 3) * 7919) % 99_000
    const price = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
    const unit = at % 5 === 3 ? '' : (UNITS[at % UNITS.length] ?? '')
    return [`${1 + (at % 28)} May 2031`, GOODS[at % GOODS.length] ?? '', unit, price]
  })
  return [['Date', 'Goods', 'Unit', 'Price'], ...rows]
}

function shareOfRows(lines: readonly string[], rows: readonly (readonly string[])[]): number {
  const wanted = rows.map((row) => row.filter((cell) => cell !== '').join(' '))
  return wanted.filter((row) => lines.includes(row)).length / wanted.length
}

/** Share of the digits at the right place of the line with the same number. */
function shareOfDigits(lines: readonly string[], rows: readonly (readonly string[])[]): number {
  const wanted = rows.map((row) => row.join('').replace(/\D/g, ''))
  const given = lines.map((line) => line.replace(/\D/g, ''))
  const right = wanted.flatMap((digits, at) => [...digits].filter((digit, place) => given[at]?.[place] === digit))
  return right.length / wanted.join('').length
}

const COLUMNS = { columns: [46, 150, 300, 540], rightAligned: [3] } as const
const TABLES: readonly [name: string, table: DrawnTable][] = [
  ['without rules', { rows: makeRows(20), ...COLUMNS, font: 'Helvetica' }],
  ['with rules', { rows: makeRows(20), ...COLUMNS, font: 'Times-Roman', hasRules: true }],
]

for (const [name, table] of TABLES)
  test(`a table ${name} is read row by row, also if scanned with noise and skew`, async () => {
    for (const wear of [
      { degrees: 0, noise: 0 },
      { degrees: -1.5, noise: 5 },
    ]) {
      const lines = await readLines(await drawTable(table, wear))
      const seen = `${JSON.stringify(wear)}\n${lines.join('\n')}`
      assert.ok(shareOfRows(lines, table.rows) >= 0.95, seen)
      assert.ok(shareOfDigits(lines, table.rows) >= 0.99, seen)
    }
  })

test('columns of prose are read one after the other, also on the same lines', async () => {
  const left = [
    'The ferry to Osmark leaves',
    'at six, and at noon on',
    'Sundays. Tickets are sold',
    'on board by the mate.',
  ]
  const right = [
    'In storms the master of',
    'the harbour decides who',
    'may sail. Dogs travel on',
    'the lower deck for free.',
  ]
  const [all, others] = [left, right].map((lines) => [...lines, ...lines.map((line) => line.toLowerCase())]) as [
    string[],
    string[],
  ]
  const rows = all.map((line, at) => [line, others[at] ?? ''])
  const image = await drawTable({ rows, columns: [46, 220], font: 'Times-Roman' }, { degrees: 0, noise: 0 })
  assert.equal((await readLines(image)).join(' '), [...all, ...others].join(' '))
})

test('lines that repeat are read whole', async () => {
  const clause = ['The tenant pays the dues on', 'the first day of every month', 'to the clerk of the harbour.']
  const lines = Array.from({ length: 8 }, () => clause).flat()
  assert.deepEqual(await readLines(await printPage(lines, 150)), lines)
})

test('a page of three lines is read whichever way it lies', async () => {
  const lines = ['The harbour office bundles all dues', 'of the year in one plain and easy', 'booklet']
  const drawn = await drawPicture(lines, { dpi: 150 })
  const {
    data,
    info: { width, height },
  } = await drawn.raw().toBuffer({ resolveWithObject: true })
  for (const degrees of [90, 180, 270]) {
    const turned = sharp(data, { raw: { width, height, channels: 1 } })
      .rotate(degrees)
      .toColourspace('b-w')
    const { data: pixels, info } = await turned.raw().toBuffer({ resolveWithObject: true })
    const image: Raster = { data: pixels, width: info.width, height: info.height, channels: 1, dpi: 150 }
    assert.deepEqual(await readLines(image), lines, String(degrees))
  }
})
