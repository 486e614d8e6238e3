/** Text of PDFs that is drawn in unusual ways, but reads as usual on the page. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pdfString } from '../../support/assemble-pdf.ts'
import { buildPdf, type FixturePage, lines } from '../../support/build-pdf.ts'
import { onOneLine, openFileReader } from './open-file-reader.ts'

const readFile = openFileReader()

/** The text of each page on one line; each page has to be read from its text layer. */
async function readPages(data: Buffer): Promise<string[]> {
  const { blocks, pages, warnings } = await readFile('a.pdf', data)
  assert.deepEqual(warnings, [])
  return pages.map(({ page, method }) => {
    assert.equal(method, 'text')
    return onOneLine(
      blocks
        .filter((block) => block.page === page)
        .map(({ text }) => text)
        .join(''),
    )
  })
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

  it('reads a layer over a scan whose words end in an object of their own', async () => {
    for (const [mode, spread] of [
      [3, 2],
      [0, 1.4],
    ] as const) {
      const word = (text: string, at: number) =>
        `${spread} Tc 0.5 Tw ${pdfString(`${at > 0 ? ' ' : ''}${text.slice(0, -1)}`)} Tj 0 Tc ${pdfString(text.slice(-1))} Tj`
      const line = (text: string, y: number) => `1 0 0 1 72 ${y} Tm ${text.split(' ').map(word).join(' ')}\n`
      const content = `BT /F1 9 Tf ${mode} Tr\n${line('South Quay Road', 700)}${line('Lisbon 404717', 660)}ET`
      assert.equal(await readPage({ content }), 'South Quay Road Lisbon 404717')
    }
  })

  it('reads letterspaced words as words', async () => {
    const spread = (gap: number, y: number) =>
      `1 0 0 1 72 ${y} Tm [${[...'HARBOUR RULES'].map((letter) => `(${letter}) -${gap}`).join(' ')}] TJ\n`
    const content = `BT /F2 12 Tf\n${[120, 180, 250, 320].map((gap, row) => spread(gap, 700 - 40 * row)).join('')}ET`
    assert.equal(await readPage({ content }), Array(4).fill('HARBOUR RULES').join(' '))
  })

  it('reads part numbers and sequences from the text layer, row by row', async () => {
    const code = (row: number, column: number) => {
      const letters = [0, 1, 2, 3, 4].map((at) => 'BCDFGHJKLMNPQRSTVWXZ'[(7 * row + 5 * column + 3 * at * at) % 20])
      return `${letters.join('')}-${10 + ((row * 8 + column) % 90)}`
    }
    const rows = Array.from({ length: 30 }, (_, row) => [0, 1, 2, 3, 4].map((column) => code(row, column)))
    const parts = rows.flatMap((row, at) => row.map((text, column) => show(40 + 80 * column, 760 - 14 * at, text)))
    const shown = await readFile('a.pdf', buildPdf([{ content: `BT /F1 9 Tf\n${parts.join('')}ET` }]))
    assert.equal(shown.pages[0]?.method, 'text')
    assert.deepEqual(
      shown.text.trimEnd().split('\n'),
      rows.map((row) => row.join('\t')),
    )
    const blocks = (row: number) => [1, 2, 3, 4].map((at) => 'MKTVLSCWRDGHPNQF'.slice((row * at) % 7).slice(0, 9))
    const sequence = Array.from({ length: 16 }, (_, row) => `${blocks(row).join(' ')} ${36 * (row + 1)}`)
    const content = lines(sequence, { x: 60, y: 700, font: 'F3' })
    const { text } = await readFile('a.pdf', buildPdf([{ content }]))
    assert.deepEqual(text.trimEnd().split('\n'), sequence)
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

describe('reading right-to-left text', () => {
  it('keeps the direction of each line and phrase', async () => {
    const english = ['The pier of Haifa is called ', 'מזח הדגים', ' and closes at ten.']
    const bracketed = ['The boat (', 'סירה', ') leaves at 7:15, not at 8:40.']
    const visual = (parts: readonly string[]) => `${parts[0]}${turn(parts[1] ?? '')}${parts[2]}`
    assert.equal(await readMapped([visual(english), visual(bracketed)]), `${english.join('')} ${bracketed.join('')}`)
    const hebrew = ['המחסן נסגר בחודש יולי', 'המפתח נמצא אצל השומר', 'כל שאר הכללים נמצאים בספר']
    const form = ['Please sign ', 'חתימה', ' on page 4.']
    const lines = [...hebrew.map(turn), visual(form)]
    assert.equal(await readMapped(lines), [...hebrew, form.join('')].join(' '))
  })

  it('opens Arabic ligatures in the order of reading', async () => {
    for (const line of ['اﳋﺒﺰ ﰲ اﻟﺴﻮق', 'ﳏﻤﻮد ﰲ اﳌﻴﻨﺎء', 'ﷲ أﻛﱪ'])
      assert.equal(await readMapped([turn(line)]), line.normalize('NFKC'))
  })
})

describe('reading ruled tables', () => {
  const left = [60, 130, 230, 330]
  const rule = (x: number, y: number, toX: number, toY: number) => `${x} ${y} m ${toX} ${toY} l S\n`
  /** A table from 700 down; above the rows of `spans` the first cell has no rule. */
  const draw = (rows: readonly (readonly string[])[], spans: readonly number[] = []): FixturePage => {
    const bottom = 700 - 16 * rows.length
    const texts = rows.flatMap((row, at) =>
      row.map((text, column) => show((left[column] ?? 0) + 3, 688 - 16 * at, text)),
    )
    const levels = [...rows.keys(), rows.length].map((at) =>
      rule((spans.includes(at) ? left[1] : left[0]) ?? 0, 700 - 16 * at, 330, 700 - 16 * at),
    )
    const uprights = left.map((x) => rule(x, 700, x, bottom))
    return { content: `${[...levels, ...uprights].join('')}BT /F1 10 Tf\n${texts.join('')}ET` }
  }

  it('keeps a row with one filled cell apart', async () => {
    const rows = [
      ['Berth', 'Owner', 'Crates'],
      ['C11', 'P. Reed', '14'],
      ['', 'vacant', ''],
      ['C13', 'A. Vale', '806'],
    ]
    const { text } = await readFile('a.pdf', buildPdf([draw(rows)]))
    assert.equal(text.trimEnd(), 'Berth\tOwner\tCrates\nC11\tP. Reed\t14\n\tvacant\nC13\tA. Vale\t806')
  })

  it('gives the label of a tall cell to all its rows', async () => {
    const rows = [
      ['Coast', 'Port', 'Dues'],
      ['', 'Osmark', '12'],
      ['East', 'Velm', '7'],
      ['', 'Holt', '9'],
      ['West', 'Ferd', '2'],
    ]
    const { text } = await readFile('a.pdf', buildPdf([draw(rows, [2, 4])]))
    assert.equal(text.trimEnd(), 'Coast\tPort\tDues\nEast\tOsmark\t12\nEast\tVelm\t7\nWest\tHolt\t9\nWest\tFerd\t2')
  })
})

describe('a PDF behind other bytes', () => {
  const pdf = buildPdf([{ content: lines(['The mill opens in May.'], { x: 72, y: 700 }) }])
  const leads = {
    'a line end': '\n',
    'a byte order mark': '\xef\xbb\xbf',
    'the header of a server': 'HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n',
  }
  for (const [what, lead] of Object.entries(leads))
    it(`is read as a PDF, also without its name: ${what}`, async () => {
      for (const filename of ['mill.pdf', 'mill']) {
        const { format, text } = await readFile(filename, Buffer.concat([Buffer.from(lead, 'latin1'), pdf]))
        assert.deepEqual([format, text.trim()], ['pdf', 'The mill opens in May.'])
      }
    })
})

function turn(text: string): string {
  return [...text].reverse().join('')
}

/** Reads lines of a font with any characters, drawn from left to right. */
async function readMapped(visualLines: readonly string[]): Promise<string> {
  const characters = [...new Set(visualLines.join(''))].filter((character) => character !== ' ')
  const codes = new Map([
    [' ', '20'],
    ...characters.map((character, at) => [character, (65 + at).toString(16)] as const),
  ])
  const map = [...codes].map(([character, code]) => `<${code}> <${toUtf16(character)}>`)
  const ranges = `1 begincodespacerange <00> <FF> endcodespacerange ${map.length} beginbfchar ${map.join(' ')} endbfchar`
  const widths = Array(160).fill(556).join(' ')
  const objects = [
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 32 /LastChar 191 /Widths [${widths}] /FontDescriptor 11 0 R /ToUnicode 12 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Helvetica /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
    createStream(`/CIDInit /ProcSet findresource begin begincmap /CMapType 2 def ${ranges} endcmap end`),
  ]
  const shown = visualLines.map((line, at) => {
    const hex = [...line].map((character) => codes.get(character)).join('')
    return `1 0 0 1 72 ${700 - 40 * at} Tm <${hex}> Tj`
  })
  const entries = '/Resources << /Font << /Own 10 0 R >> >>'
  const [page = ''] = await readPages(
    buildPdf([{ content: `BT /Own 14 Tf ${shown.join(' ')} ET`, entries }], { objects }),
  )
  return page
}

function toUtf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex')
}

function createStream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
}

function mapCodes(ranges: string): string {
  const count = (ranges.match(/<[0-9A-F]+>/g)?.length ?? 0) > 6 ? 4 : 3
  const spaces =
    '4 begincodespacerange <00> <7F> <C280> <DFBF> <E0A080> <EFBFBF> <F0908080> <F48FBFBF> endcodespacerange'
  return `/CIDInit /ProcSet findresource begin begincmap /CMapName /M def ${spaces} ${count} ${ranges} endcmap end`
}
