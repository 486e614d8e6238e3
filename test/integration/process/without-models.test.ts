import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertStatus } from '../../spec/answer.ts'
import { spawnFromSource } from '../../spec/product.ts'
import { createService, type Service } from '../../spec/service.ts'
import { drawPicture } from '../../support/draw-picture.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'
import { useOnce } from './use-once.ts'

const ONLY_FOR_MODELS = /node_modules\/(@ai-sdk\/|zod\/|onnxruntime|eventsource-parser\/)/

/** Makes a process report every loaded module, retrying while the pipe is full. */
const HOOK = `
  import { writeSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  function note(line) {
    for (;;) {
      try {
        return writeSync(2, line)
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error
      }
    }
  }
  registerHooks({ load(url, context, next) { note('loads ' + url + '\\n'); return next(url, context) } })`
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(HOOK)}`

async function listLoaded(
  settings: Record<string, string>,
  use: (service: Service) => Promise<void>,
  of = ONLY_FOR_MODELS,
) {
  const service = createService({ ...settings, NODE_OPTIONS }, spawnFromSource)
  try {
    await service.start()
    await use(service)
  } finally {
    await service.dispose()
  }
  const loaded = service.output().match(/(?<=^loads ).*$/gm) ?? []
  assert.ok(
    loaded.some((url) => url.includes('/src/compose.')),
    'modules are noted',
  )
  return loaded.filter((url) => of.test(url))
}

async function recognize(service: Service): Promise<void> {
  const memory = await service.post<{ id: string }>('/v1/memories', { name: 'Slips' })
  const picture = await (await drawPicture(['The sextant hangs in the hall.'])).png().toBuffer()
  const body = { imageBase64: picture.toString('base64'), options: { mode: 'accurate' } }
  assertStatus(await service.post(`/v1/memories/${memory.json.id}/ocr`, body), 200)
}

test('a service without a model never loads model packages', async () => {
  const loaded = await listLoaded({}, async (service) => {
    await useOnce(service)
    await recognize(service)
    const request = { question: 'What keeps to the river?', content: 'The kingfisher keeps to the river.' }
    assertStatus(await service.post('/v1/ask-once', request), 200)
  })
  assert.deepEqual(loaded, [])
})

test('a service with a model loads its packages on first use', async () => {
  const models = await startModelServer()
  const settings = { RECOLLECT_OCR_ENGINE: 'openai-compatible:seeing', OPENAI_BASE_URL: models.url }
  try {
    assert.deepEqual(await listLoaded(settings, async () => {}), [])
    const loaded = await listLoaded(settings, recognize)
    assert.ok(loaded.some((url) => url.includes('@ai-sdk/openai-compatible')))
  } finally {
    await models.close()
  }
})

test('a service loads language detection tables on first use, not at its start', async () => {
  assert.deepEqual(await listLoaded({}, async () => {}, /node_modules\/eld\//), [])
})
