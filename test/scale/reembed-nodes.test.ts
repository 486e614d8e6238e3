/**
 * Workers re-embed a memory on PostgreSQL and S3 while other processes answer. The first worker is
 * killed, another worker continues, and all nodes switch to the new vectors together.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertStatus } from '../spec/answer.ts'
import type { Service } from '../spec/service.ts'
import type { Accepted, Job, List } from '../spec/shapes.ts'
import { addText, addTexts, endOfJob, find, makeMemory, readMemory } from '../spec/steps.ts'
import { type ModelServer, startModelServer } from '../support/model-server/model-server.ts'
import { auditByDoctor } from './checker.ts'
import type { MortalService } from './mortal-service.ts'
import { describeInstallation } from './support/scaled-installation.ts'

/** More than a worker copies in one step. */
const LOCKERS = 600
/** A text without stored vectors, so its model is called. */
const ROOF = 'The roof was sealed with tar in autumn.'
const LIFT = 'The lift is serviced by the caretaker on Tuesdays.'
/** Enough dimensions to keep the vectors of all words distinct. */
const DIMENSIONS = 1024
/** Far above the time of a step, also on a busy machine. */
const PATIENCE_MS = 60_000

describeInstallation('a re-embedding on several processes', { name: 'reembed' }, (installation) => {
  let models: ModelServer
  let settings: Record<string, string>
  let nodes: readonly MortalService[]

  before(async () => {
    models = await startModelServer()
    models.setDimensions(DIMENSIONS)
    settings = { RECOLLECT_EMBEDDER: 'openai:mini', OPENAI_BASE_URL: models.url }
    nodes = await Promise.all([
      installation().startNode('api', { settings }),
      installation().startNode('api', { settings }),
    ])
  })
  after(() => models?.close())

  test('is gone on with by another worker, loses no add, and switches every process at one moment', async (context) => {
    const [one, two] = nodes
    assert.ok(one && two)
    const memoryId = await makeMemory(one)
    const lockers = Array.from({ length: LOCKERS }, (_, index) => `Locker ${index} has the key ${index * 7}.`)
    const documents = [LIFT, ...lockers].map((text) => ({ title: 'Note', text }))
    const added = await addTexts(one, memoryId, documents, { embeddingModel: 'embedded' })
    assertStatus(added, 200)
    const dying = await installation().startNode('worker', {
      settings,
      death: { step: 'reembed:written', times: 1, afterMs: 0, atOnce: true },
    })
    const begun = await two.post<Accepted>(`/v1/memories/${memoryId}/reembed`, { embeddingModel: 'mini' })
    assertStatus(begun, 202)
    let isOver = false
    context.after(() => {
      isOver = true
    })
    const searching = Promise.all(nodes.map((node) => searchUntil(node, memoryId, () => isOver)))
    // Awaited at the end; an earlier rejection must not end the test runner.
    searching.catch(() => undefined)
    await waitUntilDead(dying)
    assert.deepEqual(await embeddingModelsOf(memoryId), ['static-multi', 'static-multi'])
    const meanwhile = await addAndRemove(memoryId, added.json.documentIds[7] ?? '')
    const adding = addUntil(memoryId, () => isOver)
    adding.catch(() => undefined)
    await installation().startNode('worker', { settings })
    const { status, message, attempts } = await endOfJob(one, begun.json.jobId)
    assert.deepEqual([status, attempts], ['completed', 2], message)
    assert.deepEqual(await embeddingModelsOf(memoryId), ['mini', 'mini'])
    isOver = true
    context.diagnostic(`${(await searching).join(' and ')} searches meanwhile`)
    const count = LOCKERS + meanwhile.length + (await adding)
    const texts = [LIFT, 'Locker 599 has the key 4193.', ...meanwhile]
    for (const node of nodes) await assertWhole(node, { memoryId, count, texts })
    assert.deepEqual(await auditByDoctor({ ...installation().settings, ...settings }), [])
  })

  test('cancelled on one process during the work of a worker leaves the memory unchanged', async () => {
    const [one, two] = nodes
    assert.ok(one && two)
    const memoryId = await makeMemory(one)
    assertStatus(await addTexts(one, memoryId, [{ title: 'Note', text: ROOF }], { embeddingModel: 'embedded' }), 200)
    models.script({ stall: 'before-headers' })
    const asked = models.nextRequest()
    const begun = await one.post<Accepted>(`/v1/memories/${memoryId}/reembed`, { embeddingModel: 'mini' })
    assertStatus(begun, 202)
    await asked
    assertStatus(await two.post<Job>(`/v1/jobs/${begun.json.jobId}/cancel`, {}), 200)
    assert.equal((await endOfJob(one, begun.json.jobId)).errorCode, 'cancelled')
    assert.deepEqual(await embeddingModelsOf(memoryId), ['static-multi', 'static-multi'])
    for (const node of nodes) {
      const { hits, warnings } = await find(node, memoryId, ROOF, { options: { mode: 'semantic' } })
      assert.deepEqual([hits[0]?.text, warnings], [ROOF, []])
    }
  })

  /**
   * Adds through both processes in turn, also after the copy of existing documents. Returns the
   * number.
   */
  async function addUntil(memoryId: string, isOver: () => boolean): Promise<number> {
    let adds = 0
    for (; !isOver(); adds += 1, await pause(100)) {
      await addText(nodes[adds % 2] ?? assert.fail(), memoryId, `Hook ${adds} is free.`)
    }
    return adds
  }

  const embeddingModelsOf = (memoryId: string) =>
    Promise.all(nodes.map(async (node) => (await readMemory(node, memoryId)).embeddingModel))

  /** Adds and removes on both processes; returns the texts to find afterwards. */
  async function addAndRemove(memoryId: string, removedId: string): Promise<string[]> {
    const texts = ['red', 'blue', 'green', 'grey', 'white', 'black'].map((colour) => `The ${colour} attic is let.`)
    for (const [index, text] of texts.entries()) await addText(nodes[index % 2] ?? assert.fail(), memoryId, text)
    const removed = await nodes[0]?.delete(`/v1/memories/${memoryId}/documents/${removedId}`)
    assert.equal(removed?.status, 204)
    return texts
  }
})

async function waitUntilDead(worker: MortalService): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; !worker.isDead(); await pause(50)) {
    assert.ok(Date.now() < until, 'the first worker never came to that step')
  }
}

/**
 * Searches semantically until `isOver`; in each answer, query and vectors use one model. Returns
 * the number.
 */
async function searchUntil(node: Service, memoryId: string, isOver: () => boolean): Promise<number> {
  let searches = 0
  for (; !isOver(); searches += 1, await pause(20)) {
    const { hits, warnings } = await find(node, memoryId, LIFT, { options: { mode: 'semantic' } })
    assert.deepEqual([hits[0]?.text, warnings], [LIFT, []])
  }
  return searches
}

type Expected = { memoryId: string; count: number; texts: readonly string[] }

/** Asserts that all documents have the new model and that the removed document is gone. */
async function assertWhole(node: Service, { memoryId, count, texts }: Expected): Promise<void> {
  for (const text of texts) {
    const { hits, warnings } = await find(node, memoryId, text, { options: { mode: 'semantic' } })
    assert.deepEqual([hits[0]?.text, warnings], [text, []])
  }
  const { documentCount, chunkCount } = await readMemory(node, memoryId)
  assert.deepEqual([documentCount, chunkCount], [count, count])
  const { hits } = await find(node, memoryId, 'Locker 6 has the key 42.', { options: { mode: 'lexical' } })
  assert.ok(hits.every(({ text }) => text !== 'Locker 6 has the key 42.'))
  const verdict = await node.get<{ ok: boolean; problems: unknown[] }>(`/v1/memories/${memoryId}/verify`)
  assert.deepEqual([verdict.json.ok, verdict.json.problems], [true, []])
  const { json } = await node.get<List<'jobs', Job>>(`/v1/jobs?memoryId=${memoryId}`)
  assert.equal(json.jobs.length, 1)
}
