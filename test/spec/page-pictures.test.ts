import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { buildPdf } from '../support/build-pdf.ts'
import { makeScannedPdf } from '../support/sample-pictures.ts'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import { addText, makeMemory, readText, uploadReady } from './steps.ts'
import { verifies } from './verifies.ts'

const line = (text: string, x: number, y: number) => `BT /F1 14 Tf ${x} ${y} Td (${text}) Tj ET `
const CONTRACT = buildPdf([
  { content: line('The tenant keeps a key to the gate.', 72, 700) + line('Notice is three months.', 72, 400) },
  { content: line('Notice is three months, here once more.', 72, 700), entries: '/Rotate 90' },
])

let memoryId = ''
let documentId = ''
const service = useSharedService(async (started) => {
  memoryId = await makeMemory(started)
  documentId = await uploadReady(started, memoryId, stored('contract.pdf', CONTRACT))
})

function stored(filename: string, content: string | Uint8Array) {
  return {
    filename,
    content: typeof content === 'string' ? content : new Uint8Array(content),
    options: { storeSource: true },
  }
}

const pathOf = (page: number | string, id = documentId) => `/v1/memories/${memoryId}/documents/${id}/pages/${page}.png`

async function draw(page: number, highlight: string | null = null): Promise<{ png: Buffer; etag: string }> {
  const query = highlight === null ? '' : `?highlight=${highlight}`
  const response = await fetch(`${service.url}${pathOf(page)}${query}`, {
    headers: { authorization: `Bearer ${service.bootstrapKey}` },
  })
  assert.equal(response.status, 200, await response.clone().text())
  assert.equal(response.headers.get('content-type'), 'image/png')
  return { png: Buffer.from(await response.arrayBuffer()), etag: response.headers.get('etag') ?? '' }
}

/** The highlighted area as shares of width and height; `null` without a highlight. */
async function findMark(png: Buffer) {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels
      const isYellow = (data[at] ?? 0) > 200 && (data[at + 1] ?? 0) > 200 && (data[at + 2] ?? 0) < 160
      if (!isYellow) continue
      ;[left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)]
    }
  }
  return right < 0 ? null : { left: left / width, right: right / width, top: top / height, bottom: bottom / height }
}

async function spanOf(words: string, from = 0): Promise<string> {
  const text = await readText(service, memoryId, documentId)
  const start = text.indexOf(words, from)
  assert.ok(start >= 0, `${words} stands in ${text}`)
  return `${start}-${start + words.length}`
}

test('a page is drawn with its span highlighted', async () => {
  verifies('beyond.page-picture')
  const mark = await findMark((await draw(1, await spanOf('three months'))).png)
  assert.ok(mark)
  // 72 points from the left and 392 from the top of 612 by 792, behind two words.
  assert.ok(mark.top > 0.46 && mark.bottom < 0.52, JSON.stringify(mark))
  assert.ok(mark.left > 0.17 && mark.right < 0.36, JSON.stringify(mark))
  assert.equal(await findMark((await draw(1)).png), null)
})

test('the same words on a turned page are marked there, and not on the page before', async () => {
  verifies('beyond.page-picture')
  const text = await readText(service, memoryId, documentId)
  const span = await spanOf('three months', text.indexOf('three months') + 1)
  assert.equal(await findMark((await draw(1, span)).png), null)
  const mark = await findMark((await draw(2, span)).png)
  // Turned by 90 degrees to the right: lines run from top to bottom, the first at the right.
  assert.ok(mark && mark.left > 0.85 && mark.top > 0.15, JSON.stringify(mark))
})

test('a page that was recognised marks the paragraph', async () => {
  verifies('beyond.page-picture')
  const pdf = await makeScannedPdf([{ scan: 'The lantern hangs beside the door.' }])
  const scanned = await uploadReady(service, memoryId, stored('scan.pdf', pdf))
  const response = await fetch(`${service.url}${pathOf(1, scanned)}?highlight=4-11`, {
    headers: { authorization: `Bearer ${service.bootstrapKey}` },
  })
  assert.equal(response.status, 200)
  assert.ok(await findMark(Buffer.from(await response.arrayBuffer())))
})

test('an unchanged page is not sent again', async () => {
  verifies('beyond.page-picture')
  const { etag } = await draw(1)
  for (const named of [etag, `"another", W/${etag}`]) {
    const response = await fetch(`${service.url}${pathOf(1)}`, {
      headers: { authorization: `Bearer ${service.bootstrapKey}`, 'if-none-match': named },
    })
    assert.equal(response.status, 304, named)
  }
})

test('a missing picture has a reason', async () => {
  verifies('beyond.page-picture')
  const plain = await addText(service, memoryId, 'Without an original.')
  assertError(await service.get(pathOf(1, plain)), 404, 'source_not_stored')
  const missing = await service.get(pathOf(9))
  assertError(missing, 404, 'source_not_stored')
  assert.match(missing.json.error.message, /no page 9/)
  const text = await uploadReady(service, memoryId, stored('a.txt', 'Plain words.'))
  assertError(await service.get(pathOf(1, text)), 404, 'source_not_stored')
  for (const wrong of ['0', 'x', '1e3']) assertError(await service.get(pathOf(wrong)), 400, 'validation_failed')
  for (const wrong of ['5', '7-3', '-1-4', 'a-b'])
    assertError(await service.get(`${pathOf(1)}?highlight=${wrong}`), 400, 'validation_failed')
})

test('the picture goes with its document', async () => {
  verifies('beyond.page-picture')
  const id = await uploadReady(service, memoryId, stored('again.pdf', CONTRACT))
  assertStatus(await service.get(pathOf(1, id), { headers: { accept: 'image/png' } }), 200)
  await service.delete(`/v1/memories/${memoryId}/documents/${id}`)
  assertError(await service.get(pathOf(1, id)), 404, 'document_not_found')
})
