import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import CFB from 'cfb'
import iconv from 'iconv-lite'
import { buildEpub } from '../../test/support/build-epub.ts'
import { buildFlatOdf, buildOdf, odfManifest, odfXml } from '../../test/support/build-odf.ts'
import {
  buildDocx,
  buildPptx,
  buildXlsx,
  links,
  sheetRows,
  slideShape,
  wordParagraph,
} from '../../test/support/build-office.ts'
import { buildXlsStream } from '../../test/support/build-xls-file.ts'
import { buildZip } from '../../test/support/build-zip.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import { bufferBytes } from './byte-source.ts'
import { type AcceptedFiles, getHintedFormat, requireFormat } from './formats.ts'
import type { SniffedType } from './parse-event.ts'
import { detectTextFormat, sniffBytes } from './sniff.ts'

type Sender = { filename?: string | null; declaredType?: string | null; accepted?: AcceptedFiles }

function sniff(content: string | Buffer, filename: string | null, sender: Sender = {}): Promise<SniffedType> {
  return sniffBytes(bufferBytes(Buffer.from(content)), { filename, declaredType: null, ...sender })
}

async function assertRefused(code: ErrorCode, message: RegExp, ...source: Parameters<typeof sniff>): Promise<ApiError> {
  try {
    await sniff(...source)
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    assert.deepEqual([error.code, message.test(error.message)], [code, true], `${source[1]}: ${error.message}`)
    return error
  }
  assert.fail(`not refused: ${source[1]}`)
}

test('chooses among text formats by name', async () => {
  const text = 'name,size\nbolt,4\n'
  for (const [filename, format] of [
    ['a.txt', 'txt'],
    ['a.LOG', 'log'],
    ['a.b.md', 'markdown'],
    ['a.csv', 'csv'],
    ['a.tsv', 'tsv'],
    ['a.py', 'txt'],
    ['README', 'txt'],
  ] as const) {
    assert.equal((await sniff(text, filename)).format, format, filename)
  }
})

test('chooses by declared type without a name', async () => {
  assert.equal((await sniff('a,b\n', null, { declaredType: 'text/csv; charset=utf-8' })).format, 'csv')
  assert.equal((await sniff('a,b\n', 'upload', { declaredType: 'application/octet-stream' })).format, 'txt')
  assert.equal((await sniff('a,b\n', 'a.csv', { declaredType: 'text/plain' })).format, 'csv')
})

test('distinguishes JSON and JSON Lines by content, under any name', async () => {
  assert.equal((await sniff('{"a":1}\n{"a":2}\n', 'a.json')).format, 'jsonl')
  assert.equal((await sniff('{\n "a": 1\n}\n', 'a.jsonl')).format, 'json')
  assert.equal((await sniff('[1,2]', null)).format, 'json')
  assert.equal((await sniff('{"a":1}\n{"a":2}\n', 'export')).format, 'jsonl')
  assert.equal((await sniff('{"a":1}', 'a.txt')).format, 'txt')
  assert.equal((await sniff('{not json', null)).format, 'txt')
  assert.equal((await sniff('{not json', 'a.json')).format, 'json')
})

test('detects the format of a text without a name', async () => {
  assert.equal((await sniff('# Title\n\n- a **b**\n', null)).format, 'markdown')
  assert.equal((await sniff('Dear all,\n\nwords.\n', null)).format, 'txt')
})

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
const NOISE = Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919) % 251))

test('rejects binary content under any name and names the detected and supported types', async () => {
  const gzip = Buffer.from('\x1f\x8b\x08\0', 'latin1')
  const supported =
    /gzip archive.*TXT, LOG, Markdown, CSV, TSV, JSON, JSONL\/NDJSON, HTML, XML, EML, PDF, DOCX, DOC, RTF, XLSX, XLS, PPTX, PPT, ODT, ODS, ODP, EPUB, ZIP; images \(PNG, JPEG, WebP, GIF, TIFF, BMP\) are read with OCR\.$/
  await assertRefused('unsupported_file_type', supported, gzip, 'a.txt')
  await assertRefused('unsupported_file_type', /binary data/, Buffer.from('words\0with\0nul\0bytes'), 'a.md')
  await assertRefused('unsupported_file_type', /binary data/, NOISE, 'a.csv')
})

test('detects RTF under any name, and no other text as RTF', async () => {
  for (const name of ['a.rtf', 'a.doc', 'a.txt', null])
    assert.equal((await sniff('{\\rtf1\\ansi words}', name)).format, 'rtf')
  await assertRefused('unprocessable_document', /declared as RTF, but its content is plain text/, 'words', 'a.rtf')
})

test('rejects an image as document and names the OCR endpoint', async () => {
  const error = await assertRefused(
    'unsupported_file_type',
    /: PNG image\..* EPUB, ZIP; images \(PNG, .*\) are read with OCR\.$/,
    PNG,
    'a.pdf',
  )
  assert.match(error.remedy, /POST \/v1\/memories\/:id\/ocr/)
  assert.equal(error.facts.extra?.['detectedType'], 'PNG image')
})

test('rejects documents where images are accepted', async () => {
  const accepted = 'images'
  assert.deepEqual(await sniff(PNG, 'a.jpg', { accepted }), { format: 'png', mimeType: 'image/png', encoding: null })
  const bigTiff = Buffer.from('II+\0\x08\0\0\0', 'latin1')
  assert.equal((await sniff(bigTiff, null, { accepted })).format, 'tiff')
  const list = /Supported: PNG, JPEG, WebP, GIF, TIFF, BMP\.$/
  for (const content of ['%PDF-1.7\n', 'words', '  ', buildDocx(wordParagraph('x'))]) {
    await assertRefused('unsupported_file_type', list, content, 'a.png', { accepted })
  }
  await assertRefused('unsupported_file_type', list, NOISE, null, { accepted })
  await assertRefused('image_unreadable', /empty/, '', 'a.png', { accepted })
  await assertRefused('image_unreadable', /is damaged: its header is missing/, NOISE, null, {
    accepted,
    declaredType: 'image/png',
  })
})

test('detects HTML and XML by their start, also under the wrong name', async () => {
  for (const [content, filename, format] of [
    ['<!-- x --><!DOCTYPE html><p>words', null, 'html'],
    ['<p>words', 'a.html', 'html'],
    ['<?xml version="1.0"?><a/>', null, 'xml'],
    ['<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html>', 'a.xml', 'html'],
    ['<?xml version="1.0"?><!-- page --><h:html xmlns:h="http://www.w3.org/1999/xhtml">', null, 'html'],
    ['<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e "html">]><x>html</x>', 'a.html', 'xml'],
    ['<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument/>', 'a.doc', 'xml'],
    ['<html><table><tr><td>1', 'a.xls', 'html'],
    ['<html>', 'a.txt', 'txt'],
  ] as const) {
    assert.equal((await sniff(content, filename)).format, format, content)
  }
})

test('uses the declared encoding of markup, else its own declaration', async () => {
  const page = iconv.encode('<html><meta charset="windows-1251"><p>Ёлка и снег', 'windows-1251')
  assert.equal((await sniff(page, 'a.html')).encoding, 'windows-1251')
  assert.equal((await sniff(page, null, { declaredType: 'text/html; charset=koi8-r' })).encoding, 'koi8-r')
})

test('detects a PDF with its mark anywhere in the first bytes, but not text about PDF', async () => {
  assert.equal((await sniff('%PDF-1.4\n', 'a.txt')).format, 'pdf')
  assert.equal((await sniff('HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\nstream\n\0\x01', null)).format, 'pdf')
  assert.equal((await sniff('A PDF begins with %PDF-1.4.', 'a.txt')).format, 'txt')
})

test('detects Office files by content, under any name', async () => {
  const slides = buildPptx([{ shapes: slideShape(['x']) }])
  const sheet = buildXlsx([{ name: 'S', content: sheetRows([['x']]) }])
  for (const [bytes, format] of [
    [buildDocx(wordParagraph('x')), 'docx'],
    [slides, 'pptx'],
    [sheet, 'xlsx'],
    [compoundFile('WordDocument'), 'doc'],
    [compoundFile('PowerPoint Document'), 'ppt'],
    [compoundFile('Workbook'), 'xls'],
    [compoundFile('BOOK'), 'xls'],
    [buildXlsStream({ sheets: [] }), 'xls'],
    [buildXlsStream({ sheets: [], codePage: 1252 }), 'xls'],
    [Buffer.from('\x09\0\x04\0\x02\0\x10\0', 'latin1'), 'xls'],
    [Buffer.from('\xdb\xa5\x2d\0\0\0', 'latin1'), 'doc'],
  ] as const) {
    assert.equal((await sniff(bytes, 'a.txt')).format, format)
  }
  for (const filename of ['a.docm', 'a.dotx', 'a.docx']) {
    assert.equal((await sniff(buildDocx(wordParagraph('x')), filename)).format, 'docx')
  }
})

test('detects OpenDocument files and books by their parts, in any order and with a wrong type', async () => {
  const sheet = buildOdf('spreadsheet', '<table:table/>')
  const wrong = { files: { mimetype: 'application/vnd.oasis.opendocument.text' } }
  const book = buildEpub([{ name: 'a.xhtml', body: 'x' }])
  const long = `<style:style/>`.repeat(500_000)
  const bare = { 'a.txt': 'x', 'META-INF/manifest.xml': odfManifest('text'), 'content.xml': odfXml('x', '') }
  for (const [bytes, format] of [
    [buildOdf('text', ''), 'odt'],
    [sheet, 'ods'],
    [buildOdf('presentation', '', { oddities: { isStored: true } }), 'odp'],
    [buildOdf('spreadsheet', '', wrong), 'ods'],
    [buildOdf('text', '', { automatic: long }), 'odt'],
    [buildZip(bare), 'odt'],
    [buildFlatOdf('text', ''), 'odt'],
    [buildFlatOdf('spreadsheet', ''), 'ods'],
    [book, 'epub'],
    [buildEpub([], { files: { mimetype: 'text/plain' } }), 'epub'],
    [buildZip({ 'OEBPS/a.opf': '<x/>', mimetype: 'application/epub+zip' }), 'epub'],
  ] as const) {
    for (const filename of [null, 'a.docx', 'a.odp', 'a.xml']) {
      assert.equal((await sniff(bytes, filename)).format, format, `${filename}`)
    }
  }
  for (const filename of ['a.ott', 'a.fodt', 'a.odm']) assert.equal(getHintedFormat(filename, null)?.format, 'odt')
  const template = 'application/vnd.oasis.opendocument.presentation-template'
  assert.equal(getHintedFormat(null, template)?.format, 'odp')
})

test('names unsupported Office formats', async () => {
  const binarySheet = { '_rels/.rels': links({ r: ['officeDocument', 'xl/workbook.bin'] }), 'xl/workbook.bin': 'x' }
  for (const [bytes, name] of [
    [compoundFile('__properties_version1.0'), /: OLE compound file\./],
    [buildZip(binarySheet), /: XLSB\./],
    [buildOdf('drawing', ''), /: OpenDocument drawing, chart or formula\./],
    [
      buildZip({ mimetype: 'application/vnd.oasis.opendocument.formula' }, { isStored: true }),
      /: OpenDocument drawing/,
    ],
    [buildZip({ 'META-INF/MANIFEST.MF': 'x', 'A.class': 'x' }), /: ZIP archive of a program \(META/],
    [buildZip({ '[Content_Types].xml': '<Types/>', 'visio/document.xml': '<x/>' }), /: ZIP archive of a program/],
  ] as const) {
    await assertRefused('unsupported_file_type', name, bytes, null)
  }
})

test('reports an encrypted Office file under any name', async () => {
  await assertRefused('unprocessable_document', /password protected/, compoundFile('EncryptedPackage'), 'a.docx')
  await assertRefused('unprocessable_document', /password protected/, compoundFile('EncryptedPackage'), null)
})

test('reports an unrecognizable damaged file as damaged, not unsupported', async () => {
  const whole = buildDocx(wordParagraph('x'))
  const types = buildZip({ '[Content_Types].xml': '<Types/>', 'word/styles.xml': '<x/>' })
  for (const [bytes, filename, message] of [
    [whole.subarray(0, 400), 'a.docx', /probably truncated/],
    [types, null, /main part is missing/],
    [compoundFile('Nothing'), 'a.doc', /DOC, but is damaged/],
    [compoundFile('WordDocument').subarray(0, 600), 'a.ppt', /damaged/],
    [Buffer.concat([Buffer.alloc(8), whole]), 'a.docx', /DOCX, but is damaged: its header/],
    [NOISE, 'a.pdf', /PDF, but is damaged: its header/],
    [NOISE, 'a.odt', /ODT, but is damaged: its header/],
    [buildOdf('text', '', { oddities: { isStored: true } }).subarray(0, 300), null, /probably truncated/],
    [buildEpub([], { oddities: { isStored: true } }).subarray(0, 200), 'a.zip', /probably truncated/],
  ] as const) {
    await assertRefused('unprocessable_document', message, bytes, filename)
  }
})

test('detects an archive of documents under any name', async () => {
  for (const files of [{ 'readme.txt': 'x' }, {}, { 'a.txt': 'x', 'word/notes.txt': 'x' }]) {
    for (const filename of ['a.zip', 'a.txt', null])
      assert.equal((await sniff(buildZip(files), filename)).format, 'zip')
  }
  assert.equal((await sniff(buildDocx(wordParagraph('x')), 'a.zip')).format, 'docx')
  await assertRefused('unsupported_file_type', /: ZIP archive\./, buildZip({ 'a.txt': 'x' }), 'a.docx')
})

test('limits unpacking of a container during detection', async () => {
  const bomb = buildZip({ '[Content_Types].xml': '<Types/>', '_rels/.rels': Buffer.alloc(8 * 1024 * 1024, ' ') })
  await assertRefused('unprocessable_document', /too large when unpacked/, bomb, 'a.docx')
})

test('detects tables and web archives that are named as spreadsheets', async () => {
  const archive = 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\nx'
  for (const [content, name, format] of [
    ['item\tcrates\nPlum\t3\n', 'a.xls', 'tsv'],
    ['item\tcrates\nPlum\t3\n', 'a.xlsx', 'tsv'],
    [iconv.encode('item\tcrates\nPlum\t3\n', 'utf-16le', { addBOM: true }), 'a.xls', 'tsv'],
    ['item;crates\nPlum;3\n', 'a.xls', 'csv'],
    ['Report of May\nitem,crates\nPlum,3\nPear,4\n', 'a.xls', 'csv'],
    ['sep=;\nitem;crates\nPlum;3\n', 'a.xls', 'csv'],
    ['<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>', 'a.xls', 'xml'],
    [archive, 'a.xls', 'mail'],
  ] as const) {
    assert.equal((await sniff(content, name)).format, format, content.toString())
  }
  assert.equal((await sniff('a,b\n1,2\n', null, { declaredType: 'application/vnd.ms-excel' })).format, 'csv')
  for (const text of ['words', 'Words, of a line.', 'One line.\nAnother line.\n'])
    await assertRefused('unprocessable_document', /declared as XLS, but its content is plain text/, text, 'a.xls')
})

test('rejects text named as a binary type', async () => {
  await assertRefused('unprocessable_document', /DOCX/, 'words', 'a.docx')
  await assertRefused('unprocessable_document', /PDF/, 'words', null, { declaredType: 'application/pdf' })
})

test('rejects an empty file and a file of only white space', async () => {
  for (const content of ['', ' \r\n\t ', '\ufeff', '\u00a0\u200b\n']) {
    await assertRefused('unprocessable_document', /empty|only white space/, content, 'a.txt')
  }
})

test('accepts terminal colours and an old end mark in a log', async () => {
  assert.equal((await sniff('\x1b[31mred\x1b[0m words\n\x1a', 'a.log')).format, 'log')
})

test('accepts the marks of seven-bit Korean', async () => {
  const korean = Buffer.from('\x1b$)C\n\x0eGQ1[\x0f \x0eGQ1[\x0f \x0eGQ1[\x0f\n', 'latin1')
  assert.equal((await sniff(korean, 'a.txt')).encoding, 'iso-2022-kr')
})

test('accepts a log with NUL bytes, binary fragments and a rotated name, but no binary file', async () => {
  const line = '2026-01-02 03:04:05 INFO started\n'
  for (const content of [`${'\0'.repeat(200_000)}${line}`, `${line}\0\0${line}`, `${line.repeat(9)}\x01\x02\xff\xfe\n`])
    assert.equal((await sniff(Buffer.from(content, 'latin1'), 'a.log')).format, 'log')
  for (const name of ['a.log.1', 'a.log.2026-01-02', 'a.log-20260102'])
    assert.equal((await sniff(line, name)).format, 'log')
  await assertRefused('unsupported_file_type', /binary data/, NOISE, 'a.log')
})

test('detects a text packed with gzip by the name without .gz', async () => {
  const packed = (content: string | Buffer) => gzipSync(content)
  const line = '2026-01-02 03:04:05 INFO started\n'
  for (const [name, format] of [
    ['a.log.gz', 'log'],
    ['a.log.1.gz', 'log'],
    ['a.csv.GZ', 'csv'],
  ] as const)
    assert.deepEqual(await sniff(packed(line), name), { format, mimeType: 'application/gzip', encoding: 'utf-8' })
  await assertRefused('unsupported_file_type', /gzip archive/, packed(line), 'a.gz')
  await assertRefused('unsupported_file_type', /gzip archive/, packed(buildZip({ 'a.txt': 'x' })), 'a.log.gz')
  await assertRefused(
    'unprocessable_document',
    /gzip archive is empty or damaged/,
    packed(line).subarray(0, 10),
    'a.log.gz',
  )
  const bomb = packed(Buffer.alloc(101 * 1024 * 1024, 'a\n'))
  await assertRefused('unprocessable_document', /too large when unpacked: more than 100 MB/, bomb, 'a.log.gz')
})

function compoundFile(stream: string): Buffer {
  const container = CFB.utils.cfb_new()
  CFB.utils.cfb_add(container, `/${stream}`, Buffer.from('content'))
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer)
}

const JSONL = requireFormat('jsonl')
const JSON_ = requireFormat('json')

test('detects JSON Lines named as JSON, and vice versa', () => {
  assert.equal(detectTextFormat('{"a":1}\n{"a":2}\n', JSON_), 'jsonl')
  assert.equal(detectTextFormat('{\n"a":1\n}\n', JSONL), 'json')
})

test('detects JSON Lines with an invalid or very long first line', () => {
  assert.equal(detectTextFormat('{"a":\n{"b":1}\n', JSONL), 'jsonl')
  assert.equal(detectTextFormat(`{"a":"${'x'.repeat(60_000)}`, JSONL), 'jsonl')
})

test('detects a truncated start of a large JSON file', () => {
  const beginning = `[\n${' {"a": 1},\n'.repeat(2000)}`
  assert.equal(detectTextFormat(beginning, JSONL), 'json')
  assert.equal(detectTextFormat(beginning, null), 'json')
  assert.equal(detectTextFormat(beginning.replaceAll('\n', ''), null), 'json')
})

test('treats text that merely starts with a bracket as text', () => {
  for (const text of ['[1]\nSmith, J. On brackets.', '[Note] words', '{draft', '[']) {
    assert.equal(detectTextFormat(text, null), 'txt', text)
  }
})

test('detects HTML after comments', () => {
  assert.equal(detectTextFormat(`${'<!-- x -->\n'.repeat(2000)}<html lang="en">`, null), 'html')
  assert.equal(detectTextFormat('<!-- never closed', null), 'txt')
})

test('does not read comments of settings and programs as Markdown', () => {
  assert.equal(detectTextFormat('# Base image\nFROM node:20\n\n# Install\nRUN npm ci\n', null), 'txt')
  assert.equal(detectTextFormat('# The ports that\n# are open.\nports:\n  - 80\n# The host\nhost: a\n', null), 'txt')
  assert.equal(detectTextFormat('# Title\nText\n- one\n', null), 'markdown')
  assert.equal(detectTextFormat('# One\n\nText\n\n# Two\n\n- item\n', null), 'markdown')
  assert.equal(detectTextFormat('# One.\n# Two.\n# Three\n', null), 'txt')
  const notes = '# Opening hours\nWe open at nine. Dogs are welcome.\n# Prices\nChildren pay nothing.\n- adults: 5\n'
  assert.equal(detectTextFormat(notes, null), 'markdown')
  assert.equal(detectTextFormat('# One\nText\n## Two\nText\n# Three\nText\n', null), 'markdown')
})
