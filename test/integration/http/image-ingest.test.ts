import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { printPage } from '../../support/print-page.ts'
import { startRealServer } from './real-server.ts'
import { readError } from './running-server.ts'

type RealServer = Awaited<ReturnType<typeof startRealServer>>
type Read = {
  text: string
  confidence: number
  mode: string
  engine: string
  languages: string[]
  width: number
  height: number
  blocks: { text: string; bbox: number[]; page?: number }[]
  documentId: string | null
  duplicateOf: string | null
  documentIds: string[]
  documentsAdded: number
  documentsSkipped: number
  chunksCreated: number
  warnings: { code: string; message: string; param: string | null }[]
}

const HARBOUR = 'The harbour office opens at seven in the morning.'
const FERRY = 'The last ferry leaves from the western quay.'

const draw = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#fff' } })

/** A scanned A4 page with this line. */
async function print(line: string): Promise<Buffer> {
  const { data, width, height } = await printPage([line], 150)
  return await sharp(data, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()
}

const tiff = (pages: readonly Buffer[]) =>
  sharp([...pages], { join: { animated: true } })
    .tiff({ compression: 'deflate' })
    .toBuffer()

function send(server: RealServer, picture: Buffer, filename = 'sign.png', fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(picture)]), filename)
  return server.send('POST', `${server.path}/ocr`, { body: form })
}

async function read(server: RealServer, picture: Buffer, fields: Record<string, string> = {}): Promise<Read> {
  const response = await send(server, picture, 'sign.png', fields)
  assert.equal(response.status, 200)
  return (await response.json()) as Read
}

const countDocuments = async (server: RealServer) => (await server.read('/documents'))['total']

test('a picture of text', async (t) => {
  const [harbour, ferry] = [await print(HARBOUR), await print(FERRY)]
  const { width = 0, height = 0 } = await sharp(harbour).metadata()
  // One server for all tests, since its children start slowly.
  const server = await startRealServer(t)

  await t.test('is read, added and found', async () => {
    const answer = await read(server, harbour, { mode: 'accurate' })
    assert.equal(answer.text, HARBOUR)
    assert.deepEqual([answer.mode, answer.languages, answer.width, answer.height], ['accurate', ['eng'], width, height])
    assert.ok(answer.confidence > 0.8 && answer.confidence <= 1)
    assert.match(answer.engine, /^tesseract/)
    const [block, ...more] = answer.blocks
    assert.deepEqual([block?.text, block !== undefined && 'page' in block, more], [HARBOUR, false, []])
    const [left = -1, top = -1, across = 0, down = 0] = block?.bbox ?? []
    assert.ok(left > 0 && top > 0 && left + across < width && top + down < height)
    const { documentId, documentIds, documentsAdded, chunksCreated, warnings } = answer
    assert.deepEqual([documentIds, documentsAdded, chunksCreated, warnings], [[documentId], 1, 1, []])
    const document = await server.read(`/documents/${documentId}`)
    const { title, sourceType, mimeType, ocrPages, pages } = document
    assert.deepEqual([title, sourceType, mimeType, ocrPages], ['sign', 'ocr', 'image/png', 1])
    assert.deepEqual(
      (pages as { method: string }[]).map(({ method }) => method),
      ['ocr'],
    )
    const found = await server.sendJson('POST', `${server.path}/find`, { query: 'when does the harbour office open' })
    const { hits } = (await found.json()) as { hits: { documentId: string }[] }
    assert.equal(hits[0]?.documentId, documentId)
  })

  await t.test('as base64 is called by its day, and an unknown language is a warning', async () => {
    const imageBase64 = `data:image/png;base64,${harbour.toString('base64')}`
    const options = { languageHints: ['klingon', 'en'], storeSource: true }
    const response = await server.sendJson('POST', `${server.path}/ocr`, { imageBase64, options })
    const answer = (await response.json()) as Read
    assert.equal(answer.text, HARBOUR)
    assert.deepEqual(
      answer.warnings.map(({ code, param }) => [code, param]),
      [['language_hint_ignored', 'options.languageHints']],
    )
    const document = await server.read(`/documents/${answer.documentId}`)
    assert.match(String(document['title']), /^Image of \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)
    const source = await server.send('GET', `${server.path}/documents/${answer.documentId}/source`)
    assert.deepEqual(Buffer.from(await source.arrayBuffer()), harbour)
  })

  await t.test('adds nothing as a duplicate when duplicates are skipped', async () => {
    const again = await read(server, harbour, { options: '{"deduplicate":true}' })
    assert.deepEqual(
      [again.text, again.documentId, again.documentsAdded, again.documentsSkipped],
      [HARBOUR, null, 0, 1],
    )
    assert.match(String(again.duplicateOf), /^doc_/)
    assert.equal(
      again.warnings[0]?.message,
      `The memory already contains this text as ${again.duplicateOf}; nothing was added.`,
    )
  })

  await t.test('without text is no error, adds nothing and says so', async () => {
    const before = await countDocuments(server)
    const answer = await read(server, await draw(400, 300).png().toBuffer())
    const { text, confidence, blocks, documentId, documentIds, documentsAdded } = answer
    assert.deepEqual([text, confidence, blocks, documentId, documentIds, documentsAdded], ['', 0, [], null, [], 0])
    assert.deepEqual(
      answer.warnings.map(({ code }) => code),
      ['no_text'],
    )
    assert.equal(await countDocuments(server), before)
  })

  await t.test('is read to its last page; beyond five pages by a job', async () => {
    const answer = await read(server, await tiff([harbour, ferry]))
    assert.equal(answer.text, `${HARBOUR}\n\n${FERRY}`)
    assert.deepEqual(
      answer.blocks.map(({ page }) => page),
      [1, 2],
    )
    const long = await send(server, await tiff(new Array(6).fill(harbour)), 'fax.tiff')
    assert.equal(long.status, 202)
    const { reason, documentIds } = (await long.json()) as { reason: string; documentIds: string[] }
    assert.equal(reason, 'scanned_pages')
    assert.equal((await server.read(`/documents/${documentIds[0]}`))['sourceType'], 'ocr')
    const waiting = await send(server, harbour, 'sign.png', { options: '{"async":true}' })
    assert.equal(((await waiting.json()) as { reason: string }).reason, 'async_requested')
  })

  await t.test('is refused when damaged or not an image, and nothing is kept', async () => {
    const before = await countDocuments(server)
    const refuse = async (content: Buffer, filename: string) => {
      const { status, code, message } = await readError(await send(server, content, filename))
      return `${status} ${code}: ${message}`
    }
    assert.match(await refuse(harbour.subarray(0, 3000), 'sign.png'), /^422 image_unreadable: /)
    assert.match(await refuse(Buffer.alloc(0), 'sign.png'), /^422 image_unreadable: /)
    const supported = /^415 unsupported_file_type: .+Supported: PNG, JPEG, WebP, GIF, TIFF, BMP\.$/
    assert.match(await refuse(Buffer.from('A plain text.'), 'sign.png'), supported)
    assert.match(await refuse(Buffer.from('%PDF-1.4\n%%EOF'), 'sign.png'), supported)
    assert.equal(await countDocuments(server), before)
    assert.deepEqual(await server.temporaryFiles(), [])
  })

  await t.test('is read while others are', async () => {
    const before = Number(await countDocuments(server))
    const answers = await Promise.all([read(server, harbour), read(server, ferry), read(server, harbour)])
    assert.deepEqual(
      answers.map(({ text }) => text),
      [HARBOUR, FERRY, HARBOUR],
    )
    assert.equal(await countDocuments(server), before + 3)
  })
})
