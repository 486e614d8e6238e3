import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startModelServer } from '../support/model-server/model-server.ts'
import { assertError, assertStatus } from './answer.ts'
import { spawnProduct } from './product.ts'
import { createService } from './service.ts'
import {
  addInBackground,
  addText,
  addTexts,
  endOfJob,
  find,
  listDocuments,
  makeMemory,
  readDocument,
  readMemory,
} from './steps.ts'
import { verifies } from './verifies.ts'

const LIFT = 'The lift is serviced by the caretaker on Tuesdays.'
const ROOF = 'The roof was sealed with tar in autumn.'
const SEMANTIC = { options: { mode: 'semantic' } }
/** Nothing answers there: the port is reserved for discarding. */
const DEAD_URL = 'http://127.0.0.1:9/v1'

const models = await startModelServer()
after(() => models.close())

describe('a service with an embedder behind an endpoint', () => {
  const settings: Record<string, string> = { RECOLLECT_EMBEDDER: 'openai:mini', OPENAI_BASE_URL: models.url }
  const service = createService(settings)
  let far = ''
  let near = ''

  async function restartWith(changed: Record<string, string>): Promise<void> {
    Object.assign(settings, changed)
    await service.restart()
  }
  before(async () => {
    await service.start()
    far = await makeMemory(service, 'Far')
    near = await makeMemory(service, 'Near')
    await addText(service, far, LIFT)
    assertStatus(
      await addTexts(service, near, [{ title: 'Note', text: LIFT }], { embeddingModel: 'static-multi' }),
      200,
    )
  })
  after(() => service.dispose())

  test('fixes the embedder of a memory at its first ingest, and searches with it', async () => {
    verifies('settings.embedder-others', 'settings.model.pins', 'memories.embedding-model', 'embedders.side-by-side')
    for (const [memoryId, model] of [
      [far, 'mini'],
      [near, 'static-multi'],
    ] as const) {
      assert.equal((await readMemory(service, memoryId)).embeddingModel, model)
      const id = await addText(service, memoryId, ROOF)
      assert.equal((await readDocument(service, memoryId, id)).embeddingModel, model)
      const { hits, mode, warnings } = await find(service, memoryId, 'who services the lift', SEMANTIC)
      assert.deepEqual([hits[0]?.text, mode, warnings], [LIFT, 'semantic', []])
    }
  })

  test('weighs meaning more than words for a question in a language without documents', async () => {
    verifies('embedders.across-languages')
    const weightsFor = async (query: string): Promise<number[]> => {
      const { hits } = await find(service, far, query, { options: { explain: true } })
      const parts = hits[0]?.explanation?.parts ?? []
      return ['meaning', 'words'].map((name) => parts.find((part) => part.name === name)?.weight ?? 0)
    }
    const [meaning = 0, words = 1] = await weightsFor('Wer ist für den lift im Haus zuständig?')
    assert.ok(meaning > 2 * words, `${meaning}, ${words}`)
    assert.deepEqual(await weightsFor('Who is the one that services the lift?'), [0.5, 0.5])
  })

  test('takes the name of the setting as well, refuses the other of its models, and knows no third', async () => {
    verifies('settings.model.pinned-409', 'errors.409.embedding_model_pinned', 'settings.model.unavailable')
    verifies('settings.model.pinned-unavailable', 'embedders.side-by-side')
    const add = (memoryId: string, embeddingModel: string) =>
      addTexts(service, memoryId, [{ title: 'Note', text: 'Words.' }], { embeddingModel })
    for (const [memoryId, own, other] of [
      [far, 'openai:mini', 'embedded'],
      [near, 'embedded', 'mini'],
    ] as const) {
      const taken = await add(memoryId, own)
      assertStatus(taken, 200)
      assert.deepEqual(taken.json.warnings, [])
      assertError(await add(memoryId, other), 409, 'embedding_model_pinned', 'options.embeddingModel')
      const unknown = await add(memoryId, 'text-embedding-3-small')
      assert.equal(unknown.json.warnings[0]?.code, 'embedding_model_unavailable')
    }
    const fresh = await makeMemory(service, 'Fresh')
    assert.equal((await add(fresh, 'text-embedding-3-small')).json.warnings[0]?.code, 'embedding_model_unavailable')
    assert.equal((await readMemory(service, fresh)).embeddingModel, 'mini')
  })

  test('finds by words while the endpoint is down, and adds nothing by halves', async () => {
    verifies('embedders.down-search', 'embedders.down-add', 'embedders.late', 'find.fall-back-warned')
    await restartWith({ OPENAI_BASE_URL: DEAD_URL })
    const { hits, mode, warnings } = await find(service, far, 'who services the lift')
    assert.deepEqual([hits[0]?.text, mode, warnings[0]?.code], [LIFT, 'lexical', 'semantic_unavailable'])
    const semantic = await service.post(`/v1/memories/${far}/find`, { query: 'the lift', ...SEMANTIC })
    assertError(semantic, 502, 'model_failed')
    assert.equal((await find(service, near, 'who services the lift')).mode, 'hybrid')
    const fresh = await makeMemory(service, 'Later')
    const documents = [{ title: 'Note', text: LIFT }]
    assertError(await service.post(`/v1/memories/${fresh}/documents`, { documents }), 502, 'model_failed')
    assert.equal((await listDocuments(service, fresh)).total, 0)
    assert.equal((await readMemory(service, fresh)).embeddingModel, null)
  })

  test('finishes a waiting job once the endpoint is available', async () => {
    verifies('embedders.down-add', 'embedders.restart')
    const { json } = await addInBackground(service, far, 'The cellar is dry.')
    await restartWith({ OPENAI_BASE_URL: models.url })
    assert.equal((await endOfJob(service, json.jobId)).status, 'completed')
    assert.equal((await find(service, far, 'the cellar is dry', SEMANTIC)).hits[0]?.text, 'The cellar is dry.')
  })

  test('keeps the data of a model removed from the settings, and uses it again afterwards', async () => {
    verifies('embedders.not-configured', 'embedders.restart', 'find.fall-back-warned')
    await restartWith({ RECOLLECT_EMBEDDER: 'embedded' })
    for (const options of [{ mode: 'semantic' }, { mode: 'hybrid' }, {}]) {
      const { hits, mode, warnings } = await find(service, far, 'who services the lift', { options })
      assert.deepEqual([hits[0]?.text, mode], [LIFT, 'lexical'])
      assert.match(warnings[0]?.message ?? '', /mini, which is not configured/)
    }
    const refused = await service.post(`/v1/memories/${far}/documents`, { documents: [{ title: 'x', text: 'Words.' }] })
    assertError(refused, 409, 'embedding_model_pinned')
    assert.match(refused.text, /RECOLLECT_EMBEDDER/)
    assertError(await service.post(`/v1/memories/${far}/correct`, { statement: LIFT }), 409, 'embedding_model_pinned')
    await addText(service, near, 'The near one goes on.')
    await restartWith({ RECOLLECT_EMBEDDER: 'openai:mini' })
    assert.equal((await find(service, far, 'who services the lift', SEMANTIC)).hits[0]?.text, LIFT)
    await addText(service, far, 'The far one goes on.')
  })
})

describe('a service with a reranking model', () => {
  const service = createService({
    RECOLLECT_RERANKER: 'openai-compatible:rerank-mini',
    OPENAI_BASE_URL: models.url,
  })
  let memoryId = ''
  before(async () => {
    await service.start()
    memoryId = await makeMemory(service)
    await addText(service, memoryId, 'Lifts are serviced. Lifts are lifts, and service is service of lifts.')
    await addText(service, memoryId, LIFT)
    const correction = { statement: 'The lift is serviced on Fridays.', topics: ['lift'] }
    assertStatus(await service.post(`/v1/memories/${memoryId}/correct`, correction), 201)
  })
  after(() => service.dispose())

  test('returns the new order and scores, corrections first', async () => {
    verifies('settings.reranker', 'reranker.order', 'search.two-forms', 'find.scores', 'find.corrections-first')
    const results = [
      { index: 0, relevance_score: 0.25 },
      { index: 1, relevance_score: 0.75 },
    ]
    models.script({ body: JSON.stringify({ results }) })
    const { hits, warnings } = await find(service, memoryId, 'who services the lift')
    assert.deepEqual([hits[0]?.kind, warnings], ['correction', []])
    assert.deepEqual(
      hits.slice(1).map(({ scores, score }) => [scores.rerank, score]),
      [
        [0.75, 0.75],
        [0.25, 0.25],
      ],
    )
  })

  test('falls back with a warning when it fails or hangs', async () => {
    verifies('reranker.fails', 'find.fall-back-warned')
    for (const behaviour of [{ status: 400 }, { stall: 'before-headers' as const }]) {
      models.script(behaviour)
      const { hits, warnings } = await find(service, memoryId, 'who services the lift')
      assert.equal(hits.length, 3)
      assert.equal(warnings[0]?.code, 'reranker_unavailable')
    }
    models.script()
    assert.deepEqual((await find(service, memoryId, 'who services the lift')).warnings, [])
  })
})

test('a folder in which there is no model stops the start, and the setting is named', async () => {
  verifies('reranker.folder-missing', 'settings.reranker', 'settings.embedder-others')
  const folder = await mkdtemp(join(tmpdir(), 'recollect-no-model-'))
  for (const name of ['RECOLLECT_EMBEDDER', 'RECOLLECT_RERANKER']) {
    const child = spawnProduct({ RECOLLECT_DATA_DIR: join(folder, 'data'), [name]: `onnx:${folder}` })
    const { code, output } = await child.ended()
    assert.equal(code, 78, output)
    assert.match(output, new RegExp(`${name}: `))
  }
  await rm(folder, { recursive: true })
})
