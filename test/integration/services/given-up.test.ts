/** Requests answered with a timeout, and requests close to the time limit. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../../../src/errors.ts'
import { newId } from '../../../src/ids.ts'
import { createDocumentsService } from '../../../src/services/documents/documents-service.ts'
import { createIngestService } from '../../../src/services/ingest/ingest-service.ts'
import { createMemoriesService } from '../../../src/services/memories/memories-service.ts'
import { openArchiveFixture } from '../archive/archive-fixture.ts'
import { refusedAs } from './fixtures.ts'
import { OPTIONS, openIngestFixture, textDocument, withOwn } from './ingest-fixture.ts'

const LONG = 'The archive keeps every letter in a dry room. '.repeat(1000)

type Fixture = Awaited<ReturnType<typeof openIngestFixture>>

/** Work that times out before the commit of its transaction. */
function giveUpAtCommit() {
  const limit = new AbortController()
  const storeResponse = async () => limit.abort(new ApiError('request_timeout'))
  return { signal: limit.signal, storeResponse }
}

/** Everything besides the memory of the fixture. */
async function listRemains({ parts: { db, blobs, memoryFile, removals }, memory, files }: Fixture): Promise<string[]> {
  await removals.sweep()
  const rows = await Promise.all([
    db.selectFrom('documents').select('id').execute(),
    db.selectFrom('jobs').select('id').execute(),
    db.selectFrom('intents').select('document_id as id').execute(),
    db.selectFrom('memories').select('id').where('id', '!=', memory.id).execute(),
  ])
  const chunks = await memoryFile.count(memory.id)
  const memoryFiles = (await files.list()).filter((name) => name !== memory.id)
  return [...rows.flat().map(({ id }) => id), ...chunks.keys(), ...(await blobs.list('memories/')), ...memoryFiles]
}

for (const isAsync of [false, true]) {
  const how = isAsync ? 'that a job is to do' : 'within its request'

  test(`an add ${how} that times out before its commit leaves nothing`, async (t) => {
    const fixture = await openIngestFixture(t)
    const options = { ...OPTIONS, async: isAsync }
    const { addTexts } = createIngestService(fixture.parts)
    const adding = addTexts(fixture.caller, fixture.memory.id, {
      documents: [textDocument(LONG)],
      options,
      work: giveUpAtCommit(),
    })
    await assert.rejects(adding, refusedAs('request_timeout'))
    assert.deepEqual(await listRemains(fixture), [])
  })

  test(`an import ${how} that times out before its commit leaves nothing`, async (t) => {
    const fixture = await openArchiveFixture(t)
    const { documentIds } = await fixture.add({}, [textDocument(LONG)])
    const archive = await fixture.exportWhole(fixture.memory.id)
    await fixture.documents.delete(fixture.caller, fixture.memory.id, documentIds[0] ?? '')
    const path = join(fixture.parts.temporaryDirectory, `upload-${randomUUID()}`)
    await writeFile(path, archive)
    const file = { path, bytes: archive.length, filename: null, declaredType: null }
    const chosen = { name: null, projectId: null, async: isAsync }
    const importing = fixture.archives.import(fixture.caller, file, { options: chosen, work: giveUpAtCommit() })
    await assert.rejects(importing, refusedAs('request_timeout'))
    assert.deepEqual(await listRemains(fixture), [])
  })
}

test('an add that waits for a blocked memory ends at its time limit', async (t) => {
  const fixture = await openIngestFixture(t)
  const { db, now } = fixture.parts
  const limit = new AbortController()
  const closed = { next_file: newId('mem'), closed_until: new Date(now().getTime() + 60_000).toISOString() }
  await db.updateTable('memories').set(closed).execute()
  // After this point, only the commit checks whether the add is still wanted.
  const stored = Promise.withResolvers<void>()
  const note = () => stored.resolve()
  subscribe('recollect:add:objects-stored', note)
  t.after(() => unsubscribe('recollect:add:objects-stored', note))
  const { addTexts } = createIngestService(fixture.parts)
  const adding = addTexts(fixture.caller, fixture.memory.id, {
    documents: [textDocument(LONG)],
    options: OPTIONS,
    work: { signal: limit.signal },
  })
  await stored.promise
  await nextTurn()
  limit.abort(new ApiError('request_timeout'))
  await assert.rejects(adding, refusedAs('request_timeout'))
  assert.deepEqual(await listRemains(fixture), [])
})

test('a commit is answered, however long its cleanup takes', async (t) => {
  const fixture = await openIngestFixture(t)
  const { parts, caller, memory } = fixture
  const { documentIds } = await fixture.add({}, [textDocument('The ferry leaves at nine.')])
  const never = Promise.withResolvers<void>()
  const carryOut = t.mock.fn(() => never.promise)
  const slow = { ...parts, removals: { ...parts.removals, process: carryOut } }
  const remove = t.mock.fn(() => never.promise)
  const repeated = { memoryFile: withOwn(parts.memoryFile, { deleteDocuments: remove }) }
  const works = [
    {
      begin: () => fixture.add(repeated, [textDocument('The ferry leaves at nine.')], { deduplicate: true }),
      asked: remove,
    },
    {
      begin: () => createDocumentsService(slow).delete(caller, memory.id, documentIds[0] ?? ''),
      asked: carryOut,
    },
    { begin: () => createMemoriesService(slow).delete(caller, memory.id), asked: carryOut },
  ]
  for (const { begin, asked } of works) {
    const before = asked.mock.callCount()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const work = begin()
    while (asked.mock.callCount() === before) await nextTurn()
    await nextTurn()
    t.mock.timers.tick(5000)
    t.mock.timers.reset()
    await work
  }
})
