/** PDFs of scans: tables, repeated lines in columns, and turned pages. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import type { Raster } from '../../../src/models/recognizer.ts'
import { buildScannedPdf, type ScannedPdfPage } from '../../support/build-scanned-pdf.ts'
import { drawPicture } from '../../support/draw-picture.ts'
import { drawTable } from '../../support/draw-table.ts'
import { openFileReader } from './open-file-reader.ts'

const readFile = openFileReader()
const DPI = 150

/** The lines of a scanned page, with single spaces. Its report has to name recognition. */
async function readScan(page: ScannedPdfPage): Promise<string[]> {
  const { pages, text } = await readFile('scan.pdf', buildScannedPdf([page]))
  const [report] = pages
  assert.equal(report?.method, 'ocr')
  assert.ok((report.confidence ?? 0) > 0.6, String(report.confidence))
  return text
    .split('\n')
    .map((line) => line.replace(/[\s|]+/g, ' ').trim())
    .filter((line) => line !== '')
}

async function toPage(drawn: Sharp): Promise<ScannedPdfPage> {
  const { data, info } = await drawn.jpeg({ quality: 80 }).toBuffer({ resolveWithObject: true })
  return { jpeg: data, width: info.width, height: info.height, dpi: DPI }
}

function openRaster({ data, width, height }: Raster): Sharp {
  return sharp(data, { raw: { width, height, channels: 1 } }).toColourspace('b-w')
}

describe('a scanned table', () => {
  const NAMES = ['T. Reed', 'A. Vale', 'O. Holt', 'P. Marsh']
  const ledger = Array.from({ length: 24 }, (_, at) => [
    `BL-2031-${String(107 + 13 * at).padStart(4, '0')}`,
    NAMES[at % NAMES.length] ?? '',
    `${1 + ((at * 37) % 96)} casks`,
    `${3 + ((at * 811) % 7000)}.${String((at * 29) % 100).padStart(2, '0')}`,
  ])
  const columns = [46, 160, 260, 500]

  for (const [name, hasRules, wear] of [
    ['without rules, with noise and skew', false, { degrees: 0.4, noise: 6 }],
    ['with rules', true, { degrees: 0, noise: 0 }],
  ] as const)
    it(`has its rows as lines, with all amounts: ${name}`, async () => {
      const table = { rows: ledger, columns, rightAligned: [3], font: 'Helvetica', hasRules } as const
      const lines = await readScan(await toPage(openRaster(await drawTable(table, wear))))
      const whole = ledger.filter((row) => lines.includes(row.join(' ')))
      assert.ok(whole.length >= 0.95 * ledger.length, lines.join('\n'))
    })
})

describe('a scanned page of columns whose lines repeat', () => {
  it('is read whole, one column after the other or row by row', async () => {
    const clauses = (...texts: string[]) =>
      Array.from({ length: 10 }, (_, at) =>
        texts.map((text, line) => (line === 0 ? `${text} ${at + 1}.` : text)),
      ).flat()
    const left = clauses('The tenant of lot', 'keeps the hedges low', 'and the gate shut.')
    const right = clauses('Der Mieter von Haus', 'schneidet die Hecken', 'und sperrt das Tor zu.')
    const rows = left.map((line, at) => [line, right[at] ?? ''])
    const table = { rows, columns: [46, 300], font: 'Times-Roman' } as const
    const lines = await readScan(await toPage(openRaster(await drawTable(table, { degrees: 0, noise: 0 }))))
    const shown = lines.join(' ')
    const orders = [[...left, ...right], rows.flat()].map((order) => order.join(' '))
    assert.ok(orders.includes(shown), lines.join('\n'))
  })
})

describe('a scanned page of three lines', () => {
  const texts = ['The pilot office keeps a list of', 'all the boats that call here in', 'winter']

  for (const degrees of [90, 180, 270])
    it(`is read upright, turned by ${degrees} degrees`, async () => {
      const drawn = await drawPicture(texts, { dpi: DPI, widthPoints: 595, heightPoints: 842, sizePoints: 13 })
      const { data, info } = await drawn.raw().toBuffer({ resolveWithObject: true })
      const raw = { width: info.width, height: info.height, channels: 1 } as const
      assert.deepEqual(await readScan(await toPage(sharp(data, { raw }).rotate(degrees).toColourspace('b-w'))), texts)
    })
})
