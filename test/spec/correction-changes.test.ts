import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Correction } from './shapes.ts'
import { addText, ask, find, listDocuments, makeKey, makeMemory, readMemory, readText } from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()

async function correct(memoryId: string, fields: object): Promise<Correction> {
  const answer = await service.post<Correction>(`/v1/memories/${memoryId}/correct`, fields)
  assertStatus(answer, 201)
  return answer.json
}

const change = <Body>(memoryId: string, id: string, body: object, key?: string) =>
  service.call<Body>('PATCH', `/v1/memories/${memoryId}/corrections/${id}`, { body, ...(key && { key }) })

test('a correction takes a new statement, topics, boost and expiry', async () => {
  verifies('changes.correction', 'changes.correction.search')
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The office opens at nine.', { title: 'Hours' })
  const made = await correct(memoryId, { statement: 'Since May the office opens at eight.', topics: ['office'] })
  const statement = 'Since June the office opens at half past six, ünder the arch.'
  const reworded = await change<Correction & { warnings: unknown[] }>(memoryId, made.id, { statement })
  assertStatus(reworded, 200)
  const { warnings, ...correction } = reworded.json
  assert.deepEqual([warnings, correction.statement, correction.topics], [[], statement, ['office']])
  assert.deepEqual([correction.id, correction.createdAt, correction.boost], [made.id, made.createdAt, made.boost])
  const found = await find(service, memoryId, 'When does the office open?')
  assert.deepEqual([found.hits[0]?.kind, found.hits[0]?.text], ['correction', statement])
  assert.ok(!JSON.stringify(found).includes('eight'))
  assert.match((await ask(service, memoryId, 'When does the office open?')).answer, /half past six/)
  assert.equal(await readText(service, memoryId, made.id), statement)
  const more = { topics: ['hours', 'office'], boost: 4, expiresAt: '2099-01-01T00:00:00Z' }
  const { json } = await change<Correction>(memoryId, made.id, more)
  assert.deepEqual([json.topics, json.boost, json.expiresAt], [more.topics, 4, '2099-01-01T00:00:00.000Z'])
  assert.equal((await listDocuments(service, memoryId, '?sourceType=correction&tag=hours')).total, 1)
  assert.equal((await change<Correction>(memoryId, made.id, { expiresAt: null })).json.expiresAt, null)
  const { correctionCount, chunkCount, documentCount } = await readMemory(service, memoryId)
  assert.deepEqual([correctionCount, chunkCount, documentCount], [1, 2, 1])
  const verified = await service.get<{ ok: boolean; problems: unknown }>(`/v1/memories/${memoryId}/verify`)
  assert.ok(verified.json.ok, JSON.stringify(verified.json.problems))
})

test('a wrong change of a correction is refused and changes nothing', async () => {
  verifies('changes.correction.wrong')
  const [memoryId, otherId] = [await makeMemory(service), await makeMemory(service)]
  const documentId = await addText(service, memoryId, 'The office opens at nine.')
  const { id } = await correct(memoryId, { statement: 'The office opens at eight.' })
  const wrong: readonly (readonly [object, string | undefined])[] = [
    [{}, undefined],
    [{ title: 'x' }, undefined],
    [{ statement: '' }, 'statement'],
    [{ statement: '\u200b' }, 'statement'],
    [{ topics: 'office' }, 'topics'],
    [{ boost: 0 }, 'boost'],
    [{ boost: 11 }, 'boost'],
    [{ boost: 3, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  ]
  for (const [body, param] of wrong) assertError(await change(memoryId, id, body), 400, 'validation_failed', param)
  assertError(await change(memoryId, documentId, { boost: 3 }), 404, 'document_not_found')
  assertError(await change(otherId, id, { boost: 3 }), 404, 'document_not_found')
  const { key } = await makeKey(service, otherId)
  assertError(await change(memoryId, id, { boost: 3 }, key), 404, 'memory_not_found')
  const [hit] = (await find(service, memoryId, 'When does the office open?')).hits
  assert.equal(hit?.text, 'The office opens at eight.')
})
