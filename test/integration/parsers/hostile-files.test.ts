import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { constants, deflateRawSync } from 'node:zlib'
import CFB from 'cfb'
import sharp from 'sharp'
import { ApiError } from '../../../src/errors.ts'
import { createParserPool } from '../../../src/parsers/child/parser-pool.ts'
import type { AcceptedFiles } from '../../../src/parsers/formats.ts'
import type { ParseEvent } from '../../../src/parsers/parse-event.ts'
import { sniff } from '../../../src/parsers/sniff.ts'
import { buildEpub } from '../../support/build-epub.ts'
import { buildOdf, odfManifest, odfParagraph, odfShape, odfSlide, odfTable, odfXml } from '../../support/build-odf.ts'
import {
  buildDocx,
  buildPptx,
  buildXlsx,
  sheetRows,
  slideShape,
  wordParagraph,
  xml,
} from '../../support/build-office.ts'
import { buildPdf } from '../../support/build-pdf.ts'
import { buildPptFile, textShape } from '../../support/build-ppt-file.ts'
import { buildWordFile } from '../../support/build-word-file.ts'
import { buildXlsFile, buildXlsStream, xlsBegin, xlsRecord, xlsString } from '../../support/build-xls-file.ts'
import { buildZip } from '../../support/build-zip.ts'

const MB = 1024 * 1024
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const folder = mkdtempSync(join(tmpdir(), 'hostile-files-'))
const pool = createParserPool({
  size: 1,
  tasksModule: new URL('../../../src/parsers/child/parse-tasks.ts', import.meta.url).href,
  temporaryDirectory: folder,
  log: silent,
  // Honest files of a test take 150 MB; a bomb is found out the sooner.
  maxBytes: 400 * MB,
  pollMs: 20,
})

after(async () => {
  await pool.close()
  rmSync(folder, { recursive: true, force: true })
})

async function read(filename: string, content: Buffer, accepted: AcceptedFiles = 'documents'): Promise<ParseEvent[]> {
  const path = join(folder, filename)
  writeFileSync(path, content)
  const source = { path, bytes: content.length, filename, declaredType: null }
  const events: ParseEvent[] = []
  for await (const event of pool.parse(source, await sniff(source, accepted))) events.push(event)
  return events
}

function textOf(events: readonly ParseEvent[]): string {
  return events.map((event) => ('block' in event ? event.block.text : '')).join('')
}

async function assertRefused(filename: string, content: Buffer, message: RegExp): Promise<void> {
  await assert.rejects(read(filename, content), { code: 'unprocessable_document', message })
}

const DOCX = buildDocx(wordParagraph('The orchard') + wordParagraph('has plums.'))
const PPTX = buildPptx([{ shapes: slideShape(['The orchard', 'has plums.']) }])
const XLSX = buildXlsx([{ name: 'Plums', content: sheetRows([['The orchard', 2]]) }])
const ODT = buildOdf('text', odfParagraph('The orchard') + odfParagraph('has plums.'))
const ODS = buildOdf('spreadsheet', odfTable([['The orchard', 'has plums']]))
const ODP = buildOdf('presentation', odfSlide(odfShape(odfParagraph('The orchard has plums.'))))
const EPUB = buildEpub([{ name: 'a.xhtml', body: '<p>The orchard</p><p>has plums.</p>' }], { title: 'The orchard' })
const DOC = buildWordFile({ stories: { 0: 'The orchard\rhas plums.\r' } })
const PPT = buildPptFile({ slides: [{ shapes: [textShape(0, 'The orchard')] }] })
const XLS = buildXlsFile({ sheets: [{ name: 'Plums', rows: [['The orchard', 2]] }] })
const PDF = buildPdf([{ content: 'BT /F1 10 Tf 72 700 Td (The orchard has plums.) Tj ET' }])
const XML = Buffer.from(`<?xml version="1.0"?><orchard>${'<plum>ripe</plum>'.repeat(100)}</orchard>`)

function nested(open: string, close: string): string {
  return `${open.repeat(200_000)}plum${close.repeat(200_000)}`
}

describe('files that are made to do harm', () => {
  it('are refused when a part of a zip archive unpacks to far more than it is packed in', async () => {
    const text = Buffer.concat([Buffer.from('<w:document><w:body><w:p><w:r><w:t>'), Buffer.alloc(64 * MB, 'A')])
    const bomb = buildZip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': text })
    await assertRefused('bomb.docx', bomb, /^The file is too large when unpacked: its part word\/document\.xml/)
    const [start = '', end = ''] = odfXml('document-content', `<office:body><office:text><text:p>|`).split('|')
    const content = Buffer.concat([Buffer.from(start), Buffer.alloc(64 * MB, 'A'), Buffer.from(end)])
    const odt = buildOdf('text', '', { files: { 'content.xml': content } })
    await assertRefused('bomb.odt', odt, /^The file is too large when unpacked: its part content\.xml/)
    const chapter = { 'OEBPS/a.xhtml': Buffer.concat([Buffer.from('<html><p>'), Buffer.alloc(64 * MB, 'A')]) }
    const epub = buildEpub([{ name: 'a.xhtml', body: '' }], { files: chapter })
    await assertRefused('bomb.epub', epub, /^The file is too large when unpacked: its part OEBPS\/a\.xhtml/)
  })

  it('are refused when a stream of a PDF unpacks to a gigabyte', async () => {
    await assertRefused(
      'bomb.pdf',
      buildPdfBomb(),
      /^Reading the file took more than (?:400 MB of memory|60 s) and was stopped/,
    )
  })

  it('cannot multiply their entities', async () => {
    const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
    const type = `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}<!ENTITY f SYSTEM "file:///etc/passwd">]>`
    const word = `${type}<w:document><w:body><w:p><w:r><w:t>plums &l9; &f;</w:t></w:r></w:p></w:body></w:document>`
    const page = '<html><body>plums &l9; &f;</body></html>'
    const odt =
      '<office:document-content><office:body><office:text><text:p>plums &l9; &f;</text:p></office:text></office:body></office:document-content>'
    for (const [filename, content] of [
      ['laughs.xml', Buffer.from(`<?xml version="1.0"?>${type}<x>plums &l9; &f;</x>`)],
      ['laughs.docx', buildZip({ 'word/document.xml': word })],
      ['laughs.odt', buildOdf('text', '', { files: { 'content.xml': type + odt } })],
      [
        'laughs.epub',
        buildEpub([{ name: 'a.xhtml', body: '' }], { title: '', files: { 'OEBPS/a.xhtml': type + page } }),
      ],
    ] as const) {
      const text = textOf(await read(filename, content))
      assert.match(text, /^plums/)
      assert.ok(text.length < 100, text)
    }
  })

  for (const [filename, content] of [
    ['nested.docx', buildDocx(nested('<w:p>', '</w:p>'))],
    ['nested.pptx', buildPptx([{ shapes: nested('<p:grpSp>', '</p:grpSp>') }])],
    ['nested.odt', buildOdf('text', nested('<text:section>', '</text:section>'))],
    ['nested.ods', buildOdf('spreadsheet', nested('<table:table-row-group>', '</table:table-row-group>'))],
    ['nested.odp', buildOdf('presentation', odfSlide(nested('<draw:g>', '</draw:g>')))],
    ['nested.xlsx', buildXlsx([{ name: 'S', content: nested('<sheetData>', '</sheetData>') }])],
  ] as const) {
    it(`are refused when 200,000 elements lie in each other: ${filename}`, () =>
      assertRefused(filename, content, /nests elements too deeply/))
  }

  for (const [filename, content] of [
    ['nested.html', `<html>${nested('<div>', '</div>')}`],
    ['tables.html', `<html>${nested('<table><tr><td>', '</td></tr></table>')}`],
    ['nested.xml', `<?xml version="1.0"?>${nested('<div>', '</div>')}`],
  ] as const) {
    it(`are read however deep their elements lie where depth costs nothing: ${filename}`, async () => {
      assert.equal(textOf(await read(filename, Buffer.from(content))).trim(), 'plum')
    })
  }

  it('are refused or read when a workbook has many tiny records', async () => {
    const fill = (record: Buffer) => Buffer.concat(Array.from({ length: 150_000 }, () => record))
    const sheet = (record: Buffer) => Buffer.concat([xlsBegin(0x10), fill(record), xlsRecord(0x000a)])
    const note = xlsRecord(0x001c, [0, 0, 0, 1], Buffer.from([0, 0, 0]))
    await assertRefused('notes.xls', sheet(note), /more than 100,000 objects/)
    await assertRefused('boxes.xls', sheet(xlsBegin(0x20)), /more than 100,000 objects/)
    const cells = xlsRecord(0x00bd, [0, 0], Buffer.alloc(8220), [0])
    const many = Buffer.concat([xlsBegin(0x10), ...Array.from({ length: 750 }, () => cells), xlsRecord(0x000a)])
    await assertRefused('cells.xls', many, /million cells out of order/)
    await assertRefused('sheets.xls', fill(xlsBegin(0x10)), /has no text/)
    const label = xlsRecord(0x0204, [0, 0, 0], xlsString('plum'))
    const series = Buffer.concat([xlsBegin(0x10), label, xlsBegin(0x20), fill(xlsRecord(0x1003))])
    assert.match(textOf(await read('series.xls', series)), /plum/)
  })

  it('are read when a page of a PDF is five metres wide', async () => {
    const content = 'BT /F1 10 Tf 72 700 Td (The orchard) Tj ET'
    const events = await read('wide.pdf', buildPdf([{ content, mediaBox: '0 0 14400 14400' }]))
    assert.equal(textOf(events).trim(), 'The orchard')
  })
})

describe('files that are locked', () => {
  const container = CFB.utils.cfb_new()
  CFB.utils.cfb_add(container, '/EncryptedPackage', Buffer.from('secret'))
  const locked = Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer)
  const encrypted =
    '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>'
  const hex = (byte: string) => `<${byte.repeat(32)}>`
  const encryption = `<< /Filter /Standard /V 1 /R 2 /P -44 /O ${hex('a1')} /U ${hex('b2')} >>`
  const openPdf = buildPdf([{ content: 'BT ET' }], { objects: [encryption] }).toString('latin1')
  const trailer = `/Root 1 0 R /Encrypt 10 0 R /ID [${hex('c3')} ${hex('c3')}]`
  for (const [filename, content] of [
    ['locked.docx', locked],
    ['locked.pptx', locked],
    ['locked.xlsx', locked],
    ['zipped.docx', buildZip({ 'word/document.xml': xml('w:document', '') }, { isEncrypted: true })],
    ['zipped.odt', buildOdf('text', '', { oddities: { isEncrypted: true, isStored: true } })],
    ['locked.odt', buildOdf('text', '', { files: { 'META-INF/manifest.xml': odfManifest('text', encrypted) } })],
    ['locked.doc', buildWordFile({ stories: { 0: 'secret\r' }, flags: 0x300 })],
    ['locked.ppt', buildPptFile({ slides: [{ shapes: [textShape(0, 'secret')] }], isEncrypted: true })],
    ['locked.xls', buildXlsFile({ sheets: [{ name: 'S' }], globals: [xlsRecord(0x002f, [1, 1, 1])] })],
    ['locked.pdf', Buffer.from(openPdf.replace('/Root 1 0 R', trailer), 'latin1')],
  ] as const) {
    it(`are called password protected: ${filename}`, () => assertRefused(filename, content, /password protected/))
  }
})

describe('files that are cut off', () => {
  const whole = {
    'cut.docx': DOCX,
    'cut.pptx': PPTX,
    'cut.xlsx': XLSX,
    'cut.odt': ODT,
    'cut.ods': ODS,
    'cut.odp': ODP,
    'cut.epub': EPUB,
    'cut.doc': DOC,
    'cut.ppt': PPT,
    'cut.xls': XLS,
    'bare.xls': buildXlsStream({ sheets: [{ name: 'Plums', rows: [['The orchard', 2]] }] }),
    'cut.pdf': PDF,
    'cut.xml': XML,
  }
  const CAUSE = /damaged|truncated|cut off|not well-formed|has no text|no presentation|named or declared as/
  for (const [filename, content] of Object.entries(whole)) {
    it(`end with a sentence naming the cause, or with the readable text: ${filename}`, async () => {
      for (const share of [0.01, 0.3, 0.5, 0.7, 0.95, 0.995]) {
        const events = await read(filename, content.subarray(0, content.length * share)).catch(
          (error: unknown) => error,
        )
        if (events instanceof ApiError)
          assert.deepEqual(
            [events.code, CAUSE.exec(events.message) !== null],
            ['unprocessable_document', true],
            events.message,
          )
        else assert.match(textOf(events as ParseEvent[]), /orchard|ripe/)
      }
    })
  }

  it('are called damaged where they are pictures', async () => {
    const noise = {
      create: {
        width: 64,
        height: 64,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    } as const
    for (const format of ['png', 'jpeg', 'webp', 'gif', 'tiff'] as const) {
      const picture = await sharp(noise).toFormat(format).toBuffer()
      const half = await read(`cut.${format}`, picture.subarray(0, 20), 'images').catch((error: unknown) => error)
      assert.ok(half instanceof ApiError && half.code === 'image_unreadable', `${format}: ${String(half)}`)
    }
  })
})

describe('after all of these', () => {
  it('the next file of each format is read', async () => {
    const html = Buffer.from('<html><p>The orchard has plums.')
    const files = {
      'a.docx': DOCX,
      'a.pptx': PPTX,
      'a.xlsx': XLSX,
      'a.odt': ODT,
      'a.ods': ODS,
      'a.odp': ODP,
      'a.epub': EPUB,
      'a.doc': DOC,
      'a.ppt': PPT,
      'a.xls': XLS,
      'a.pdf': PDF,
      'a.html': html,
    }
    for (const [filename, content] of Object.entries(files)) {
      assert.match(textOf(await read(filename, content)), /The orchard/, filename)
    }
    assert.match(textOf(await read('a.xml', XML)), /ripe/)
  })
})

/** A page with a gigabyte of drawing operators, compressed to 2 MB. */
function buildPdfBomb(): Buffer {
  const orders = Buffer.from('0 0 m 1 1 l S\n'.repeat(70_000))
  const piece = deflateRawSync(orders, { finishFlush: constants.Z_FULL_FLUSH })
  const end = Buffer.from([3, 0, 0, 0, 0, 1])
  const body = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: 1100 }, () => piece), end])
  const plain = buildPdf([{ content: 'CONTENT' }]).toString('latin1')
  const [before = '', behind = ''] = plain.split(/<<[^<>]*>>\s*stream\s*CONTENT\s*/)
  const head = `${before}<< /Length ${body.length} /Filter /FlateDecode >>\nstream\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body, Buffer.from(`\n${behind}`, 'latin1')])
}
