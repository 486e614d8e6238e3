import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { countListedDocuments } from '../../../src/database/memories/documents-table.ts'
import { createWorker } from '../../../src/jobs/worker.ts'
import { readFilter } from '../../../src/services/filters/read-filter.ts'
import { createIngestService } from '../../../src/services/ingest/ingest-service.ts'
import { createIngestionJob } from '../../../src/services/ingest/job/ingestion-job.ts'
import { INGESTION_JOB } from '../../../src/services/jobs/job-handler.ts'
import { type StoreResponse, storeNoResponse } from '../../../src/services/request-work.ts'
import { assertYields } from '../../support/assert-yields.ts'
import { OPTIONS, openIngestFixture, textDocument } from './ingest-fixture.ts'

/** A fixture after the first texts have loaded everything. */
async function openWarmFixture(t: TestContext) {
  const fixture = await openIngestFixture(t)
  await fixture.add({}, [textDocument('The crane is old.'), textDocument('The weir is older.')])
  return fixture
}

test('a request of many texts for a job blocks no other work', async (t) => {
  const { add } = await openWarmFixture(t)
  const words = 'the herons nest at the old weir and leave with the first frost '.repeat(250)
  const texts = Array.from({ length: 3000 }, (_, index) => textDocument(`${index} ${words}`))
  await assertYields(async () => () => add({}, texts))
})

test('a request of texts with the maximum of tags and metadata blocks no other work', async (t) => {
  const { add, find } = await openWarmFixture(t)
  const tags = Array.from({ length: 100 }, (_, index) => `tag ${index}`)
  const metadata = Object.fromEntries(tags.map((name, index) => [name, index]))
  const texts = Array.from({ length: 500 }, (_, index) =>
    textDocument(`The heron ${index} is back.`, { tags, metadata }),
  )
  await assertYields(async () => () => add({}, texts))
  const filter = readFilter({ tags: ['tag 7'], metadata: { 'tag 99': 99 } })
  assert.equal((await find('heron', { filter, limit: 3 })).hits.length, 3)
})

test('comparing many short texts of a request blocks no other work', async (t) => {
  const { add } = await openWarmFixture(t)
  let tries = 0
  const prepare = async () => {
    const name = `weir ${tries++}`
    const texts = Array.from({ length: 3000 }, (_, index) => textDocument(`The heron ${index} is back at ${name}.`))
    return async () => {
      const added = await add({}, [...texts, ...texts.slice(0, 5)], { deduplicate: true })
      assert.ok('documentsSkipped' in added)
      assert.equal(added.documentsSkipped, 5)
    }
  }
  await assertYields(prepare)
})

test('the tags of a large request are stored before its documents become visible, and removed if they never do', async (t) => {
  const { parts, caller, memory } = await openWarmFixture(t)
  const { db } = parts
  const tags = Array.from({ length: 100 }, (_, index) => `tag ${index}`)
  const texts = Array.from({ length: 150 }, (_, index) => textDocument(`The heron ${index} is back.`, { tags }))
  const listing = { memoryId: memory.id, status: null, sourceType: null, tag: 'tag 7' }
  const count = async () => {
    const rows = await db.selectFrom('document_tags').select('tag').execute()
    return { rows: rows.length, listed: await countListedDocuments(db, listing) }
  }
  const stored: Promise<Awaited<ReturnType<typeof count>>>[] = []
  const look = () => void stored.push(count())
  subscribe('recollect:add:objects-stored', look)
  t.after(() => unsubscribe('recollect:add:objects-stored', look))
  const { signal } = new AbortController()
  const add = (storeResponse: StoreResponse<unknown>) =>
    createIngestService(parts).addTexts(caller, memory.id, {
      documents: texts,
      options: OPTIONS,
      work: { signal, storeResponse },
    })
  await assert.rejects(
    add(() => Promise.reject(new Error('refused'))),
    /refused/,
  )
  assert.deepEqual(await stored[0], { rows: 15_000, listed: 0 })
  assert.deepEqual(await count(), { rows: 0, listed: 0 })
  await add(storeNoResponse)
  assert.deepEqual(await count(), { rows: 15_000, listed: 150 })
})

test('comparing, storing and reading a text of megabytes in a job blocks no other work', async (t) => {
  const { add, parts } = await openWarmFixture(t)
  const { db, changes, log, now } = parts
  const handlers = { [INGESTION_JOB]: createIngestionJob(parts) }
  const newest = db.selectFrom('jobs').select(['completed_at', 'message']).orderBy('id', 'desc').limit(1)
  let tries = 0
  const prepare = async () => {
    const text = `${tries++} the herons nest at the old weir and leave with the first frost. `.repeat(80_000)
    await add({}, [textDocument(text), textDocument(text)], { deduplicate: true, storeSource: true })
    return async () => {
      const worker = createWorker({ db, handlers, changes, log, now, isOnly: true, pollMs: 5 })
      worker.start()
      while ((await newest.executeTakeFirstOrThrow()).completed_at === null) await setTimeout(5)
      await worker.stop()
      assert.match((await newest.executeTakeFirstOrThrow()).message, /^Added 1 of 2 documents/)
    }
  }
  // Comparing alone, undivided, is a twelfth.
  await assertYields(prepare, { most: 0.05 })
})

test('a table yields frequently, as few bytes may hold many lines', async (t) => {
  const { caller, memory, parts } = await openWarmFixture(t)
  const path = join(parts.temporaryDirectory, 'herons.csv')
  const content = `herons,weir\n${'\n'.repeat(2000)}nest,old\n`
  await writeFile(path, content)
  const file = { path, bytes: content.length, filename: 'herons.csv', declaredType: null }
  const { signal } = new AbortController()
  let asked = 0
  const yieldToEventLoop = async () => void asked++
  await createIngestService({ ...parts, yieldToEventLoop: yieldToEventLoop }).addFile(caller, memory.id, {
    file,
    options: OPTIONS,
    work: { signal },
  })
  assert.ok(asked > 30, `${asked} times`)
})
