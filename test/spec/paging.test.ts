import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Key, List, Memory } from './shapes.ts'
import { addInBackground, addText, addTexts, endOfJob, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

type Item = { id: string; createdAt: string }
type AnyList = List<'memories' | 'projects' | 'documents' | 'jobs' | 'keys', Item>
type Name = keyof Omit<AnyList, 'nextCursor' | 'hasMore' | 'total'>

const service = useService()

async function page(path: string, query: Record<string, string | number>): Promise<AnyList> {
  const search = new URLSearchParams(query as Record<string, string>)
  const answer = await service.get<AnyList>(`${path}?${search}`)
  assertStatus(answer, 200)
  return answer.json
}

/** All ids of a list, page by page; `between` runs after the first page. */
async function walk(path: string, name: Name, limit: number, between?: () => Promise<unknown>): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  for (let count = 0; count < 100; count += 1) {
    const { [name]: items, nextCursor, hasMore } = await page(path, cursor === null ? { limit } : { limit, cursor })
    ids.push(...items.map(({ id }) => id))
    assert.equal(hasMore, nextCursor !== null)
    if (nextCursor === null) return ids
    assert.equal(items.length, limit)
    cursor = nextCursor
    if (count === 0) await between?.()
  }
  throw new Error('the pages never end')
}

test('every list is walked page by page, newest first, each row once', async () => {
  verifies('rules.paging.every-list', 'rules.paging.newest-first', 'rules.json.list')
  const memoryId = await makeMemory(service, 'Paged')
  for (let count = 0; count < 6; count += 1) {
    await makeMemory(service, `Memory ${count}`)
    await service.post('/v1/projects', { name: `Project ${count}` })
    await service.post<Key>('/v1/keys', { name: `Key ${count}` })
    await addText(service, memoryId, `Document ${count}`)
    await endOfJob(service, (await addInBackground(service, memoryId, `Job ${count}`)).json.jobId)
  }
  const lists: [string, Name, number][] = [
    ['/v1/memories', 'memories', 7],
    ['/v1/projects', 'projects', 6],
    ['/v1/keys', 'keys', 7],
    ['/v1/jobs', 'jobs', 6],
    [`/v1/memories/${memoryId}/documents`, 'documents', 12],
  ]
  for (const [path, name, expected] of lists) {
    const ids = await walk(path, name, 2)
    assert.deepEqual([ids.length, new Set(ids).size], [expected, expected], path)
    const whole = await page(path, { limit: 100 })
    assert.deepEqual(
      whole[name].map(({ id }) => id),
      ids,
      path,
    )
    assert.deepEqual([whole.total, whole.hasMore, whole.nextCursor], [expected, false, null], path)
    const times = whole[name].map(({ createdAt }) => createdAt)
    assert.deepEqual(times, times.toSorted().toReversed(), path)
  }
})

test('a list without limit has 20 documents and jobs, 100 memories and projects', async () => {
  verifies('rules.paging.defaults', 'jobs.list.limit', 'limits.jobs-list')
  const memoryId = await makeMemory(service, 'Defaults')
  await addTexts(
    service,
    memoryId,
    Array.from({ length: 25 }, (_, index) => ({ title: 'D', text: `Number ${index}` })),
  )
  const jobs = Array.from({ length: 25 }, (_, index) => addInBackground(service, memoryId, `Job ${index}`))
  for (const { json } of await Promise.all(jobs)) await endOfJob(service, json.jobId)
  assert.equal((await page(`/v1/memories/${memoryId}/documents`, {})).documents.length, 20)
  assert.equal((await page('/v1/jobs', {})).jobs.length, 20)
  const make = (name: string) => [service.post('/v1/memories', { name }), service.post('/v1/projects', { name })]
  for (let count = 0; count < 100; count += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, index) => make(`Default ${count + index}`)).flat())
  }
  for (const name of ['memories', 'projects'] as const) {
    const list = await page(`/v1/${name}`, {})
    assert.deepEqual([list[name].length, list.hasMore], [100, true], name)
    assert.ok(list.total > 100)
  }
})

test('limit is a whole number from 1 to 100 on every list', async () => {
  verifies('rules.paging.limit-range')
  const memoryId = await makeMemory(service)
  for (const path of ['/v1/memories', '/v1/projects', '/v1/keys', '/v1/jobs', `/v1/memories/${memoryId}/documents`]) {
    for (const limit of ['0', '101', '-1', '2.5', 'ten', '1e2x']) {
      assertError(await service.get(`${path}?limit=${limit}`), 400, 'validation_failed', 'limit')
    }
  }
})

test('rows added while somebody pages neither repeat nor hide a row', async () => {
  verifies('rules.paging.stable')
  const memoryId = await makeMemory(service)
  const ids: string[] = []
  for (let count = 0; count < 9; count += 1) ids.unshift(await addText(service, memoryId, `Row ${count}`))
  const path = `/v1/memories/${memoryId}/documents`
  const add = () => Promise.all([1, 2, 3].map((number) => addText(service, memoryId, `Newcomer ${number}`)))
  assert.deepEqual(await walk(path, 'documents', 4, add), ids)
  const remove = () => service.delete(`${path}/${ids[0]}`)
  const after = await walk(path, 'documents', 5, remove)
  assert.equal(new Set(after).size, after.length)
  assert.deepEqual(after.filter((id) => ids.includes(id)).slice(-8), ids.slice(1))
})

test('a bad cursor, and one of another list, is 400', async () => {
  verifies('rules.paging.bad-cursor', 'errors.400.invalid_cursor')
  await makeMemory(service)
  await makeMemory(service)
  const { nextCursor } = (await service.get<List<'memories', Memory>>('/v1/memories?limit=1')).json
  assert.ok(nextCursor)
  for (const cursor of [
    'x',
    'bnVsbA',
    encodeURIComponent(`${nextCursor}x`),
    "'%20OR%201=1",
    'e30',
    nextCursor.slice(1),
  ]) {
    assertError(await service.get(`/v1/memories?cursor=${cursor}`), 400, 'invalid_cursor', 'cursor')
  }
  assertError(await service.get(`/v1/jobs?cursor=${encodeURIComponent(nextCursor)}`), 400, 'invalid_cursor', 'cursor')
})
