import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createWorker } from '../../../src/jobs/worker.ts'
import type { ChunkRow } from '../../../src/memory-file/memory-file.ts'
import { createDocumentsService } from '../../../src/service/documents/documents-service.ts'
import type { TextDocument } from '../../../src/service/ingest/ingest.ts'
import type { IngestParts } from '../../../src/service/ingest/ingest-parts.ts'
import { createIngestionJob } from '../../../src/service/ingest/job/ingestion-job.ts'
import { INGESTION_JOB } from '../../../src/service/jobs/job-types.ts'
import { claimJobs } from '../../../src/store/jobs/claim-jobs.ts'
import { openIngestHouse, textDocument, withOwn } from './ingest-house.ts'

const LONG = 'The archive keeps every letter in a dry room. '.repeat(1000)

/** A house with a job of these documents, and a worker that can be told to write as given. */
async function openJob(t: TestContext, documents: readonly TextDocument[]) {
  const house = await openIngestHouse(t)
  const accepted = await house.add({}, documents, { async: true, storeSource: true })
  const { parts, memory, caller } = house
  const remove = (id: string) => createDocumentsService(parts).delete(caller, memory.id, id)

  async function work(given: Partial<IngestParts> = {}): Promise<void> {
    const { db, changes, log, now } = parts
    const handlers = { [INGESTION_JOB]: createIngestionJob({ ...parts, ...given }) }
    const worker = createWorker({ db, handlers, changes, log, now, isOnly: true, pollMs: 5 })
    worker.start()
    while ((await db.selectFrom('jobs').select('completed_at').executeTakeFirst())?.completed_at === null)
      await setTimeout(5)
    await worker.stop()
    await parts.removals.sweep()
  }

  async function left() {
    const objects = await parts.blobs.list(`memories/${memory.id}/`)
    return {
      chunks: [...(await parts.memoryFile.count(memory.id)).keys()],
      objects: [...new Set(objects.map((key) => key.split('/')[3]))],
    }
  }
  return { ...house, ids: accepted.documentIds, remove, work, left }
}

test('a document that is deleted while its job writes leaves no chunks and no objects', async (t) => {
  const { parts, ids, remove, work, left } = await openJob(t, [textDocument(LONG), textDocument('The one that stays.')])
  const [gone = '', kept = ''] = ids
  let isDeleted = false
  await work({
    memoryFile: withOwn(parts.memoryFile, {
      async add(memoryId, chunks) {
        if (!isDeleted) await remove(gone)
        isDeleted = true
        await parts.memoryFile.add(memoryId, chunks)
      },
    }),
  })
  assert.ok(isDeleted)
  assert.deepEqual(await left(), { chunks: [kept], objects: [kept] })
})

test('what a worker wrote of a deleted document before it died is cleared', async (t) => {
  const { parts, memory, ids, remove, work, left } = await openJob(t, [textDocument(LONG)])
  const { db, now } = parts
  const written: ChunkRow[] = []
  const [job] = await claimJobs(db, { limit: 1, leaseMs: 60_000, token: 'dies', now: now() })
  const dying = createIngestionJob({
    ...parts,
    memoryFile: withOwn(parts.memoryFile, {
      async add(_, chunks) {
        written.push(...chunks)
        throw new Error('died')
      },
    }),
  })
  const signal = new AbortController().signal
  await assert.rejects(dying.run({ job: job ?? assert.fail(), leaseToken: 'dies', signal, report() {} }), /died/)
  await remove(ids[0] ?? '')
  await parts.memoryFile.add(memory.id, written)
  assert.deepEqual((await left()).chunks, ids)

  await work()
  assert.deepEqual(await left(), { chunks: [], objects: [] })
})

test('a document that replaced one of a job while the job wrote stays when the job ends', async (t) => {
  const externalId = 'one'
  const older = [textDocument('Beside it.'), textDocument('The older.', { externalId })]
  const { parts, ids, add, work, left } = await openJob(t, older)
  let younger = ''
  await work({
    memoryFile: withOwn(parts.memoryFile, {
      async add(memoryId, chunks) {
        if (younger === '') [younger = ''] = (await add({}, [textDocument('The younger.', { externalId })])).documentIds
        await parts.memoryFile.add(memoryId, chunks)
      },
    }),
  })
  const there = [ids[0] ?? '', younger].sort()
  assert.deepEqual((await left()).chunks.sort(), there)
  const rows = await parts.db.selectFrom('documents').select(['id', 'status']).orderBy('id').execute()
  assert.deepEqual(
    rows,
    there.map((id) => ({ id, status: 'ready' })),
  )
})

for (const how of ['deleted', 'replaced'] as const) {
  test(`a document of a job that is ${how} before its text is read takes no other along`, async (t) => {
    const externalId = 'one'
    const older = [textDocument('Beside it.'), textDocument('The older.', { externalId }), textDocument('The last.')]
    const { parts, ids, add, remove, work } = await openJob(t, older)
    let isGone = false
    await work({
      blobs: {
        ...parts.blobs,
        async put(...original) {
          if (!isGone && how === 'deleted') await remove(ids[1] ?? '')
          if (!isGone && how === 'replaced') await add({}, [textDocument('The younger.', { externalId })])
          isGone = true
          return parts.blobs.put(...original)
        },
      },
    })
    const { status, result } = await parts.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
    const kept = [ids[0], ids[2]]
    assert.deepEqual([status, JSON.parse(result ?? '{}').documentIds], ['completed', kept])
    const rows = await parts.db
      .selectFrom('documents')
      .select(['id', 'status'])
      .where('job_id', 'is not', null)
      .orderBy('seq')
      .execute()
    assert.deepEqual(
      rows,
      kept.map((id) => ({ id, status: 'ready' })),
    )
  })
}
