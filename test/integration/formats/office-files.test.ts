/** Office files of old programs, of converters, and with parts in unusual places. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import iconv from 'iconv-lite'
import { buildDocx, buildXlsx, type Links, links, sheetRows, wordParagraph, xml } from '../../support/build-office.ts'
import { buildPptFile, pptRecord, textShape } from '../../support/build-ppt-file.ts'
import { buildOldWordFile } from '../../support/build-word-file.ts'
import { buildZip } from '../../support/build-zip.ts'
import { openFileReader } from './open-file-reader.ts'

const readFile = openFileReader()

async function readLines(filename: string, content: Buffer): Promise<string[]> {
  const { format, blocks, warnings } = await readFile(filename, content)
  assert.deepEqual([format, warnings], [filename.split('.').at(-1), []])
  return blocks.map(({ text }) => text.trim()).filter((text) => text !== '')
}

describe('a Word file', () => {
  const page = '<html><title>t</title><body><h1>Dues</h1><p>Twelve crowns.</p></body></html>'
  const archive = `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${page}\r\n--b--\r\n`
  const chunk = '<w:altChunk r:id="rId1"/>'
  const imported = (name: string, part: string | Buffer, body: string) =>
    buildDocx(body, { [`word/${name}`]: part }, { rId1: ['aFChunk', `/word/${name}`] } satisfies Links)

  it('is read with imported parts of other formats in their place', async () => {
    const around = `${wordParagraph('Before')}${chunk}${wordParagraph('After')}`
    for (const [name, part, texts] of [
      ['a.htm', page, ['Dues', 'Twelve crowns.']],
      ['b.mht', archive, ['Dues', 'Twelve crowns.']],
      ['c.txt', 'Plain words.', ['Plain words.']],
      ['d.docx', buildDocx(wordParagraph('Inner')), ['Inner']],
    ] as const)
      assert.deepEqual(await readLines('a.docx', imported(name, part, around)), ['Before', ...texts, 'After'], name)
  })

  it('is read if an imported part is all that it has, with its headings', async () => {
    const { blocks } = await readFile('a.docx', imported('b.mht', archive, chunk))
    assert.deepEqual(
      blocks.map(({ kind, text }) => [kind, text.trim()]),
      [
        ['heading', 'Dues'],
        ['paragraph', 'Twelve crowns.'],
      ],
    )
  })

  it('is read with a warning that names an imported part of another kind', async () => {
    const file = imported('e.bin', Buffer.from([0, 1, 2, 0xff, 0]), `${wordParagraph('Before')}${chunk}`)
    const { text, warnings } = await readFile('a.docx', file)
    assert.equal(text, 'Before\n\n')
    assert.match(warnings.join('\n'), /^The imported text word\/e\.bin was not read/)
  })

  it('joins a drop cap with the word that it starts', async () => {
    const frame = (kind: string) => `<w:framePr w:dropCap="${kind}" w:lines="3"/>`
    const body = [
      ...[wordParagraph('O', frame('drop')), wordParagraph('nce upon')],
      ...[wordParagraph('«É', frame('margin')), wordParagraph('té comme hiver»')],
      ...[wordParagraph('Box', frame('none')), wordParagraph('after')],
    ]
    const lines = ['Once upon', '«Été comme hiver»', 'Box', 'after']
    assert.deepEqual(await readLines('a.docx', buildDocx(body.join(''))), lines)
  })

  it('is read in the character set of the Mac: Word 6', async () => {
    const build = (body: Buffer, language: number) => buildOldWordFile({ magic: 0xa5dc, body, language, isMac: true })
    const french = build(iconv.encode('L’élève a payé\rDû\r', 'macroman'), 0x040c)
    assert.deepEqual(await readLines('a.doc', french), ['L’élève a payé', 'Dû'])
    const euro = build(Buffer.from('Geb\x9fhr 9 \xdb\r', 'latin1'), 0x0407)
    assert.deepEqual(await readLines('a.doc', euro), ['Gebühr 9 €'])
    assert.deepEqual(await readLines('a.doc', build(iconv.encode('Склад B7\r', 'maccyrillic'), 0x0419)), ['Склад B7'])
  })
})

describe('a table in an Office file', () => {
  it('has a line for each row, also with line breaks in cells', async () => {
    const rows = sheetRows([
      ['Amount\n(EUR)', 'Paid\r\non', 'By'],
      ['7\n(late)', '4 April', 'T. Reed'],
    ])
    const sheet = ['Dues', 'Amount (EUR) | Paid on | By', '7 (late) | 4 April | T. Reed']
    assert.deepEqual(await readLines('a.xlsx', buildXlsx([{ name: 'Dues', content: rows }])), sheet)
    const cell = (...texts: string[]) => `<w:tc>${texts.map((text) => wordParagraph(text)).join('')}</w:tc>`
    const table = `<w:tbl><w:tr>${cell('Amount', '(EUR)')}${cell('By')}</w:tr><w:tr>${cell('7', '(late)')}${cell('T. Reed')}</w:tr></w:tbl>`
    assert.deepEqual(await readLines('a.docx', buildDocx(table)), ['Amount (EUR) | By', '7 (late) | T. Reed'])
  })
})

describe('a package with parts in unusual folders', () => {
  const typeOf = (name: string, type: string) =>
    xml('Types', `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.${type}"/>`)

  for (const folder of ['', 'book/']) {
    it(`is read by relationships and content types, or by either: /${folder}`, async () => {
      const book = `${folder}main.xml`
      const files = {
        '[Content_Types].xml': typeOf(book, 'spreadsheetml.sheet.main+xml'),
        [book]: xml('workbook', '<sheets><sheet name="Crates" sheetId="1" r:id="r1"/></sheets>'),
        [`${folder}_rels/main.xml.rels`]: links({ r1: ['worksheet', 'one.xml'] }),
        [`${folder}one.xml`]: xml('worksheet', sheetRows([['Harbour', 7]])),
      }
      const related = { '_rels/.rels': links({ r1: ['officeDocument', book] }) }
      for (const zip of [buildZip({ ...files, ...related }), buildZip(files)])
        assert.deepEqual(await readLines('a.xlsx', zip), ['Crates', 'Harbour | 7'])
      const text = `${folder}text.xml`
      const document = {
        '[Content_Types].xml': typeOf(text, 'wordprocessingml.document.main+xml'),
        '_rels/.rels': links({ r1: ['officeDocument', text] }),
        [text]: xml('w:document', `<w:body>${wordParagraph('The mill opens in May.')}</w:body>`),
      }
      assert.deepEqual(await readLines('a.docx', buildZip(document)), ['The mill opens in May.'])
      const mainType = /ContentType="[^"]+"/.exec(document['[Content_Types].xml'])?.[0]
      const byDefault = { ...document, '[Content_Types].xml': xml('Types', `<Default Extension="XML" ${mainType}/>`) }
      assert.deepEqual(await readLines('a.docx', buildZip(byDefault)), ['The mill opens in May.'])
    })
  }
})

describe('a PowerPoint file', () => {
  it('saved as 95 & 97 is read in the form of 97', async () => {
    const shapes = [textShape(0, 'Dues'), textShape(1, 'Twelve crowns')]
    assert.deepEqual(await readLines('a.ppt', buildPptFile({ slides: [{ shapes }], isDual: true })), [
      'Dues',
      'Twelve crowns',
    ])
  })

  it('is read with footers and text boxes of its master once', async () => {
    const placeholder = (kind: number) =>
      pptRecord(0xf011, [pptRecord(0x0bc3, Buffer.from([0, 0, 0, 0, kind, 0, 0, 0]))])
    const master = [
      textShape(0, 'Click to edit the title', [placeholder(1)]),
      textShape(4, 'Quay office', [placeholder(9)]),
      textShape(4, 'Confidential'),
    ]
    const slides = [{ shapes: [textShape(0, 'One')] }, { shapes: [textShape(0, 'Two')] }]
    const lines = await readLines('a.ppt', buildPptFile({ slides, master, footer: 'Velmora 2031' }))
    assert.deepEqual(lines, ['One', 'Velmora 2031', 'Quay office', 'Confidential', 'Two'])
  })
})
