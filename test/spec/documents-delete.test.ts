import assert from 'node:assert/strict'
import test from 'node:test'
import { type Answer, assertError, assertStatus } from './answer.ts'
import type { DeletedDocuments } from './api-types.ts'
import { useSharedService } from './service.ts'
import type { Correction } from './shapes.ts'
import { addInBackground, addText, addTexts, find, listDocuments, makeKey, makeMemory, readMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()

function remove(memoryId: string, body: unknown, key?: string): Promise<Answer<DeletedDocuments>> {
  const request = key === undefined ? {} : { key }
  return service.post<DeletedDocuments>(`/v1/memories/${memoryId}/documents/delete`, body, request)
}

/** The answer without warnings; fails unless the status is 200. */
async function removed(memoryId: string, body: unknown) {
  const answer = await remove(memoryId, body)
  assertStatus(answer, 200)
  const { warnings: _, ...numbers } = answer.json
  return numbers
}

test('documents are deleted by their identifiers', async () => {
  verifies('changes.delete.ids', 'changes.delete.dry-run')
  const memoryId = await makeMemory(service)
  const kept = await addText(service, memoryId, 'The heron fishes at dawn.')
  const gone = await addText(service, memoryId, 'The pike waits in the reeds.')
  const waiting = (await addInBackground(service, memoryId, 'The newt hibernates.')).json.documentIds[0] ?? ''
  const statement = 'The pike waits under the bridge.'
  const { id: correction } = (await service.post<Correction>(`/v1/memories/${memoryId}/correct`, { statement })).json
  const unknown = ['doc_01h455vb4pex5vsknk084sn02q', 'x', '']
  const ids = [gone, gone, waiting, correction, ...unknown]
  const counted = { matched: 3, deleted: 0, dryRun: true, notFound: unknown }
  assert.deepEqual(await removed(memoryId, { ids, dryRun: true }), counted)
  assert.equal((await listDocuments(service, memoryId)).total, 3)
  assert.deepEqual(await removed(memoryId, { ids }), { matched: 3, deleted: 3, dryRun: false, notFound: unknown })
  const { documents } = await listDocuments(service, memoryId)
  assert.deepEqual(
    documents.map(({ id }) => id),
    [kept],
  )
  assert.deepEqual((await find(service, memoryId, 'Where does the pike wait?')).hits, [])
  const { documentCount, correctionCount } = await readMemory(service, memoryId)
  assert.deepEqual([documentCount, correctionCount], [1, 0])
  assert.deepEqual(await removed(memoryId, { ids: [gone] }), {
    matched: 0,
    deleted: 0,
    dryRun: false,
    notFound: [gone],
  })
})

test('documents are deleted by a filter', async () => {
  verifies('changes.delete.filter', 'changes.delete.dry-run')
  const memoryId = await makeMemory(service)
  const documents = Array.from({ length: 250 }, (_, at) => ({
    title: `Note ${at}`,
    text: `Note ${at} of the log.`,
    tags: at % 2 === 0 ? ['even'] : ['odd'],
    metadata: { at },
  }))
  const { documentIds } = (await addTexts(service, memoryId, documents)).json
  await service.post(`/v1/memories/${memoryId}/correct`, { statement: 'The log is closed.', topics: ['even'] })
  const body = { enabled: false }
  await service.call('PATCH', `/v1/memories/${memoryId}/documents/${documentIds[0]}`, { body })
  await service.call('PATCH', `/v1/memories/${memoryId}/documents/${documentIds[2]}`, { body: { tags: ['kept'] } })
  const filter = { tags: ['even'] }
  const counted = { matched: 124, deleted: 0, dryRun: true, notFound: [] }
  assert.deepEqual(await removed(memoryId, { filter, dryRun: true }), counted)
  assert.equal((await listDocuments(service, memoryId)).total, 250)
  assert.deepEqual(await removed(memoryId, { filter }), { ...counted, deleted: 124, dryRun: false })
  assert.equal((await listDocuments(service, memoryId, '?tag=even')).total, 0)
  assert.equal((await listDocuments(service, memoryId)).total, 126)
  assert.deepEqual(await removed(memoryId, { filter }), { ...counted, matched: 0, dryRun: false })
  assert.equal((await removed(memoryId, { filter: { metadata: { at: { $gte: 200 } } } })).deleted, 25)
  assert.equal((await readMemory(service, memoryId)).documentCount, 101)
  assert.equal((await readMemory(service, memoryId)).correctionCount, 1)
  assert.equal((await removed(memoryId, { filter: { ...filter, sourceType: 'correction' } })).deleted, 1)
})

test('a deletion without a clear choice is refused', async () => {
  verifies('changes.delete.wrong')
  const memoryId = await makeMemory(service)
  const id = await addText(service, memoryId, 'The heron fishes at dawn.')
  const wrong: readonly (readonly [unknown, string])[] = [
    [{}, 'ids'],
    [{ dryRun: true }, 'ids'],
    [{ ids: [] }, 'ids'],
    [{ ids: id }, 'ids'],
    [{ ids: [7] }, 'ids[0]'],
    [{ ids: Array(10_001).fill(id) }, 'ids'],
    [{ ids: [id], filter: { tags: ['a'] } }, 'filter'],
    [{ filter: {} }, 'filter'],
    [{ filter: { tags: [], metadata: {} } }, 'filter'],
    [{ filter: 'all' }, 'filter'],
    [{ filter: { metadata: { a: { $near: 1 } } } }, 'filter.metadata.a.$near'],
    [{ ids: [id], dryRun: 'yes' }, 'dryRun'],
  ]
  for (const [body, param] of wrong) assertError(await remove(memoryId, body), 400, 'validation_failed', param)
  assert.equal((await listDocuments(service, memoryId)).total, 1)
})

test('documents of another memory are not found', async () => {
  verifies('changes.delete.access')
  const [mine, other] = [await makeMemory(service), await makeMemory(service)]
  const id = await addText(service, other, 'The heron fishes at dawn.', { tags: ['bird'] })
  const { key } = await makeKey(service, mine)
  assert.deepEqual((await remove(mine, { ids: [id] }, key)).json.notFound, [id])
  assert.equal((await remove(mine, { filter: { documentIds: [id] } }, key)).json.matched, 0)
  assertError(await remove(other, { ids: [id] }, key), 404, 'memory_not_found')
  assert.equal((await listDocuments(service, other)).total, 1)
})

test('a misspelled field of a deletion is refused, and nothing is deleted', async () => {
  verifies('changes.delete.unknown')
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The heron fishes at dawn.')
  for (const body of [
    { filter: { tag: ['old'], sourceType: 'text' } },
    { filter: { sourceType: 'text' }, dry_run: true },
  ])
    assertError(await remove(memoryId, body), 400, 'validation_failed')
  assert.equal((await listDocuments(service, memoryId)).total, 1)
})
