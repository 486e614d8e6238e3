import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Key, List, Memory, Project } from './shapes.ts'
import { find, makeKey, makeMemory, readMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()

/** Sends a PATCH. */
function change<Body>(path: string, body: unknown, key?: string) {
  return service.call<Body>('PATCH', path, { body, ...(key === undefined ? {} : { key }) })
}

type Changed<Resource> = Resource & { warnings: { param: string | null }[] }

test('a memory takes a new name, description and project, and keeps the rest', async () => {
  verifies('changes.memory')
  const memoryId = await makeMemory(service, 'Before')
  const project = (await service.post<Project>('/v1/projects', { name: `Project of ${memoryId}` })).json
  const path = `/v1/memories/${memoryId}`
  const renamed = await change<Changed<Memory>>(path, { name: 'After', colour: 'red' })
  assertStatus(renamed, 200)
  assert.deepEqual([renamed.json.name, renamed.json.description], ['After', null])
  assert.deepEqual(renamed.json.warnings[0]?.param, 'colour')
  const described = await change<Changed<Memory>>(path, { description: 'Of the house', projectId: project.id })
  const { warnings, ...memory } = described.json
  assert.deepEqual(
    [memory.name, memory.description, memory.projectId, memory.projectName, warnings],
    ['After', 'Of the house', project.id, project.name, []],
  )
  assert.deepEqual(await readMemory(service, memoryId), memory)
  assert.ok(memory.updatedAt > memory.createdAt)
  const cleared = await change<Changed<Memory>>(path, { description: null, projectId: null })
  assert.deepEqual(
    [cleared.json.name, cleared.json.description, cleared.json.projectId, cleared.json.projectName],
    ['After', null, null, null],
  )
})

test('a wrong change of a memory is refused and changes nothing', async () => {
  verifies('changes.memory.wrong')
  const memoryId = await makeMemory(service, 'Left as it was')
  const path = `/v1/memories/${memoryId}`
  const before = await readMemory(service, memoryId)
  const wrong: readonly (readonly [unknown, string | undefined])[] = [
    [{}, undefined],
    [{ colour: 'red' }, undefined],
    [{ name: '' }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'x'.repeat(1001) }, 'name'],
    [{ name: 'New', description: 'x'.repeat(5001) }, 'description'],
    [{ name: 'New', projectId: 7 }, 'projectId'],
  ]
  for (const [body, param] of wrong) assertError(await change(path, body), 400, 'validation_failed', param)
  for (const projectId of ['prj_01h455vb4pex5vsknk084sn02q', 'x'])
    assertError(await change(path, { name: 'New', projectId }), 404, 'project_not_found')
  assert.deepEqual(await readMemory(service, memoryId), before)
  assertError(await change('/v1/memories/mem_01h455vb4pex5vsknk084sn02q', { name: 'x' }), 404, 'memory_not_found')
})

test('the key of a memory changes the description of that memory alone', async () => {
  verifies('changes.memory.access')
  const [memoryId, otherId] = [await makeMemory(service, 'Mine'), await makeMemory(service, 'Other')]
  const { key } = await makeKey(service, memoryId)
  assertStatus(await change(`/v1/memories/${memoryId}`, { description: 'Of the house' }, key), 200)
  assertError(await change(`/v1/memories/${memoryId}`, { name: 'Other' }, key), 403, 'scope_forbidden')
  assertError(await change(`/v1/memories/${memoryId}`, { projectId: null }, key), 403, 'scope_forbidden')
  assertError(await change(`/v1/memories/${otherId}`, { description: 'x' }, key), 404, 'memory_not_found')
  assert.equal((await readMemory(service, otherId)).name, 'Other')
})

test('a key takes a new name and goes on to work', async () => {
  verifies('changes.key', 'changes.key.access')
  const memoryId = await makeMemory(service)
  const made = await makeKey(service, memoryId)
  const { warnings, ...renamed } = (await change<Changed<Key>>(`/v1/keys/${made.id}`, { name: ' Help desk ' })).json
  const { key, ...facts } = made
  assert.deepEqual([{ ...renamed, lastUsedAt: null }, warnings], [{ ...facts, name: 'Help desk' }, []])
  const { keys } = (await service.get<List<'keys', Key>>('/v1/keys?limit=100')).json
  assert.equal(keys.find(({ id }) => id === made.id)?.name, 'Help desk')
  assert.ok(!JSON.stringify(renamed).includes(key))
  assertStatus(await service.get(`/v1/memories/${memoryId}`, { key }), 200)
  await find(service, memoryId, 'anything')
  assertError(await change(`/v1/keys/${made.id}`, { name: 'x' }, key), 403, 'scope_forbidden')
  for (const body of [{}, { name: '' }, { name: '\u200b' }, { name: 7 }, { name: 'x'.repeat(201) }])
    assertError(await change(`/v1/keys/${made.id}`, body), 400, 'validation_failed', 'name')
  assertStatus(await service.delete(`/v1/keys/${made.id}`), 204)
  for (const id of [made.id, 'key_01h455vb4pex5vsknk084sn02q', 'x'])
    assertError(await change(`/v1/keys/${id}`, { name: 'x' }), 404, 'key_not_found')
})
