import sharp, { type Sharp } from 'sharp'
import { buildBmp } from '../../test/support/build-bmp.ts'
import { buildEpub } from '../../test/support/build-epub.ts'
import { buildFlatOdf, buildOdf, odfParagraph, odfShape, odfSlide, odfTable } from '../../test/support/build-odf.ts'
import {
  buildDocx,
  buildPptx,
  buildXlsx,
  sheetRows,
  slideShape,
  wordParagraph,
} from '../../test/support/build-office.ts'
import { buildPptFile, textShape } from '../../test/support/build-ppt-file.ts'
import { buildWordFile } from '../../test/support/build-word-file.ts'
import { buildXlsFile, xlsComment, xlsRecord } from '../../test/support/build-xls-file.ts'
import { buildZip } from '../../test/support/build-zip.ts'
import { makePdf } from '../pdf/make-pdf.ts'
import { openSample, type Sample } from './sample.ts'

const LINES = [
  'The harbour office counts the boats at noon and writes the number into the green book.',
  'Nobody signs for crates that stand on the east quay after the second bell.',
  'Invoice HB-2207 over 1,480.50 EUR was paid on 4 March 2031.',
]
const ROWS = [
  ['berth', 'boat', 'crates'],
  ['E1', 'Amaranth', '18'],
  ['E2', 'Blue Heron', '7'],
]

/**
 * Small whole files of every format, by the extension of their names, for where no folder is given.
 */
export async function makeSamples(): Promise<Map<string, Sample[]>> {
  const text = `${LINES.join('\n\n')}\n`
  const files: Readonly<Record<string, string | Buffer>> = {
    txt: text,
    log: LINES.map((line, second) => `2031-03-04T12:00:0${second}Z INFO ${line}\n`).join(''),
    md: `# Harbour\n\n${text}\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two\n`,
    csv: ROWS.map((row) => `${row.join(',')}\n`).join(''),
    tsv: ROWS.map((row) => `${row.join('\t')}\n`).join(''),
    json: JSON.stringify({ title: 'Harbour', lines: LINES, rows: ROWS }, null, 1),
    jsonl: ROWS.map((row) => `${JSON.stringify({ row })}\n`).join(''),
    html: `<html><head><title>Harbour</title></head><body><h1>Harbour</h1><p>${LINES.join('</p><p>')}</p>${htmlTable()}</body></html>`,
    xml: `<?xml version="1.0"?><harbour>${LINES.map((line) => `<line n="1">${line}</line>`).join('')}</harbour>`,
    pdf: makePdf([{ lines: LINES }, { lines: LINES }]),
    docx: buildDocx(LINES.map((line) => wordParagraph(line)).join('')),
    pptx: buildPptx([{ shapes: slideShape(LINES) }, { shapes: slideShape(['Berths']) }]),
    xlsx: buildXlsx([{ name: 'Berths', content: sheetRows(ROWS) }]),
    xls: makeWorkbook(),
    odt: buildOdf('text', LINES.map((line) => odfParagraph(line)).join('') + odfTable(ROWS)),
    fodt: buildFlatOdf('text', LINES.map((line) => odfParagraph(line)).join('') + odfTable(ROWS)),
    ods: buildOdf('spreadsheet', odfTable(ROWS)),
    odp: buildOdf('presentation', odfSlide(odfShape(LINES.map((line) => odfParagraph(line)).join('')))),
    epub: buildEpub([{ name: 'a.xhtml', body: `<h1>Harbour</h1><p>${LINES.join('</p><p>')}</p>${htmlTable()}` }], {
      authors: ['Ann Brandt'],
      nav: '<li><a href="a.xhtml">Harbour</a></li>',
    }),
    doc: buildWordFile({ stories: { 0: `${LINES.join('\r')}\r` } }),
    ppt: buildPptFile({ slides: [{ shapes: [textShape(0, LINES.join('\r'))] }] }),
    ...(await makePictures()),
  }
  const samples = new Map<string, Sample[]>()
  const { txt = '', csv = '', pdf = '', docx = '' } = files
  const zip = buildZip({ 'notes/': '', 'notes/a.txt': txt, 'berths.csv': csv, 'a.pdf': pdf, 'b/c.docx': docx })
  for (const [format, content] of Object.entries({ ...files, zip })) {
    samples.set(format, [await openSample(`made.${format}`, Buffer.from(content))])
  }
  return samples
}

/** Large enough to lie outside of the mini stream. */
function makeWorkbook(): Buffer {
  const rows = Array.from({ length: 100 }, (_, index) => [...(ROWS[index % 3] ?? []), index, index / 7])
  const records = [...xlsComment(1, [0, 0], ['Ines', 'Check']), xlsRecord(0x00e5, [1, 1, 2, 0, 0])]
  return buildXlsFile({
    sheets: [
      { name: 'Berths', rows, records },
      { name: 'Quay', rows: ROWS },
    ],
    formats: ['0.00'],
  })
}

function htmlTable(): string {
  return `<table>${ROWS.map((row) => `<tr><td>${row.join('</td><td>')}</td></tr>`).join('')}</table>`
}

async function makePictures(): Promise<Record<string, Buffer>> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="60"><rect width="240" height="60" fill="#fff"/><text x="8" y="40" font-size="28">Berth E2</text></svg>`
  const picture = (): Sharp => sharp(Buffer.from(svg)).flatten({ background: '#fff' })
  const { data, info } = await picture().greyscale().raw().toBuffer({ resolveWithObject: true })
  return {
    png: await picture().png().toBuffer(),
    jpg: await picture().jpeg().toBuffer(),
    webp: await picture().webp().toBuffer(),
    gif: await picture().gif().toBuffer(),
    tif: await picture().tiff().toBuffer(),
    bmp: buildBmp({ data, ...info }),
  }
}
