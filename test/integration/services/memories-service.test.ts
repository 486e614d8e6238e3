import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertJob } from '../../../src/database/jobs/jobs-table.ts'
import type { PlanId } from '../../../src/limits.ts'
import { createProjectsService } from '../../../src/services/account/projects-service.ts'
import { createDeletionOutbox } from '../../../src/services/deletion/deletion-outbox.ts'
import { createJobChanges, type JobChange } from '../../../src/services/jobs/job-changes.ts'
import { createMemoriesService } from '../../../src/services/memories/memories-service.ts'
import { addDocument, addStranger, openFixture, refusedAs, rememberingStores, scopedTo, silent } from './fixtures.ts'

const input = { name: 'Support KB', description: null, projectId: null, projectName: null }
const firstPage = { limit: 100, cursor: null }

async function serve(t: Parameters<typeof openFixture>[0], plan?: PlanId) {
  const fixture = await openFixture(t, plan)
  const { db, now } = fixture
  const stores = rememberingStores()
  const changes = createJobChanges()
  const heard: JobChange[] = []
  changes.subscribe(null, (change) => heard.push(change))
  const removals = createDeletionOutbox({ db, ...stores, log: silent, now })
  const memories = createMemoriesService({ db, removals, changes, now })
  return { ...fixture, ...stores, heard, removals, memories, projects: createProjectsService({ db, ...stores, now }) }
}

test('a new memory is empty, ready, and read back the same', async (t) => {
  const { memories, caller } = await serve(t)
  const made = await memories.create(caller, { ...input, description: 'What we know' })
  assert.match(made.id, /^mem_[0-9a-z]{26}$/)
  const { id, ...rest } = made
  assert.deepEqual(rest, {
    name: 'Support KB',
    description: 'What we know',
    projectId: null,
    projectName: null,
    status: 'ready',
    documentCount: 0,
    chunkCount: 0,
    correctionCount: 0,
    sizeBytes: 0,
    embeddingModel: null,
    chunking: null,
    createdAt: '2026-11-21T08:00:00.000Z',
    updatedAt: '2026-11-21T08:00:00.000Z',
  })
  assert.deepEqual(await memories.get(caller, id), made)
})

test('names and descriptions keep their limits to the character', async (t) => {
  const { memories, caller } = await serve(t)
  await memories.create(caller, { ...input, name: 'x'.repeat(1000), description: 'y'.repeat(5000) })
  for (const wrong of [{ name: '' }, { name: ' \n' }, { name: 'x'.repeat(1001) }, { description: 'y'.repeat(5001) }]) {
    await assert.rejects(memories.create(caller, { ...input, ...wrong }), refusedAs('validation_failed'))
  }
})

test('unstorable characters in names and descriptions are replaced', async (t) => {
  const { memories, caller } = await serve(t)
  const texts = { name: 'r2\u0000\ud800', description: 'd\u0000', projectName: 'p\u0000' }
  const made = await memories.create(caller, { ...input, ...texts })
  assert.deepEqual([made.name, made.description, made.projectName], ['r2\ufffd\ufffd', 'd\ufffd', 'p\ufffd'])
})

test('a project name finds an existing project in any case, or creates one', async (t) => {
  const { memories, projects, caller } = await serve(t)
  const first = await memories.create(caller, { ...input, projectName: ' Ärzte ' })
  const second = await memories.create(caller, { ...input, projectName: 'ÄRZTE' })
  assert.deepEqual([first.projectName, second.projectName], ['Ärzte', 'Ärzte'])
  assert.equal(first.projectId, second.projectId)
  const third = await memories.create(caller, { ...input, projectId: first.projectId })
  assert.equal(third.projectName, 'Ärzte')
  assert.equal((await projects.get(caller, first.projectId ?? '')).memoryCount, 3)
  const { memories: listed, total } = await memories.list(caller, { projectId: first.projectId }, firstPage)
  assert.deepEqual([listed.map(({ id }) => id), total], [[third.id, second.id, first.id], 3])
})

test('an unknown, malformed or foreign project is not found, and no memory is created', async (t) => {
  const { memories, projects, caller, db } = await serve(t)
  const foreign = await projects.create(await addStranger(db), 'Theirs')
  for (const projectId of ['prj_01h00000000000000000000000', "' or 1=1", foreign.id]) {
    await assert.rejects(memories.create(caller, { ...input, projectId }), refusedAs('project_not_found'))
  }
  const own = await projects.create(caller, 'Ours')
  const both = { ...input, projectId: own.id, projectName: 'Theirs' }
  await assert.rejects(memories.create(caller, both), refusedAs('validation_failed'))
  assert.equal((await memories.list(caller, { projectId: null }, firstPage)).total, 0)
})

test('the plan limits memories, also concurrently, and leaves no project behind', async (t) => {
  const { memories, projects, caller } = await serve(t, 'starter')
  const tries = Array.from({ length: 8 }, (_, index) => memories.create(caller, { ...input, projectName: `P${index}` }))
  const results = await Promise.allSettled(tries)
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5)
  assert.equal((await projects.list(caller, firstPage)).total, 5)
  const refused = await memories.create(caller, input).catch((error: unknown) => error)
  assert.ok(refusedAs('memory_limit_reached')(refused))
  const [oldest] = (await memories.list(caller, { projectId: null }, firstPage)).memories.slice(-1)
  await memories.delete(caller, oldest?.id ?? '')
  await memories.create(caller, input)
})

test('pages of memories are newest first and stay as they are while memories are added', async (t) => {
  const { memories, caller } = await serve(t)
  const made: string[] = []
  for (let count = 0; count < 5; count += 1) made.push((await memories.create(caller, input)).id)
  const all = { projectId: null }
  const first = await memories.list(caller, all, { limit: 2, cursor: null })
  await memories.create(caller, input)
  const second = await memories.list(caller, all, { limit: 2, cursor: first.nextCursor })
  const third = await memories.list(caller, all, { limit: 2, cursor: second.nextCursor })
  const seen = [first, second, third].flatMap((page) => page.memories.map(({ id }) => id))
  assert.deepEqual(seen, made.toReversed())
  assert.deepEqual([third.hasMore, third.nextCursor, third.total], [false, null, 6])
  await assert.rejects(memories.list(caller, all, { limit: 2, cursor: 'x' }), refusedAs('invalid_cursor'))
})

test('another organization sees, reads and deletes nothing', async (t) => {
  const { memories, caller, db } = await serve(t)
  const { id } = await memories.create(caller, input)
  const stranger = await addStranger(db)
  await assert.rejects(memories.get(stranger, id), refusedAs('memory_not_found'))
  await assert.rejects(memories.delete(stranger, id), refusedAs('memory_not_found'))
  assert.equal((await memories.list(stranger, { projectId: null }, firstPage)).total, 0)
  await memories.get(caller, id)
})

test('a memory-scoped key lists its one memory, and creates and deletes none', async (t) => {
  const { memories, caller } = await serve(t)
  const own = await memories.create(caller, input)
  const other = await memories.create(caller, input)
  const scoped = scopedTo(caller, own.id)
  const { memories: listed, total } = await memories.list(scoped, { projectId: null }, firstPage)
  assert.deepEqual([listed, total], [[own], 1])
  await assert.rejects(memories.get(scoped, other.id), refusedAs('memory_not_found'))
  await assert.rejects(memories.delete(scoped, own.id), refusedAs('scope_forbidden'))
  await assert.rejects(memories.create(scoped, input), refusedAs('scope_forbidden'))
})

test('deleting a memory removes its rows, file and objects, ends its jobs, and works only once', async (t) => {
  const { memories, caller, db, now, pass, objects, asked, heard, removals } = await serve(t)
  const gone = await memories.create(caller, input)
  const kept = await memories.create(caller, input)
  for (let count = 0; count < 120; count += 1)
    await addDocument(db, caller, gone.id, { tagNames: ['a'], inlineText: 'x' })
  await addDocument(db, caller, kept.id, { tagNames: ['a'], inlineText: 'x' })
  objects.set(`memories/${gone.id}/documents/doc_1/source`, Buffer.from('x'))
  objects.set(`memories/${kept.id}/documents/doc_2/source`, Buffer.from('x'))
  const facts = { organizationId: caller.organizationId, jobType: 'documentingestion', payload: {}, now: now() }
  const job = await db.transaction().execute((t) => insertJob(t, { ...facts, memoryId: gone.id }))
  await db.transaction().execute((t) => insertJob(t, { ...facts, memoryId: kept.id }))

  await memories.delete(caller, gone.id)
  await assert.rejects(memories.delete(caller, gone.id), refusedAs('memory_not_found'))
  await assert.rejects(memories.get(caller, gone.id), refusedAs('memory_not_found'))
  assert.deepEqual(asked, [`file ${gone.id}`, `objects memories/${gone.id}/`])
  assert.deepEqual([...objects.keys()], [`memories/${kept.id}/documents/doc_2/source`])
  for (const table of ['documents', 'document_tags', 'document_texts', 'signatures', 'memory_languages'] as const) {
    assert.equal((await db.selectFrom(table).selectAll().execute()).length, 1, table)
  }
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'status', 'error_code', 'completed_at'])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    jobs.map(({ status, error_code }) => [status, error_code]),
    [
      ['failed', 'memory_not_found'],
      ['pending', null],
    ],
  )
  assert.deepEqual(heard, [{ jobId: job.id, kind: 'stop-asked' }])

  // Pending work may have written again: the sweep clears late writes until none can occur.
  objects.set(`memories/${gone.id}/documents/doc_3/text`, Buffer.from('late'))
  await removals.sweep()
  assert.equal(objects.size, 1)
  pass(11 * 60_000)
  await removals.sweep()
  assert.deepEqual(await db.selectFrom('removals').selectAll().execute(), [])
})

test('a memory can be deleted while its stores are down; the sweep removes leftovers', async (t) => {
  const { memories, caller, db, state, objects, removals, pass } = await serve(t)
  const { id } = await memories.create(caller, input)
  objects.set(`memories/${id}/documents/doc_1/source`, Buffer.from('x'))
  await addDocument(db, caller, id)
  state.broken = true
  await memories.delete(caller, id)
  await assert.rejects(memories.get(caller, id), refusedAs('memory_not_found'))
  await removals.sweep()
  assert.equal(objects.size, 1)
  state.broken = false
  pass(11 * 60_000)
  await removals.sweep()
  assert.equal(objects.size, 0)
  assert.deepEqual(await db.selectFrom('documents').selectAll().execute(), [])
  assert.deepEqual(await db.selectFrom('removals').selectAll().execute(), [])
})
