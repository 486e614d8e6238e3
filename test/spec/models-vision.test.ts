import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { drawPicture } from '../support/draw-picture.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { makeBlankPicture, makeScannedPdf, makeTiff } from '../support/sample-pictures.ts'
import { type Answer, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Accepted, Added, RecognizedImage } from './shapes.ts'
import { endOfJob, find, makeMemory, readDocument, readText, upload } from './steps.ts'
import { verifies } from './verifies.ts'

const KEY = `sk-${randomUUID()}`
const PRINTED = ['The surveyor found gravel', 'under the meadow in March.'] as const
const WRITTEN = `${PRINTED.join('\n')}\n\nSeen and signed: Ottoline Brackwater`

const models = await startModelServer()
const service = useService({
  RECOLLECT_OCR_ENGINE: 'openai-compatible:seeing:8b',
  OPENAI_BASE_URL: models.url,
  OPENAI_API_KEY: KEY,
})
after(() => models.close())
beforeEach(() => {
  models.requests.length = 0
  models.script()
  models.respond(() => WRITTEN)
})

const png = Uint8Array.from(await (await drawPicture([...PRINTED])).png().toBuffer())

function recognize(memoryId: string, content: Uint8Array<ArrayBuffer>, mode: string): Promise<Answer<RecognizedImage>> {
  const form = new FormData()
  form.append('file', new Blob([content]), 'slip.png')
  form.append('mode', mode)
  return service.call<RecognizedImage>('POST', `/v1/memories/${memoryId}/ocr`, { body: form })
}

const readByEngine = ({ engine }: RecognizedImage) => assert.match(engine, /^tesseract/)

test('an accurate picture is read by the model, in the places of the embedded engine, and found by its words', async () => {
  verifies('settings.ocr-vision', 'settings.provider-keys', 'ocr.model-accurate')
  const memoryId = await makeMemory(service)
  const { json } = await recognize(memoryId, png, 'accurate')
  assert.deepEqual(
    [json.text, json.engine, json.mode, json.warnings],
    [WRITTEN, 'openai-compatible:seeing:8b', 'accurate', []],
  )
  assert.ok(json.confidence > 0.6 && json.confidence < 1)
  const [printed, signed] = json.blocks
  const [left = 0, top = 0, width = 0, height = 0] = printed?.bbox ?? []
  assert.ok(left > 0 && top > 0 && left + width < json.width && top + height < json.height)
  assert.ok(printed && printed.confidence > 0.8)
  assert.deepEqual([signed?.confidence, signed?.bbox], [0.5, [0, 0, json.width, json.height]])
  assert.equal((await find(service, memoryId, 'who signed it? Ottoline')).hits[0]?.documentId, json.documentId)
  const [request] = models.requests
  assert.equal(request?.headers['authorization'], `Bearer ${KEY}`)
  assert.match(JSON.stringify(request?.body), /"data:image\/png;base64,/)
  assert.doesNotMatch(request?.prompt ?? '', /surveyor/)
})

test('a fast picture and a blank one are not shown to the model', async () => {
  verifies('ocr.model-accurate')
  const memoryId = await makeMemory(service)
  readByEngine((await recognize(memoryId, png, 'fast')).json)
  readByEngine((await recognize(memoryId, await makeBlankPicture(), 'accurate')).json)
  assert.equal(models.requests.length, 0)
})

test('scanned pages of a PDF are read by the model, within a request and by a job', async () => {
  verifies('ocr.model-scans')
  const memoryId = await makeMemory(service)
  models.respond(() => 'The kiln was fired in May.\n\nBy hand: ask Wilhelmina')
  const scan = { scan: 'The kiln was fired in May.' }
  const content = await makeScannedPdf([{ text: 'Printed words about oars.' }, scan])
  const added = await upload<Added>(service, memoryId, { content, filename: 'kiln.pdf' })
  assertStatus(added, 200)
  assert.deepEqual(added.json.warnings, [])
  const [id = ''] = added.json.documentIds
  assert.match(
    await readText(service, memoryId, id),
    /oars\.[\s\S]*The kiln was fired in May\.\s+By hand: ask Wilhelmina/,
  )
  assert.deepEqual(
    (await readDocument(service, memoryId, id)).pages.map(({ method }) => method),
    ['text', 'ocr'],
  )
  assert.equal(models.requests.length, 1)
  const options = { async: true, deduplicate: false }
  const accepted = await upload<Accepted>(service, memoryId, { content, filename: 'again.pdf', options })
  assertStatus(accepted, 202)
  assert.equal((await endOfJob(service, accepted.json.jobId)).status, 'completed')
  assert.match(await readText(service, memoryId, accepted.json.documentIds[0] ?? ''), /Wilhelmina/)
})

test('when the model fails, refuses or invents, the result of the embedded engine remains, with a warning', async () => {
  verifies('ocr.model-fallback')
  const memoryId = await makeMemory(service)
  const useless = [
    [{ status: 401 }, 'failed'],
    [{ body: '<html>out of order</html>' }, 'failed'],
    [{ drop: 'before-headers' }, 'failed'],
    [{ text: 'As an AI, I cannot see pictures of any kind today, which I regret.' }, 'did not copy the page'],
    [{ text: 'gravel gravel '.repeat(60) }, 'repeated itself'],
  ] as const
  for (const [behaviour, why] of useless) {
    models.script(behaviour, behaviour, behaviour)
    const answer = await recognize(memoryId, png, 'accurate')
    assertStatus(answer, 200)
    readByEngine(answer.json)
    assert.match(answer.json.text, /surveyor found gravel/)
    const message = `Page 1: The model openai-compatible:seeing:8b ${why}; the page was read by the embedded engine.`
    const warning = answer.json.warnings.find(({ code }) => code === 'vision_model_not_used')
    assert.deepEqual(warning, { code: 'vision_model_not_used', message, param: null })
  }
  assert.equal(models.openRequests(), 0)
})

test('a model that fails for two pages is not asked about the rest, and all pages are read', async () => {
  verifies('ocr.model-fallback')
  const memoryId = await makeMemory(service)
  models.script(...Array.from({ length: 12 }, () => ({ status: 403 })))
  const names = ['Anser', 'Brock', 'Corvin', 'Dunlin', 'Egret']
  const answer = await recognize(
    memoryId,
    await makeTiff(names.map((name) => `The quay of ${name} is wet.`)),
    'accurate',
  )
  assertStatus(answer, 200)
  for (const name of names) assert.match(answer.json.text, new RegExp(name))
  // As many as are read at a time may have been under way.
  assert.ok(models.requests.length >= 2 && models.requests.length <= 4, `${models.requests.length} requests`)
  const warnings = answer.json.warnings.map(({ message }) => message).join(' ')
  assert.match(warnings, /failed; the page was read/)
  assert.match(warnings, /failed on other pages and was skipped/)
})

test('a caller that leaves ends the call of the model, and the next picture is read', async () => {
  verifies('ocr.model-fallback')
  const memoryId = await makeMemory(service)
  models.script({ stall: 'before-headers' })
  const asked = models.nextRequest()
  const leaving = new AbortController()
  const form = new FormData()
  form.append('file', new Blob([png]), 'slip.png')
  form.append('mode', 'accurate')
  const headers = { authorization: `Bearer ${service.bootstrapKey}` }
  const url = `${service.url}/v1/memories/${memoryId}/ocr`
  const call = fetch(url, { method: 'POST', body: form, headers, signal: leaving.signal })
  const { ended } = await asked
  leaving.abort()
  await assert.rejects(call)
  assert.equal(await ended, 'left')
  assert.equal((await recognize(memoryId, png, 'accurate')).json.text, WRITTEN)
})

test('neither the key, nor the page, nor the text of the model is in the log', async () => {
  verifies('models.no-secrets-logged')
  const memoryId = await makeMemory(service)
  const echo = JSON.stringify({ error: { message: `key ${KEY} refused for ${PRINTED.join(' ')} Mustelid Overcoat` } })
  for (const status of [400, 401, 404, 500]) {
    models.script(...Array.from({ length: 6 }, () => ({ status, body: echo })))
    assertStatus(await recognize(memoryId, png, 'accurate'), 200)
  }
  models.script({ body: '{"choices":[{"message":{"content":"Zebedee owes' })
  assertStatus(await recognize(memoryId, png, 'accurate'), 200)
  const log = service.output()
  assert.match(log, /a page was not read by the vision model/)
  assert.ok(!log.includes(KEY))
  assert.doesNotMatch(log, /surveyor|meadow|Zebedee|iVBORw0KGgo|You transcribe pictures/)
})
