import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { List, Memory, Project } from './shapes.ts'
import { addInBackground, addText, assertFields, find, makeMemory, readMemory, uploadReady } from './steps.ts'
import { verifies } from './verifies.ts'

const STRANGER = 'prj_01h455vb4pex5vsknk084sn02q'
const service = useService()

/** The names of all files and folders that belong to this memory. */
async function tracesOf(memoryId: string): Promise<string[]> {
  const names = await readdir(service.dataDirectory, { recursive: true })
  return names.filter((name) => name.includes(memoryId))
}

async function makeProject(name: string): Promise<Project> {
  const answer = await service.post<Project>('/v1/projects', { name })
  assertStatus(answer, 201)
  return answer.json
}

test('a created memory has every field, and reads as it was answered', async () => {
  verifies('memories.create', 'memories.get', 'memories.fields', 'memories.name', 'memories.description')
  verifies('memories.embedding-model')
  const made = await service.post<Memory>('/v1/memories', { name: 'Support KB', description: 'How we help' })
  assertStatus(made, 201)
  const { id, createdAt, updatedAt, ...rest } = made.json
  assert.equal(createdAt, updatedAt)
  assert.deepEqual(
    { ...rest },
    {
      ...{ name: 'Support KB', description: 'How we help', projectId: null, projectName: null, status: 'ready' },
      ...{ documentCount: 0, chunkCount: 0, correctionCount: 0, sizeBytes: 0, embeddingModel: null, chunking: null },
    },
  )
  assert.deepEqual(await readMemory(service, id), made.json)
})

test('a name has 1 to 1000 characters and a description up to 5000', async () => {
  verifies('memories.name', 'memories.description', 'limits.memory-name', 'limits.memory-description')
  const wrong: [unknown, string][] = [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '\u200b\ufeff ' }, 'name'],
    [{ name: null }, 'name'],
    [{ name: 'x'.repeat(1001) }, 'name'],
    [{ name: '👍'.repeat(1001) }, 'name'],
    [{ name: 'x', description: 'x'.repeat(5001) }, 'description'],
    [{ name: 'x', projectId: 5 }, 'projectId'],
    [{ name: 'x', projectName: '' }, 'projectName'],
  ]
  for (const [body, param] of wrong)
    assertError(await service.post('/v1/memories', body), 400, 'validation_failed', param)
  const blank = await service.post<{ error: { message: string } }>('/v1/memories', { name: '   ' })
  assert.equal(blank.json.error.message, 'name must not be blank')
  for (const character of ['é', '👍']) {
    const longest = { name: character.repeat(1000), description: character.repeat(5000) }
    const made = await service.post<Memory>('/v1/memories', longest)
    assertStatus(made, 201)
    assert.deepEqual([made.json.name, made.json.description], [longest.name, longest.description])
  }
  assertStatus(await service.post('/v1/memories', { name: 'x', description: null }), 201)
})

test('a project name has 1 to 200 characters, which the OpenAPI document says, too', async () => {
  verifies('projects.name', 'memories.project-name')
  const longest = 'é'.repeat(200)
  assert.equal((await makeProject(longest)).name, longest)
  const kept = await makeProject('Renamed')
  for (const name of ['', ' ', 'x'.repeat(201)]) {
    assertError(await service.post('/v1/projects', { name }), 400, 'validation_failed', 'name')
    const renaming = await service.call('PUT', `/v1/projects/${kept.id}`, { body: { name } })
    assertError(renaming, 400, 'validation_failed', 'name')
    const making = await service.post('/v1/memories', { name: 'x', projectName: name })
    assertError(making, 400, 'validation_failed', 'projectName')
  }
  const { paths } = (await service.get<{ paths: Record<string, unknown> }>('/openapi.json')).json
  const stated = [...JSON.stringify(paths['/v1/projects']).matchAll(/"maxLength":(\d+)/g)].map(([, length]) => length)
  assert.ok(stated.includes('200') && !stated.includes('1000'), `${stated}`)
})

test('no name and no description holds what no store keeps: U+0000 and halves of surrogate pairs are replaced', async () => {
  verifies('memories.name', 'memories.description', 'projects.fields')
  const given = { name: 'r2\u0000\ud800', description: 'd\u0000', projectName: 'p\u0000' }
  const made = await service.post<Memory>('/v1/memories', given)
  assertStatus(made, 201)
  const expected = { name: 'r2\ufffd\ufffd', description: 'd\ufffd', projectName: 'p\ufffd' }
  const read = await readMemory(service, made.json.id)
  for (const { name, description, projectName } of [made.json, read])
    assert.deepEqual({ name, description, projectName }, expected)
  assert.equal((await makeProject('q\u0000')).name, 'q\ufffd')
  const key = await service.post<{ name: string }>('/v1/keys', { name: 'k\udc00' })
  assertStatus(key, 201)
  assert.equal(key.json.name, 'k\ufffd')
})

test('the list has every memory, and filters by project', async () => {
  verifies('memories.list', 'memories.list-by-project', 'projects.group')
  const project = await makeProject('Filter')
  const inside = (await service.post<Memory>('/v1/memories', { name: 'Inside', projectId: project.id })).json
  const outside = await makeMemory(service, 'Outside')
  const all = (await service.get<List<'memories', Memory>>('/v1/memories')).json
  const ids = all.memories.map(({ id }) => id)
  assert.ok(ids.includes(inside.id) && ids.includes(outside))
  assert.equal(all.total, all.memories.length)
  const some = (await service.get<List<'memories', Memory>>(`/v1/memories?projectId=${project.id}`)).json
  assert.deepEqual([some.memories.map(({ id }) => id), some.total], [[inside.id], 1])
})

test('a memory is assigned to an existing project, and an unknown one is 404 and makes nothing', async () => {
  verifies('memories.project-id', 'memories.unknown-project', 'projects.fields')
  const project = await makeProject('Existing')
  const made = await service.post<Memory>('/v1/memories', { name: 'Assigned', projectId: project.id })
  assert.deepEqual([made.json.projectId, made.json.projectName], [project.id, 'Existing'])
  assert.equal((await service.get<Project>(`/v1/projects/${project.id}`)).json.memoryCount, 1)
  // As a memory is read, with the name beside the identifier.
  const both = { name: 'Both', projectId: project.id, projectName: 'existing' }
  assert.equal((await service.post<Memory>('/v1/memories', both)).json.projectId, project.id)
  const other = await service.post('/v1/memories', { ...both, projectName: 'Another' })
  assertError(other, 400, 'validation_failed', 'projectName')
  const before = (await service.get<List<'memories', Memory>>('/v1/memories')).json.total
  assertError(await service.post('/v1/memories', { name: 'x', projectId: STRANGER }), 404, 'project_not_found')
  assertError(await service.post('/v1/memories', { name: 'x', projectId: 'none' }), 404, 'project_not_found')
  assert.equal((await service.get<List<'memories', Memory>>('/v1/memories')).json.total, before)
})

test('projectName makes a project once and reuses it in any case', async () => {
  verifies('memories.project-name', 'memories.project-name-reused')
  const first = (await service.post<Memory>('/v1/memories', { name: 'One', projectName: 'Ärzte Team' })).json
  const second = (await service.post<Memory>('/v1/memories', { name: 'Two', projectName: 'ärzte TEAM' })).json
  assert.ok(first.projectId)
  assert.equal(second.projectId, first.projectId)
  assert.equal(second.projectName, 'Ärzte Team')
  assert.equal((await service.get<Project>(`/v1/projects/${first.projectId}`)).json.memoryCount, 2)
  const racing = Array.from({ length: 8 }, () =>
    service.post<Memory>('/v1/memories', { name: 'R', projectName: 'Race' }),
  )
  const ids = (await Promise.all(racing)).map(({ json }) => json.projectId)
  assert.equal(new Set(ids).size, 1)
})

test('the counts of a memory follow its content', async () => {
  verifies('memories.counts', 'memories.embedding-model', 'memories.container')
  const memoryId = await makeMemory(service, 'Counting')
  const text = 'Höhlen und Berge.'
  const documentId = await addText(service, memoryId, text)
  const file = {
    content: 'a file of forty bytes, with its source..',
    filename: 'a.txt',
    options: { storeSource: true },
  }
  await uploadReady(service, memoryId, file)
  await service.post(`/v1/memories/${memoryId}/correct`, { statement: 'Caves are cold.' })
  const full = await readMemory(service, memoryId)
  assert.deepEqual([full.documentCount, full.correctionCount], [2, 1])
  assert.ok(full.chunkCount >= 2 && full.sizeBytes >= Buffer.byteLength(text) + 80, JSON.stringify(full))
  assert.ok(typeof full.embeddingModel === 'string' && full.embeddingModel.length > 0)
  assert.ok(full.updatedAt >= full.createdAt)
  assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${documentId}`), 204)
  const less = await readMemory(service, memoryId)
  assert.deepEqual([less.documentCount, less.sizeBytes], [1, full.sizeBytes - Buffer.byteLength(text)])
  assert.ok(less.chunkCount < full.chunkCount)
})

test('deleting a memory removes its documents, originals and memory file, and ends its jobs', async () => {
  verifies('memories.delete', 'memories.delete-ends-jobs', 'rules.api.memory-file')
  const memoryId = await makeMemory(service, 'Doomed')
  const options = { storeSource: true }
  const documentId = await uploadReady(service, memoryId, { content: 'Doomed words.', filename: 'd.txt', options })
  assert.equal((await find(service, memoryId, 'doomed')).hits.length, 1)
  assert.ok((await tracesOf(memoryId)).length > 0)
  const job = (await addInBackground(service, memoryId, 'Late words. '.repeat(20_000))).json
  assertStatus(await service.delete(`/v1/memories/${memoryId}`), 204)
  assertError(await service.get(`/v1/memories/${memoryId}`), 404, 'memory_not_found')
  assertError(await service.get(`/v1/memories/${memoryId}/documents/${documentId}`), 404, 'memory_not_found')
  assertError(await service.post(`/v1/memories/${memoryId}/find`, { query: 'doomed' }), 404, 'memory_not_found')
  const until = Date.now() + 30_000
  for (;;) {
    const answer = await service.get<{ status: string }>(`/v1/jobs/${job.jobId}`)
    const over = answer.status === 404 || ['failed', 'completed', 'partial'].includes(answer.json.status)
    if (over && (await tracesOf(memoryId)).length === 0) break
    assert.ok(Date.now() < until, `left: ${(await tracesOf(memoryId)).join(' ')} ${answer.text}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
})

test('a project has its fields, is read, listed and renamed', async () => {
  verifies('projects.create', 'projects.get', 'projects.list', 'projects.update', 'projects.fields', 'projects.name')
  const project = await makeProject('Atlas')
  assertFields(project, 'id', 'name', 'memoryCount', 'createdAt', 'updatedAt')
  assert.deepEqual([project.name, project.memoryCount], ['Atlas', 0])
  assert.deepEqual((await service.get<Project>(`/v1/projects/${project.id}`)).json, project)
  const memory = (await service.post<Memory>('/v1/memories', { name: 'M', projectId: project.id })).json
  const renamed = await service.call<Project>('PUT', `/v1/projects/${project.id}`, { body: { name: 'Atlas II' } })
  assertStatus(renamed, 200)
  assert.deepEqual([renamed.json.name, renamed.json.memoryCount, renamed.json.id], ['Atlas II', 1, project.id])
  assert.equal((await readMemory(service, memory.id)).projectName, 'Atlas II')
  const list = (await service.get<List<'projects', Project>>('/v1/projects')).json
  assert.ok(list.projects.some(({ name }) => name === 'Atlas II'))
  for (const body of [{}, { name: '' }, { name: 5 }]) {
    assertError(await service.post('/v1/projects', body), 400, 'validation_failed', 'name')
    assertError(await service.call('PUT', `/v1/projects/${project.id}`, { body }), 400, 'validation_failed', 'name')
  }
})

test('a taken project name is 409, on create and on rename, in any case', async () => {
  verifies('projects.name-taken', 'errors.409.project_name_taken')
  const first = await makeProject('Taken')
  const second = await makeProject('Free')
  assertError(await service.post('/v1/projects', { name: 'taken' }), 409, 'project_name_taken')
  const onto = { body: { name: 'TAKEN' } }
  assertError(await service.call('PUT', `/v1/projects/${second.id}`, onto), 409, 'project_name_taken')
  assertStatus(await service.call('PUT', `/v1/projects/${first.id}`, onto), 200)
  assertError(await service.call('PUT', `/v1/projects/${STRANGER}`, onto), 404, 'project_not_found')
})

test('deleting a project keeps its memories, without a project', async () => {
  verifies('projects.delete', 'projects.delete-keeps-memories')
  const project = await makeProject('Passing')
  const memory = (await service.post<Memory>('/v1/memories', { name: 'Stays', projectId: project.id })).json
  assertStatus(await service.delete(`/v1/projects/${project.id}`), 204)
  assertError(await service.get(`/v1/projects/${project.id}`), 404, 'project_not_found')
  const kept = await readMemory(service, memory.id)
  assert.deepEqual([kept.projectId, kept.projectName], [null, null])
})
