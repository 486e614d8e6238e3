import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import CFB from 'cfb'
import iconv from 'iconv-lite'
import sharp from 'sharp'
import { createParserPool } from '../../../src/parsers/child/parser-pool.ts'
import { type AcceptedFiles, isReadInChild } from '../../../src/parsers/formats.ts'
import type { ParseEvent } from '../../../src/parsers/parse-event.ts'
import { sniff } from '../../../src/parsers/sniff.ts'
import { buildEpub } from '../../support/build-epub.ts'
import { buildFlatOdf, buildOdf, odfParagraph, odfShape, odfSlide, odfTable } from '../../support/build-odf.ts'
import { buildDocx, buildPptx, buildXlsx, sheetRows, slideShape, wordParagraph } from '../../support/build-office.ts'
import { buildPdf } from '../../support/build-pdf.ts'
import { buildPptFile, textShape } from '../../support/build-ppt-file.ts'
import { buildSummary } from '../../support/build-summary.ts'
import { buildWordFile } from '../../support/build-word-file.ts'
import { buildXlsFile, buildXlsStream } from '../../support/build-xls-file.ts'

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const folder = mkdtempSync(join(tmpdir(), 'read-documents-'))
const tasksModule = new URL('../../../src/parsers/child/parse-tasks.ts', import.meta.url).href
const pool = createParserPool({ size: 1, tasksModule, temporaryDirectory: folder, log: silent })

after(async () => {
  await pool.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Reads a file like the service, without a file name for type detection. */
async function read(
  content: Buffer,
  accepted: AcceptedFiles = 'documents',
): Promise<{ format: string; events: ParseEvent[] }> {
  const path = join(folder, 'upload')
  writeFileSync(path, content)
  const source = { path, bytes: content.length, filename: null, declaredType: null }
  const type = await sniff(source, accepted)
  assert.ok(isReadInChild(type.format))
  const events: ParseEvent[] = []
  for await (const event of pool.parse(source, type)) events.push(event)
  return { format: type.format, events }
}

function textOf(events: readonly ParseEvent[]): string {
  return events.map((event) => ('block' in event ? event.block.text : '')).join('')
}

describe('a document of each format, without a name', () => {
  const slides = [{ shapes: slideShape(['The orchard']) }, { shapes: slideShape(['has plums']) }]
  const words = 'BT /F1 10 Tf 72 700 Td (The orchard) Tj ET'
  const documents: readonly (readonly [format: string, content: Buffer, pageCount: number | null])[] = [
    ['pdf', buildPdf([{ content: words }, { content: words }]), 2],
    ['docx', buildDocx(wordParagraph('The orchard')), null],
    ['pptx', buildPptx(slides), 2],
    ['xlsx', buildXlsx([{ name: 'Plums', content: sheetRows([['The orchard']]) }]), 1],
    ['xls', buildXlsFile({ sheets: [{ name: 'Plums', rows: [['The orchard']] }] }), 1],
    ['xls', buildXlsStream({ sheets: [{ name: 'Plums', rows: [['The orchard']] }] }), 1],
    ['doc', buildWordFile({ stories: { 0: 'The orchard\r' } }), null],
    ['rtf', Buffer.from('{\\rtf1 The orchard}'), null],
    ['ppt', buildPptFile({ slides: [{ shapes: [textShape(0, 'The orchard')] }] }), 1],
    ['odt', buildOdf('text', odfParagraph('The orchard')), null],
    ['odt', buildFlatOdf('text', odfParagraph('The orchard')), null],
    ['ods', buildOdf('spreadsheet', odfTable([['The orchard']])), 1],
    ['odp', buildOdf('presentation', odfSlide(odfShape(odfParagraph('The orchard')))), 1],
    ['epub', buildEpub([{ name: 'a.xhtml', body: '<p>The orchard</p>' }]), null],
    ['html', Buffer.from('<!doctype html><p>The orchard'), null],
    ['xml', Buffer.from('<?xml version="1.0"?><a>The orchard</a>'), null],
  ]
  for (const [format, content, pageCount] of documents) {
    it(`is read in a child process, with a page count where the format has pages: ${format}`, async () => {
      const { format: found, events } = await read(content)
      assert.equal(found, format)
      assert.match(textOf(events), /The orchard/)
      const counted = events.find((event) => 'pageCount' in event || 'block' in event) ?? {}
      assert.equal('pageCount' in counted ? counted.pageCount : null, pageCount)
      if (pageCount !== null) assert.equal(events.filter((event) => 'page' in event).length, pageCount)
    })
  }

  it('is decoded as it says itself: HTML and XML', async () => {
    const page = iconv.encode('<html><meta charset="windows-1251"><p>Ёлка и снег', 'windows-1251')
    assert.equal(textOf((await read(page)).events).trim(), 'Ёлка и снег')
    const data = iconv.encode('<?xml version="1.0" encoding="iso-8859-2"?><a>Łódź</a>', 'iso-8859-2')
    assert.equal(textOf((await read(data)).events).trim(), 'Łódź')
    const wide = iconv.encode('<?xml version="1.0" encoding="utf-16"?><a>Größe</a>', 'utf-16le', { addBOM: true })
    assert.equal(textOf((await read(wide)).events).trim(), 'Größe')
  })

  it('each part of a mail is decoded by its own charset, also after an editor saved it in UTF-16', async () => {
    const part = (charset: string) => `--b\nContent-Type: text/plain; charset=${charset}\n\n`
    const head = 'From: a@example.com\nSubject: Größe\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n'
    const [russian, german] = [iconv.encode('Ёлка и снег\n', 'koi8-r'), Buffer.from('Größe\n')]
    const mail = Buffer.concat([Buffer.from(head + part('koi8-r')), russian, Buffer.from(part('utf-8')), german])
    const { format, events } = await read(mail)
    assert.equal(format, 'mail')
    assert.equal(textOf(events), 'Größe\n\nFrom: a@example.com\n\nЁлка и снег\n\nGröße\n\n')
    const wide = iconv.encode(`${head}${part('utf-8')}Größe`, 'utf-16le', { addBOM: true })
    assert.equal(textOf((await read(wide)).events), 'Größe\n\nFrom: a@example.com\n\nGröße\n\n')
  })
})

describe('a picture', () => {
  const canvas = { create: { width: 60, height: 40, channels: 3, background: '#fff' } } as const
  const scansOf = (events: readonly ParseEvent[]) => events.flatMap((event) => ('scan' in event ? [event.scan] : []))

  for (const format of ['png', 'jpeg', 'webp', 'gif', 'tiff'] as const) {
    it(`is one page to be recognised: ${format}`, async () => {
      const { format: found, events } = await read(await sharp(canvas).toFormat(format).toBuffer(), 'images')
      assert.equal(found, format)
      assert.deepEqual(events, [{ pageCount: 1 }, { scan: { page: 1, widthPoints: 60, heightPoints: 40, text: '' } }])
    })
  }

  it('has the pages of a TIFF, and the first of an animation', async () => {
    const frames = [sharp(canvas), sharp(canvas).negate()].map((frame) => frame.png().toBuffer())
    const joined = sharp(await Promise.all(frames), { join: { animated: true } })
    const tiff = await joined.clone().tiff().toBuffer()
    assert.deepEqual(
      scansOf((await read(tiff, 'images')).events).map(({ page }) => page),
      [1, 2],
    )
    const gif = await joined
      .clone()
      .gif({ delay: [100, 100] })
      .toBuffer()
    assert.deepEqual(
      scansOf((await read(gif, 'images')).events).map(({ page }) => page),
      [1],
    )
  })
})

describe('the title of a document', () => {
  const office = {
    '_rels/.rels': `<Relationships>${[
      ['officeDocument', 'word/document.xml'],
      ['officeDocument', 'ppt/presentation.xml'],
      ['officeDocument', 'xl/workbook.xml'],
      ['core-properties', 'docProps/core.xml'],
    ]
      .map(([type, target], index) => `<Relationship Id="r${index}" Type="urn:x/${type}" Target="${target}"/>`)
      .join('')}</Relationships>`,
    'docProps/core.xml':
      '<cp:coreProperties xmlns:cp="urn:c" xmlns:dc="urn:d"><dc:creator>Okonkwo</dc:creator><dc:title>The &amp; orchard</dc:title></cp:coreProperties>',
  }
  const summary = buildSummary(Buffer.from('The & orchard'), 1252)
  const withSummary = (file: Buffer): Buffer => {
    const container = CFB.read(file, { type: 'buffer' })
    CFB.utils.cfb_add(container, '/\u0005SummaryInformation', summary)
    return Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer)
  }
  const rows = sheetRows([['plums']])
  const documents: readonly (readonly [format: string, content: Buffer, over: string])[] = [
    ['pdf', buildPdf([{ content: '' }], { info: '/Title (The & orchard)' }), 'file-name'],
    ['docx', buildDocx(wordParagraph('plums'), office), 'file-name'],
    ['pptx', buildPptx([{ shapes: slideShape(['plums']) }], office), 'file-name'],
    ['xlsx', buildXlsx([{ name: 'Sheet1', content: rows }], {}, office), 'headings'],
    ['xls', withSummary(buildXlsFile({ sheets: [{ name: 'Sheet1', rows: [['plums']] }] })), 'headings'],
    ['doc', withSummary(buildWordFile({ stories: { 0: 'plums\r' } })), 'file-name'],
    ['ppt', withSummary(buildPptFile({ slides: [{ shapes: [textShape(0, 'plums')] }] })), 'file-name'],
    ['rtf', Buffer.from('{\\rtf1{\\info{\\title The & orchard}}plums}'), 'file-name'],
    ['html', Buffer.from('<!doctype html><title>The &amp; orchard</title><p>plums'), 'headings'],
  ]
  for (const [format, content, over] of documents) {
    it(`comes before its first block: ${format}`, async () => {
      const { format: found, events } = await read(content)
      assert.equal(found, format)
      const titles = events.filter((event) => 'title' in event)
      assert.deepEqual(titles, [{ title: 'The & orchard', over }])
      const firstBlock = events.findIndex((event) => 'block' in event)
      assert.ok(firstBlock === -1 || events.findIndex((event) => 'title' in event) < firstBlock)
    })
  }

  it('is nothing for a workbook without a title, whose first heading is the name of a sheet', async () => {
    const { events } = await read(buildXlsx([{ name: 'Sheet1', content: rows }]))
    assert.deepEqual(
      events.filter((event) => 'title' in event),
      [{ title: null, over: 'headings' }],
    )
  })
})
