import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { warnOfUnavailableModels } from '../../../src/compose/open-search-models.ts'
import { createEmbedders } from '../../../src/models/embedders.ts'
import { openEmbedderFixture, useModelServer } from './embedder-fixture.ts'
import { refusedAs } from './fixtures.ts'

const server = await useModelServer()

const LIFT = 'The lift is serviced by the caretaker on Tuesdays.'
const ROOF = 'The roof was sealed with tar in autumn.'
const FIRST_MODEL = { embeddingModel: 'static-multi' }
const inputs = () => server.requests.flatMap(({ body }) => [body.input ?? []].flat())

describe('memories of two models', () => {
  test('coexist, each searched with its own model, whatever the default', async (t) => {
    const { embeddersOf, start, makeMemory, modelOf } = await openEmbedderFixture(t)
    const both = start(embeddersOf('mini', server.url))
    const [far, near] = [await makeMemory(), await makeMemory()]
    assert.equal(await modelOf(far), null)
    await both.add(far, [LIFT])
    await both.add(near, [ROOF], FIRST_MODEL)
    assert.deepEqual([await modelOf(far), await modelOf(near)], ['mini', 'static-multi'])
    await both.add(near, [LIFT])
    await both.correct(near, 'The roof was sealed in spring.')
    assert.ok(!inputs().some((text) => text.includes('roof')), 'nothing of the near memory went out')
    for (const memory of [far, near]) {
      const { hits, mode, warnings } = await both.find(memory, 'who services the lift', 'semantic')
      assert.equal(hits[0]?.text, LIFT)
      assert.ok(Number(hits[0].scores.semantic) > 0)
      assert.deepEqual([mode, warnings], ['semantic', []])
    }
  })

  test('are never mixed: the other model is refused by name, and adds without a name take the pinned one', async (t) => {
    const { embeddersOf, start, makeMemory } = await openEmbedderFixture(t)
    const both = start(embeddersOf('mini', server.url))
    const memory = await makeMemory()
    await both.add(memory, [LIFT])
    await assert.rejects(both.add(memory, [ROOF], FIRST_MODEL), refusedAs('embedding_model_pinned'))
    const added = await both.add(memory, [ROOF], { embeddingModel: 'no-such-model' })
    assert.deepEqual(
      added.warnings.map(({ code }) => code),
      ['embedding_model_unavailable'],
    )
    assert.equal((await both.find(memory, 'tar in autumn', 'semantic')).hits[0]?.text, ROOF)
  })

  test('of concurrent first adds with two models, one succeeds and the other is refused without leftovers', async (t) => {
    const { embeddersOf, start, makeMemory, modelOf, parts } = await openEmbedderFixture(t)
    const both = start(embeddersOf('mini', server.url))
    const memory = await makeMemory()
    const outcomes = await Promise.allSettled([both.add(memory, [LIFT]), both.add(memory, [ROOF], FIRST_MODEL)])
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal((await parts.memoryFile.count(memory)).size, 1)
    assert.ok((await modelOf(memory)) !== null)
  })
})

describe('memories whose model is not available', () => {
  test('are counted at the start, with the command that re-embeds them', async (t) => {
    const { embeddersOf, start, makeMemory, parts } = await openEmbedderFixture(t)
    const both = start(embeddersOf('mini', server.url))
    await both.add(await makeMemory(), [LIFT])
    await both.add(await makeMemory(), [ROOF], FIRST_MODEL)
    await makeMemory()
    const told: string[] = []
    const log = { warn: (_: object, message: string) => void told.push(message) }
    await warnOfUnavailableModels({ db: parts.db, log }, embeddersOf('mini', server.url))
    assert.deepEqual(told, [])
    await warnOfUnavailableModels({ db: parts.db, log }, createEmbedders(parts.embedder))
    assert.equal(told.length, 1)
    assert.match(told[0] ?? '', /1 of mini;.*recollect reembed <memory> embedded/)
  })
})

describe('an endpoint that is down', () => {
  test('fails an add with model_failed, which leaves nothing, and the memory is not pinned', async (t) => {
    const { embeddersOf, start, makeMemory, modelOf, parts } = await openEmbedderFixture(t)
    const memory = await makeMemory()
    const down = start(embeddersOf('mini'))
    await assert.rejects(down.add(memory, [LIFT]), refusedAs('model_failed'))
    await assert.rejects(down.correct(memory, LIFT), refusedAs('model_failed'))
    assert.equal(await modelOf(memory), null)
    assert.deepEqual(await parts.db.selectFrom('intents').selectAll().execute(), [])
    assert.ok('documentIds' in (await down.add(memory, [LIFT], FIRST_MODEL)))
    assert.equal(await modelOf(memory), 'static-multi')
  })

  test('a failed first add with written vectors does not fix the vector length of the memory', async (t) => {
    const { embeddersOf, start, makeMemory, modelOf, parts } = await openEmbedderFixture(t)
    const memory = await makeMemory()
    const put = () => Promise.reject(new Error('the object store is gone'))
    const broken = start(embeddersOf('mini', server.url), { blobs: { ...parts.blobs, put } })
    await assert.rejects(broken.add(memory, [LIFT.repeat(1000)]))
    assert.equal(await modelOf(memory), null)
    const near = start(embeddersOf(null))
    assert.deepEqual((await near.find(memory, 'the lift', 'semantic')).hits, [])
    await near.add(memory, [LIFT])
    assert.equal((await near.find(memory, 'the lift', 'semantic')).hits.length, 1)
  })

  test('lets searches fall back to the words with a warning, and fails those for meaning alone', async (t) => {
    const { embeddersOf, start, makeMemory } = await openEmbedderFixture(t)
    const memory = await makeMemory()
    const up = start(embeddersOf('mini', server.url))
    await up.add(memory, [LIFT, ROOF])
    await up.correct(memory, 'The lift is serviced on Mondays.')
    const down = start(embeddersOf('mini'))
    const { hits, mode, warnings } = await down.find(memory, 'when is the lift serviced', 'auto')
    assert.deepEqual(
      hits.map(({ text }) => text),
      ['The lift is serviced on Mondays.', LIFT],
    )
    assert.equal(mode, 'lexical')
    assert.match(warnings[0]?.message ?? '', /mini failed\. Only keyword search was used/)
    await assert.rejects(down.find(memory, 'the lift', 'semantic'), refusedAs('model_failed'))
    assert.deepEqual((await down.find(memory, 'serviced', 'lexical')).warnings, [])
    assert.equal((await up.find(memory, 'when is the lift serviced')).mode, 'hybrid')
  })

  test('has a job tried again, and failed with the reason after the last attempt', async (t) => {
    const { embeddersOf, start, makeMemory, modelOf, caller } = await openEmbedderFixture(t)
    const memory = await makeMemory()
    const { add, jobs, worker } = start(embeddersOf('mini', server.url))
    const endOf = async (texts: readonly string[]) => {
      const accepted = await add(memory, texts, { async: true })
      assert.ok('jobId' in accepted)
      const running = worker()
      running.start()
      const read = () => jobs.get(caller, accepted.jobId)
      while (['pending', 'processing'].includes((await read()).status)) await setTimeout(5)
      await running.stop()
      return read()
    }
    server.script(...Array.from({ length: 5 }, () => ({ status: 401 })))
    const failed = await endOf([LIFT])
    assert.deepEqual([failed.status, failed.errorCode, failed.attempts], ['failed', 'model_failed', 5])
    assert.equal(await modelOf(memory), null)
    server.script({ status: 401 }, { status: 401 })
    const completed = await endOf([LIFT])
    assert.deepEqual([completed.status, completed.attempts], ['completed', 3])
    assert.equal(await modelOf(memory), 'mini')
  })
})

describe('a memory whose model is not configured any more', () => {
  test('is searched lexically with a warning, accepts nothing, and recovers with the model', async (t) => {
    const { embeddersOf, start, makeMemory } = await openEmbedderFixture(t)
    const memory = await makeMemory()
    const before = start(embeddersOf('mini', server.url))
    await before.add(memory, [LIFT, ROOF])
    const since = start(embeddersOf(null))
    for (const mode of ['hybrid', 'semantic', 'auto'] as const) {
      const { hits, warnings, ...answer } = await since.find(memory, 'who services the lift', mode)
      assert.deepEqual([answer.mode, hits[0]?.text], ['lexical', LIFT])
      assert.match(warnings[0]?.message ?? '', /uses the embedding model mini, which is not configured/)
    }
    const refused = refusedAs('embedding_model_pinned')
    await assert.rejects(since.add(memory, [ROOF]), refused)
    await assert.rejects(since.add(memory, [ROOF], { async: true }), refused)
    await assert.rejects(since.correct(memory, ROOF), refused)
    assert.equal((await start(embeddersOf('mini', server.url)).find(memory, 'tar', 'semantic')).hits.length, 2)
  })

  test('or is another one of the same name: words find, and no vector of the other goes in', async (t) => {
    const { embeddersOf, start, makeMemory } = await openEmbedderFixture(t)
    const memory = await makeMemory()
    await start(embeddersOf('mini', server.url)).add(memory, [LIFT])
    server.setDimensions(24)
    const since = start(embeddersOf('mini', server.url))
    const { hits, mode, warnings } = await since.find(memory, 'who services the lift')
    assert.deepEqual([mode, hits[0]?.text], ['lexical', LIFT])
    assert.match(warnings[0]?.message ?? '', /not created with the embedding model mini/)
    await assert.rejects(since.add(memory, [ROOF]), refusedAs('embedding_model_pinned'))
    assert.deepEqual(await since.find(memory, 'tar in autumn', 'lexical').then((found) => found.hits), [])
  })
})

test('a thousand chunks need few requests, in one document or many, synchronously or by a job', async (t) => {
  const { embeddersOf, start, makeMemory, caller } = await openEmbedderFixture(t)
  const { add, worker, jobs } = start(embeddersOf('mini', server.url))
  const many = Array.from({ length: 1000 }, (_, index) => `Note ${index} of the archive.`)
  await add(await makeMemory(), many)
  assert.ok(server.requests.length <= 40, `many documents: ${server.requests.length}`)
  server.requests.length = 0
  const one = many.map((line) => `${`${line} `.repeat(40)}\n\n`).join('')
  const added = await add(await makeMemory(), [one])
  assert.ok('chunksCreated' in added && added.chunksCreated >= 1000)
  assert.ok(server.requests.length <= added.chunksCreated / 25, `one document: ${server.requests.length}`)
  server.requests.length = 0
  const other = many.map((line) => line.replace('Note', 'Page'))
  const accepted = await add(await makeMemory(), other, { async: true })
  assert.ok('jobId' in accepted)
  const running = worker()
  running.start()
  while (['pending', 'processing'].includes((await jobs.get(caller, accepted.jobId)).status)) await setTimeout(5)
  await running.stop()
  assert.ok(server.requests.length <= 45, `by a job: ${server.requests.length}`)
})
