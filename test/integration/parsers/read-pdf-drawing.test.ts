import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { readPdf } from '../../../src/parsers/pdf/read-pdf.ts'
import { pdfString } from '../../support/assemble-pdf.ts'
import { buildPdf, type FixturePage, lines } from '../../support/build-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'read-pdf-drawing-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let files = 0

/** The text of each page, with single spaces; tabs are kept. */
async function readPages(data: Buffer): Promise<string[]> {
  const path = join(folder, `${files++}.pdf`)
  writeFileSync(path, data)
  const pages: string[] = []
  let text = ''
  for await (const event of readPdf({ path, bytes: data.length, filename: 'a.pdf', declaredType: null })) {
    if ('block' in event) text += event.block.text
    if (!('page' in event)) continue
    pages.push(text.replace(/[ \n]+/g, ' ').trim())
    text = ''
  }
  return pages
}

async function readPage(page: FixturePage): Promise<string> {
  return (await readPages(buildPdf([page]))).join('')
}

const show = (x: number, y: number, text: string) => `1 0 0 1 ${x} ${y} Tm ${pdfString(text)} Tj\n`

describe('reading text as a PDF draws it', () => {
  it('reads text of negative size and scale on a flipped page', async () => {
    const texts = ['Partner share of income', 'Net rental income 88.10']
    const drawn = texts.map((text) => `${pdfString(text)} Tj 0 20 Td`).join('\n')
    const content = `1 0 0 -1 0 792 cm\nBT /F1 -12 Tf -100 Tz 72 100 Td\n${drawn}\nET`
    assert.equal(await readPage({ content }), texts.join(' '))
  })

  it('reads shadowed and repeated text once', async () => {
    const words = ['Upper', 'Saltmarsh']
    const copy = (x: number, y: number) => words.map((word, at) => show(x + 30 * at, y, word)).join('')
    for (const [dx, dy] of [
      [0, 0],
      [0.4, 0],
      [1, -1],
    ] as const) {
      const content = `BT /F1 10 Tf\n${copy(72 + dx, 700 + dy)}${copy(72, 700)}ET`
      assert.equal(await readPage({ content }), 'Upper Saltmarsh')
    }
  })

  it('reads a letter drawn over an earlier space in its place', async () => {
    const row = (y: number, name: string, amount: string) =>
      show(72, y, name) + show(200, y, amount.replace('.', ' ')) + show(200, y, amount)
    const content = `BT /F1 10 Tf\n${row(700, 'Moss', '54.5')}${row(686, 'Fern', '119.2')}ET`
    assert.equal(await readPage({ content }), 'Moss\t54.5 Fern\t119.2')
  })

  it('gives each half of a spread its own text, and keeps a line that runs off the page', async () => {
    const content = lines(['The mill was built in 1871.'], { x: 60, y: 500 })
    const spread = `${content}\n${lines(['The ferry sank in 1903.'], { x: 480, y: 500 })}`
    const page = (left: number): FixturePage => ({
      content: spread,
      mediaBox: '0 0 840 595',
      entries: `/CropBox [${left} 0 ${left + 420} 595]`,
    })
    const pages = await readPages(buildPdf([page(0), page(420)]))
    assert.deepEqual(pages, ['The mill was built in 1871.', 'The ferry sank in 1903.'])
    const wide = lines(['The ferry sank in 1903.'], { x: 380, y: 500 })
    assert.equal(await readPage({ ...page(0), content: wide }), 'The ferry sank in 1903.')
  })

  it('decodes fonts whose codes are UTF-8, as their character map says', async () => {
    const objects = [
      '<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding 11 0 R /DescendantFonts [12 0 R] /ToUnicode 13 0 R >>',
      createStream(mapCodes('begincidrange <00> <7F> 0 <C380> <C3BF> 192 <D080> <D0BF> 1024 endcidrange')),
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own /DW 600 /CIDSystemInfo << /Registry (O) /Ordering (M) /Supplement 0 >> >>',
      createStream(
        mapCodes(
          'beginbfrange <00> <7F> <0000> <C380> <C3BF> <00C0> <D080> <D0BF> <0400> <F0908080> <F09080BF> <D800DC00> endbfrange',
        ),
      ),
    ]
    const text = Buffer.from('Größe der Линии', 'utf8').toString('hex')
    const content = `BT /Own 12 Tf 72 700 Td <${text}> Tj ET`
    const entries = '/Resources << /Font << /Own 10 0 R >> >>'
    assert.deepEqual(await readPages(buildPdf([{ content, entries }], { objects })), ['Größe der Линии'])
  })
})

function createStream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
}

function mapCodes(ranges: string): string {
  const count = (ranges.match(/<[0-9A-F]+>/g)?.length ?? 0) > 6 ? 4 : 3
  const spaces =
    '4 begincodespacerange <00> <7F> <C280> <DFBF> <E0A080> <EFBFBF> <F0908080> <F48FBFBF> endcodespacerange'
  return `/CIDInit /ProcSet findresource begin begincmap /CMapName /M def ${spaces} ${count} ${ranges} endcmap end`
}
