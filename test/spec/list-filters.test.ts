import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Document, Job, List, Memory, Warning } from './shapes.ts'
import { addInBackground, addTexts, endOfJob, listDocuments, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const service = useService()

type Warned = { warnings?: Warning[] }

test('documents are listed by title, file name, external id, metadata and time, in both orders', async () => {
  verifies('lists.documents', 'lists.sort')
  const memory = await makeMemory(service)
  const documents = Array.from({ length: 25 }, (_, at) => ({
    title: `${at % 2 === 0 ? 'Even' : 'Odd'} 100% note_${at}`,
    text: `Note ${at}.`,
    externalId: `x${at}`,
    tags: at % 5 === 0 ? ['five'] : [],
    metadata: { at },
  }))
  assertStatus(await addTexts(service, memory, documents), 200)
  const titles = async (query: string) => {
    const { documents: listed, total } = await listDocuments(service, memory, query)
    return { total, titles: listed.map(({ title }) => title) }
  }
  assert.equal((await titles('?title=even')).total, 13)
  assert.deepEqual((await titles('?title=0%25%20NOTE_7')).titles, ['Odd 100% note_7'])
  assert.equal((await titles('?title=note%25')).total, 0, 'a wildcard is only a character')
  assert.deepEqual((await titles('?externalId=x3')).titles, ['Odd 100% note_3'])
  assert.equal((await titles('?filename=note')).total, 0)
  assert.deepEqual((await titles('?name=NOTE_7')).titles, ['Odd 100% note_7'])
  assert.deepEqual((await titles('?name=%00')).titles, [])
  const metadata = (conditions: object) => `metadata=${encodeURIComponent(JSON.stringify(conditions))}`
  assert.deepEqual((await titles(`?${metadata({ at: { $gte: 23 } })}`)).titles, [
    'Even 100% note_24',
    'Odd 100% note_23',
  ])
  assert.deepEqual((await titles(`?${metadata({ at: { $gt: 3 } })}&tag=five&title=odd&sort=createdAt`)).titles, [
    'Odd 100% note_5',
    'Odd 100% note_15',
  ])
  assert.equal((await titles('?createdAfter=2020-01-01&status=ready')).total, 25)
  assert.equal((await titles('?createdBefore=2020-01-01')).total, 0)
  const seen: string[] = []
  let cursor = ''
  do {
    const page = await listDocuments(service, memory, `?title=odd&sort=createdAt&limit=5${cursor}`)
    assert.equal(page.total, 12)
    seen.push(...page.documents.map(({ title }) => title))
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
  } while (cursor !== '')
  assert.deepEqual(
    seen,
    documents.map(({ title }) => title).filter((title) => title.startsWith('Odd')),
  )
  for (const query of ['metadata=1', 'metadata=%7B%22a%22%3A%7B%22%24x%22%3A1%7D%7D', 'createdAfter=soon', 'sort=size'])
    assertError(await service.get(`/v1/memories/${memory}/documents?${query}`), 400, 'validation_failed')
})

test('a list counts pending and failed documents, which documentCount does not', async () => {
  verifies('lists.total')
  const memory = await makeMemory(service)
  assertStatus(await addTexts(service, memory, [{ text: 'One.' }]), 200)
  const count = async () => (await service.get<Memory>(`/v1/memories/${memory}`)).json.documentCount
  assert.deepEqual([await count(), (await listDocuments(service, memory)).total], [1, 1])
  const added = await addInBackground(service, memory, 'Two.')
  assert.equal((await listDocuments(service, memory)).total, 2)
  await endOfJob(service, added.json.jobId)
  const ready = await listDocuments(service, memory, '?status=ready')
  assert.deepEqual([await count(), ready.total], [2, 2])
})

test('memories are listed by name and time, in each order', async () => {
  verifies('lists.memories', 'lists.sort')
  const names = ['Zebra files', 'alpha', 'Files of 100%']
  for (const name of names) await makeMemory(service, name)
  const list = async (query: string) => {
    const answer = await service.get<List<'memories', Memory>>(`/v1/memories?${query}`)
    assertStatus(answer, 200)
    return answer.json
  }
  const named = async (query: string) => (await list(query)).memories.map(({ name }) => name)
  assert.deepEqual(await named('name=FILES&sort=name'), ['Files of 100%', 'Zebra files'])
  assert.deepEqual(await named('name=FILES&sort=-name'), ['Zebra files', 'Files of 100%'])
  assert.deepEqual(await named('name=files&sort=createdAt'), ['Zebra files', 'Files of 100%'])
  assert.deepEqual(await named('name=100%25'), ['Files of 100%'])
  assert.deepEqual(await named('name=files&createdBefore=2020-01-01'), [])
  const first = await list('name=files&sort=name&limit=1')
  const next = await list(`name=files&sort=name&limit=1&cursor=${first.nextCursor}`)
  assert.deepEqual([first.total, next.memories[0]?.name, next.hasMore], [2, 'Zebra files', false])
  assertError(await service.get(`/v1/memories?cursor=${first.nextCursor}`), 400, 'invalid_cursor')
})

test('jobs are listed by type and time, in each order', async () => {
  verifies('lists.jobs', 'lists.sort')
  const memory = await makeMemory(service)
  const ids: string[] = []
  for (const text of ['One.', 'Two.']) ids.push((await addInBackground(service, memory, text)).json.jobId)
  for (const id of ids) await endOfJob(service, id)
  const list = async (query: string) => {
    const answer = await service.get<List<'jobs', Job>>(`/v1/jobs?memoryId=${memory}&${query}`)
    assertStatus(answer, 200)
    return answer.json.jobs.map(({ id }) => id)
  }
  assert.deepEqual(await list('jobType=documentingestion&sort=createdAt'), ids)
  assert.deepEqual(await list('sort=-createdAt&createdAfter=2020-01-01'), ids.toReversed())
  assert.deepEqual(await list('jobType=reembedding'), [])
  assert.deepEqual(await list('createdBefore=2020-01-01'), [])
})

test('an unknown query parameter of a list is warned of', async () => {
  verifies('lists.unknown-parameter')
  const memory = await makeMemory(service)
  for (const path of [
    `/v1/memories/${memory}/documents?tags=a`,
    '/v1/memories?tags=a',
    '/v1/jobs?tags=a',
    '/v1/keys?tags=a',
  ]) {
    const { json } = await service.get<Warned>(path)
    assert.deepEqual(
      json.warnings?.map(({ code, param }) => [code, param]),
      [['unknown_field', 'tags']],
      path,
    )
  }
  const known = await service.get<List<'documents', Document> & Warned>(`/v1/memories/${memory}/documents?tag=a`)
  assert.equal(known.json.warnings, undefined)
})
