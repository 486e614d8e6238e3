import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAnalyzer } from '../../../src/engine/analysis/analyzer.ts'
import { createStaticEmbedder } from '../../../src/models/local/static-model.ts'
import { readStaticTable } from '../../../src/models/local/static-table.ts'
import { embedChunks } from '../../../src/services/ingest/indexing/embed-chunks.ts'
import { createIndexingThread, startIndexingThread } from '../../../src/services/ingest/indexing/indexing-thread.ts'
import type { IngestDeps } from '../../../src/services/ingest/ingest-deps.ts'
import { createIngestService } from '../../../src/services/ingest/ingest-service.ts'
import { OPTIONS, openIngestFixture, textDocument } from './ingest-fixture.ts'

const EMBEDDER = join(import.meta.dirname, '../../../embedder')
const CONTEXT = {
  documentId: 'doc_1',
  kind: 'document',
  heading: 'Rules of the harbour',
  language: 'en',
  labels: ['0123456789abcdef'],
  firstIndex: 0,
} as const

function openThread(openTable = () => readStaticTable(EMBEDDER)) {
  const warnings: unknown[] = []
  const log = { warn: (facts: unknown) => void warnings.push(facts) }
  const model = { model: 'static-multi', openTable, start: startIndexingThread }
  const thread = createIndexingThread({ ...model, log, idleMs: 60_000, retryMs: 60_000 })
  return { thread, warnings }
}

/** Many chunks of different lengths, so several requests run concurrently. */
const chunksOf = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const text = `Boat number ${index} waits for the lock. `.repeat(1 + (index % 9)).trim()
    const place = { startOffset: 0, endOffset: text.length, page: null, pageEnd: null }
    return { text, ...place, section: index % 2 === 0 ? 'Locks' : null, header: null }
  })

test('the indexing thread produces identical rows, also for several documents concurrently', async (t) => {
  const { thread, warnings } = openThread()
  t.after(() => thread.close())
  const indexing = { embedder: await createStaticEmbedder({ directory: EMBEDDER }), analyzer: createAnalyzer() }
  const counts = [40, 1, 7, ...Array.from({ length: 20 }, (_, index) => index % 3)]
  const documents = counts.map((count) => chunksOf(count))
  const beside = await Promise.all(documents.map((chunks) => embedChunks({ ...indexing, thread }, chunks, CONTEXT)))
  const here = await Promise.all(documents.map((chunks) => embedChunks(indexing, chunks, CONTEXT)))
  assert.deepEqual(plain(beside), plain(here))
  assert.deepEqual(warnings, [])
})

test('the indexing thread has a lower processor priority than the event loop', {
  skip:
    process.platform !== 'linux' || getPriority() > 0
      ? 'threads have no priorities here, or the process stands behind others already'
      : false,
}, async (t) => {
  const { thread } = openThread()
  t.after(() => thread.close())
  const listBehind = () =>
    readdirSync('/proc/self/task').filter((id) => getPriority(Number(id)) === constants.priority.PRIORITY_BELOW_NORMAL)
  const before = new Set(listBehind())
  await thread.index(chunksOf(1), CONTEXT)
  assert.ok(listBehind().some((id) => !before.has(id)))
  assert.equal(getPriority(), 0)
})

test('work of a broken indexing thread runs in this thread, and the log says why', async (t) => {
  const { thread, warnings } = openThread(async () => ({ ...(await readStaticTable(EMBEDDER)), areas: [-1, -1] }))
  t.after(() => thread.close())
  const indexing = { embedder: await createStaticEmbedder({ directory: EMBEDDER }), analyzer: createAnalyzer() }
  const rows = await embedChunks({ ...indexing, thread }, chunksOf(3), CONTEXT)
  assert.equal(rows.length, 3)
  assert.ok(rows.every(({ terms, vector }) => terms.includes('boat') && vector.length === 384))
  assert.equal(warnings.length, 1)
})

test('large concurrent adds are indexed two at a time, and one whose client leaves has no effect', async (t) => {
  const { caller, memory, parts } = await openIngestFixture(t)
  const { thread } = openThread()
  t.after(() => thread.close())
  let [atOnce, most] = [0, 0]
  const attend: typeof thread.runLimited = (work, signal) =>
    thread.runLimited(async () => {
      atOnce += 1
      most = Math.max(most, atOnce)
      try {
        return await work()
      } finally {
        atOnce -= 1
      }
    }, signal)
  const service = createIngestService({ ...parts, indexingThread: { ...thread, runLimited: attend } })
  const answered: number[] = []
  const leaving = new AbortController()
  const add = async (place: number, signal = new AbortController().signal) => {
    const text = `Boat number ${place} waits for the lock. `.repeat(2500)
    await service.addTexts(caller, memory.id, { documents: [textDocument(text)], options: OPTIONS, work: { signal } })
    answered.push(place)
  }
  const first = [0, 1].map((place) => add(place))
  const left = add(2, leaving.signal)
  const last = add(3)
  leaving.abort(new Error('left'))
  await assert.rejects(left, /left/)
  assert.deepEqual(answered, [], 'who leaves does not wait for the others')
  await Promise.all([...first, last])
  assert.deepEqual([answered.toSorted(), most], [[0, 1, 3], 2])
  const kept = await parts.db.selectFrom('documents').select('id').execute()
  const begun = await parts.db.selectFrom('intents').selectAll().execute()
  assert.deepEqual([kept.length, begun], [3, []])
})

test('texts do not wait for files, whose recognition may take long', async (t) => {
  const { caller, memory, parts } = await openIngestFixture(t)
  const { thread } = openThread()
  t.after(() => thread.close())
  const recognized = Promise.withResolvers<void>()
  const waiting = { started: 0 }
  const reader: IngestDeps['reader'] = {
    ...parts.reader,
    async *recognize(...given) {
      waiting.started += 1
      await recognized.promise
      yield* parts.reader.recognize(...given)
    },
  }
  const service = createIngestService({ ...parts, reader, indexingThread: thread })
  const path = join(parts.temporaryDirectory, 'boats.html')
  const content = `<p>${'Boats wait for the lock. '.repeat(4000)}</p>`
  await writeFile(path, content)
  const { signal } = new AbortController()
  const file = { path, bytes: content.length, filename: 'boats.html', declaredType: null }
  const files = [1, 2, 3].map(() => service.addFile(caller, memory.id, { file, options: OPTIONS, work: { signal } }))
  const text = textDocument('Boat number 4 waits for the lock. '.repeat(2500))
  const added = await service.addTexts(caller, memory.id, { documents: [text], options: OPTIONS, work: { signal } })
  assert.equal(added.status, 'completed')
  recognized.resolve()
  await Promise.all(files)
  assert.equal(waiting.started, 3)
})

function plain(documents: Awaited<ReturnType<typeof embedChunks>>[]) {
  return documents.flat().map((row) => ({ ...row, vector: [...row.vector], windows: [...row.windows] }))
}
