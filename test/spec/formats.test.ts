import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildDocx, wordParagraph } from '../support/build-office.ts'
import { buildScannedPdf } from '../support/build-scanned-pdf.ts'
import { buildZip } from '../support/build-zip.ts'
import { SAMPLE_DOCUMENTS, type SampleDocument } from '../support/sample-documents.ts'
import { makeSamplePictures } from '../support/sample-pictures.ts'
import { assertError, assertStatus, type ErrorAnswer } from './answer.ts'
import { useSharedService } from './service.ts'
import type { DocumentWithPages } from './shapes.ts'
import {
  addText,
  find,
  listDocuments,
  makeMemory,
  readDocument,
  readText,
  type Upload,
  upload,
  uploadReady,
} from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()

const NAMES = ['PDF', 'DOCX', 'DOC', 'XLSX', 'XLS', 'PPTX', 'PPT', 'HTML', 'XML'] as const

function sample(name: (typeof NAMES)[number]): SampleDocument {
  const found = SAMPLE_DOCUMENTS[name]
  assert.ok(found)
  return found
}

/** Adds the sample and compares text, report, best hit and stored original. */
async function assertRead(document: SampleDocument): Promise<DocumentWithPages> {
  const memoryId = await makeMemory(service)
  const { content, filename, mimeType } = document
  const id = await uploadReady(service, memoryId, { content, filename, type: mimeType, options: { storeSource: true } })
  const record = await readDocument(service, memoryId, id)
  assert.deepEqual([record.status, record.mimeType, record.error, record.ocrPages], ['ready', mimeType, null, 0])

  const text = await readText(service, memoryId, id)
  let at = 0
  for (const phrase of document.says) {
    const found = text.indexOf(phrase, at)
    assert.ok(found >= 0, `"${phrase}" is missing, or out of order, in: ${text}`)
    at = found
  }
  assert.equal(record.characterCount, text.length)

  const [hit] = (await find(service, memoryId, document.question)).hits
  assert.ok(hit)
  assert.ok(hit.text.includes(document.answer.says), hit.text)
  assert.equal(hit.text, text.slice(hit.startOffset, hit.endOffset))
  assert.deepEqual([hit.page, hit.pageEnd], [document.answer.page, document.answer.page])
  assert.equal(hit.section?.split(' > ').at(-1) ?? null, document.answer.section)

  const source = await service.get(`/v1/memories/${memoryId}/documents/${id}/source`)
  assertStatus(source, 200)
  assert.ok(source.bytes.equals(Buffer.from(content)))
  assert.match(source.headers.get('content-type') ?? '', new RegExp(`^${mimeType}`))
  assert.match(source.headers.get('content-disposition') ?? '', new RegExp(filename))
  return record
}

/** The report of a file with text on every page. */
function assertPagesOfText(record: DocumentWithPages, pages: number): void {
  assert.equal(record.pageCount, pages)
  assert.deepEqual(
    record.pages.map(({ page, method, confidence, message }) => [page, method, confidence, message]),
    Array.from({ length: pages }, (_, index) => [index + 1, 'text', null, null]),
  )
  assert.equal(
    record.pages.reduce((total, { characters }) => total + characters, 0),
    record.characterCount,
  )
}

test('PDF is read page by page', async () => {
  verifies(
    'documents.types.pdf',
    'documents.pages.methods',
    'documents.page-counts',
    'formats.places',
    'formats.source',
  )
  assertPagesOfText(await assertRead(sample('PDF')), 2)
})

test('DOCX keeps headings, tables and list numbers', async () => {
  verifies('documents.types.docx', 'formats.structure', 'formats.places', 'formats.source')
  const { title } = await assertRead(sample('DOCX'))
  assert.equal(title, 'Duties of the keeper')
})

test('DOC is read as DOCX is', async () => {
  verifies('documents.types.doc', 'formats.structure', 'formats.source')
  await assertRead(sample('DOC'))
})

test('XLSX gives sheets as pages, rows with their header, and numbers both raw and formatted', async () => {
  verifies('documents.types.xlsx', 'formats.structure', 'formats.places', 'documents.page-counts', 'formats.source')
  assertPagesOfText(await assertRead(sample('XLSX')), 2)
})

test('XLS is read as XLSX is', async () => {
  verifies('formats.structure', 'formats.places', 'documents.page-counts', 'formats.source')
  assertPagesOfText(await assertRead(sample('XLS')), 2)
})

test('PPTX gives slides as pages, with titles and notes', async () => {
  verifies('documents.types.pptx', 'formats.structure', 'formats.places', 'documents.page-counts', 'formats.source')
  assertPagesOfText(await assertRead(sample('PPTX')), 2)
})

test('PPT is read as PPTX is', async () => {
  verifies('documents.types.ppt', 'formats.structure', 'formats.places', 'documents.page-counts', 'formats.source')
  assertPagesOfText(await assertRead(sample('PPT')), 2)
})

test('HTML gives visible text, with headings, lists and tables', async () => {
  verifies('documents.types.html', 'formats.structure', 'formats.places', 'formats.source')
  const { memoryId, id } = await assertRead(sample('HTML'))
  assert.doesNotMatch(await readText(service, memoryId, id), /nobody reads this|color:red/)
})

test('XML gives its texts', async () => {
  verifies('documents.types.xml', 'formats.source')
  await assertRead(sample('XML'))
})

test('a document without pages has one report for all of its text, and counts no pages', async () => {
  verifies('documents.get.pages', 'documents.pages.methods', 'documents.page-counts')
  const memoryId = await makeMemory(service)
  const plain = { content: 'Wind from the west.\nNo ships.\n', filename: 'wind.txt' }
  const uploads = [plain, ...(['DOCX', 'DOC', 'HTML', 'XML'] as const).map(sample)]
  const ids = await Promise.all(
    uploads.map(({ content, filename }) => uploadReady(service, memoryId, { content, filename })),
  )
  ids.push(await addText(service, memoryId, 'The fog came at noon.'))
  for (const id of ids) {
    const { pageCount, pages, characterCount } = await readDocument(service, memoryId, id)
    const report = { page: 1, method: 'text', characters: characterCount, confidence: null, message: null }
    assert.deepEqual({ pageCount, pages }, { pageCount: null, pages: [report] })
  }
})

test('content decides the type, not a wrong extension or declared type', async () => {
  verifies('formats.by-content')
  const memoryId = await makeMemory(service)
  const wrong: Upload[] = NAMES.filter((name) => name !== 'HTML' && name !== 'XML').map((name, index) => ({
    content: sample(name).content,
    filename:
      ['notes.txt', 'table.csv', 'slides.pdf', 'picture.png', 'letter.doc', 'page.html', 'nameless'][index] ?? '',
    type: ['text/plain', 'application/pdf', 'image/png'][index % 3] ?? '',
  }))
  for (const file of wrong) {
    const id = await uploadReady(service, memoryId, file)
    const { mimeType } = await readDocument(service, memoryId, id)
    const expected = NAMES.map(sample).find(({ content }) => content === file.content)
    assert.equal(mimeType, expected?.mimeType)
  }
  const page = await uploadReady(service, memoryId, { content: sample('HTML').content, filename: 'page' })
  assert.equal((await readDocument(service, memoryId, page)).mimeType, 'text/html')
})

const PROGRAM = Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0', 'latin1')

test('a picture, an archive and a program are not documents: 415 with the list of supported types', async () => {
  verifies('errors.415.unsupported_file_type', 'formats.pictures-elsewhere')
  const memoryId = await makeMemory(service)
  const { PNG } = await makeSamplePictures()
  assert.ok(PNG)
  const files: Upload[] = [
    { content: PNG.content, filename: 'scan.png' },
    { content: Uint8Array.from(buildZip({ 'a.txt': 'Words in an archive.' })), filename: 'archive.docx' },
    { content: Uint8Array.from(gzipSync(PROGRAM)), filename: 'program.gz' },
    { content: Uint8Array.from(PROGRAM), filename: 'program.pdf' },
  ]
  for (const file of files) {
    const answer = await upload(service, memoryId, file)
    assertError(answer, 415, 'unsupported_file_type')
    for (const name of NAMES) assert.match(answer.text, new RegExp(`\\b${name}\\b`), file.filename)
  }
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

/**
 * Asserts that the file is refused as unreadable, with the cause in the message, and that nothing
 * is stored.
 */
async function assertRefused(memoryId: string, file: Upload, cause: RegExp): Promise<void> {
  const answer = await upload<ErrorAnswer>(service, memoryId, file)
  assertError(answer, 422, 'unprocessable_document')
  assert.match(answer.json.error.message, cause, file.filename)
  assert.equal((await listDocuments(service, memoryId)).total, 0)
}

test('a file that is protected by a password is refused and said to be', async () => {
  verifies('errors.422.encrypted', 'formats.refused-with-cause', 'rules.retry.permanent-is-4xx')
  const memoryId = await makeMemory(service)
  const locked = Uint8Array.from(buildScannedPdf(['Nobody reads this.'], { isLocked: true }))
  await assertRefused(memoryId, { content: locked, filename: 'locked.pdf' }, /password/)
})

test('a damaged or empty file of any format is refused, and the reason is given', async () => {
  verifies('errors.422.unprocessable_document', 'formats.refused-with-cause', 'scans.never-silent')
  const memoryId = await makeMemory(service)
  for (const name of ['DOCX', 'XLSX', 'PPTX', 'DOC'] as const) {
    const { content, filename } = sample(name)
    const half = { content: content.slice(0, Math.floor(content.length / 2)), filename }
    await assertRefused(memoryId, half, /damaged|cut off|incomplete|broken/)
  }
  await assertRefused(memoryId, { content: '%PDF-1.7\nand nothing else', filename: 'a.pdf' }, /damaged|cut off|PDF/)
  await assertRefused(memoryId, { content: '<?xml version="1.0"?><a><b>text</a>', filename: 'a.xml' }, /damaged|XML/)
  await assertRefused(memoryId, { content: '', filename: 'a.pdf' }, /empty/)
  await assertRefused(memoryId, { content: '<html><body> </body></html>', filename: 'a.html' }, /no text/)
  await assertRefused(memoryId, { content: Uint8Array.from(buildScannedPdf([' '])), filename: 'blank.pdf' }, /no text/)
})

test('a partly readable file is partial, with the reason', async () => {
  verifies('formats.cut', 'documents.status', 'scans.never-silent')
  const memoryId = await makeMemory(service)
  const { content, filename } = sample('PPT')
  const answer = await upload(service, memoryId, { content: content.slice(0, content.length * 0.7), filename })
  assertStatus(answer, 200)
  assert.equal(answer.json.documents[0]?.status, 'partial')
  assert.match(answer.json.warnings[0]?.message ?? '', /truncated/)
  const record = await readDocument(service, memoryId, answer.json.documentIds[0] ?? '')
  assert.equal(record.status, 'partial')
  assert.match(record.error ?? '', /truncated/)
  assert.match(await readText(service, memoryId, record.id), /sledge from Orlund/)
})

test('a file that would unpack or nest without end does no harm, and the next file is read', async () => {
  verifies('formats.bombs', 'rules.retry.permanent-is-4xx')
  const memoryId = await makeMemory(service)
  const entities = Array.from({ length: 12 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')
  const laughs = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "ha">${entities}]><a>&e12;</a>`
  const nested = `<?xml version="1.0"?>${'<a>'.repeat(200_000)}deep${'</a>'.repeat(200_000)}`
  for (const content of [laughs, nested]) {
    const answer = await upload(service, memoryId, { content, filename: 'bomb.xml' })
    if (answer.status !== 200) assertError(answer, 422, 'unprocessable_document')
    else assert.ok((await readText(service, memoryId, answer.json.documentIds[0] ?? '')).length < 1000)
  }
  const zeros = buildDocx(wordParagraph(' '.repeat(300 * 1024 * 1024)))
  await assertRefused(
    await makeMemory(service),
    { content: Uint8Array.from(zeros), filename: 'bomb.docx' },
    /too large/,
  )
  await assertRead(sample('DOCX'))
})
