import assert from 'node:assert/strict'
import fc from 'fast-check'
import { assertError, assertStatus } from '../../spec/answer.ts'
import type { Service } from '../../spec/service.ts'
import type { Document, List, Memory, Project } from '../../spec/shapes.ts'
import { ANY, choose, chooseMemory, command, hasMemory, MEMORY, type ModelCommand } from './command.ts'
import { type Model, type ModelMemory, newToken, removeMemory } from './model.ts'

const MAX_MEMORIES = 4

/** Creates, lists, reads and deletes memories, and renames their project. */
export const MEMORY_COMMANDS: readonly fc.Arbitrary<ModelCommand>[] = [
  command(fc.constant(null), {
    says: () => 'make a memory',
    can: ({ memories }) => memories.length < MAX_MEMORIES,
    async run({ model, service }) {
      const name = newToken(model)
      const answer = await service.post<Memory>('/v1/memories', { name, projectId: model.project.id })
      assertStatus(answer, 201)
      model.memories.push({ id: answer.json.id, name, documents: [], gone: [] })
    },
  }),
  command(MEMORY, {
    says: (memory) => `delete memory ${memory}`,
    can: hasMemory,
    async run({ model, service }, number) {
      const memory = chooseMemory(model, number)
      assertStatus(await service.delete(`/v1/memories/${memory.id}`), 204)
      removeMemory(model, memory)
    },
  }),
  command(ANY, {
    says: (memory) => `look for deleted memory ${memory}`,
    can: ({ goneMemoryIds }) => goneMemoryIds.length > 0,
    async run({ model, service }, number) {
      const path = `/v1/memories/${choose(model.goneMemoryIds, number)}`
      assertError(await service.get(path), 404, 'memory_not_found')
      assertError(await service.delete(path), 404, 'memory_not_found')
      assertError(await service.get(`${path}/documents`), 404, 'memory_not_found')
      assertError(await service.post(`${path}/find`, { query: 'anything' }), 404, 'memory_not_found')
    },
  }),
  command(fc.constant(null), {
    says: () => 'list the memories',
    run: ({ model, service }) => assertMemories(service, model),
  }),
  command(fc.constant(null), {
    says: () => 'rename the project',
    async run({ model, service }) {
      const name = newToken(model)
      assertStatus(await service.call('PUT', `/v1/projects/${model.project.id}`, { body: { name } }), 200)
      model.project.name = name
    },
  }),
  command(MEMORY, {
    says: (memory) => `list what is in memory ${memory}`,
    can: hasMemory,
    run: ({ model, service }, number) => assertDocuments(service, chooseMemory(model, number)),
  }),
]

/** Asserts that the lists of the project and its memories match the model. */
export async function assertMemories(service: Service, { project, memories }: Model): Promise<void> {
  const listed = await service.get<List<'memories', Memory>>(`/v1/memories?projectId=${project.id}`)
  assertStatus(listed, 200)
  const shown = listed.json.memories.map(({ id, name, projectName, documentCount, correctionCount, sizeBytes }) => ({
    ...{ id, name, projectName, documentCount, correctionCount, sizeBytes },
  }))
  const expected = memories.toReversed().map((memory) => ({
    ...{ id: memory.id, name: memory.name, projectName: project.name },
    ...countersOf(memory),
  }))
  assert.deepEqual(shown, expected)
  const answer = await service.get<Project>(`/v1/projects/${project.id}`)
  assertStatus(answer, 200)
  assert.deepEqual([answer.json.name, answer.json.memoryCount], [project.name, memories.length])
}

/**
 * Documents and corrections of the memory are listed as they arrived, the newest first, whole, and
 * counted.
 */
export async function assertDocuments(service: Service, memory: ModelMemory): Promise<void> {
  const path = `/v1/memories/${memory.id}`
  let chunkCount = 0
  for (const kind of ['document', 'correction'] as const) {
    const query = kind === 'correction' ? '&sourceType=correction' : ''
    const answer = await service.get<List<'documents', Document>>(`${path}/documents?limit=100${query}`)
    assertStatus(answer, 200)
    const ids = memory.documents.filter((document) => document.kind === kind).map(({ id }) => id)
    const { documents, total } = answer.json
    assert.deepEqual([documents.map(({ id }) => id), total], [ids.reverse(), ids.length], `the list of ${kind}s`)
    for (const { id, status } of documents) assert.equal(status, 'ready', id)
    chunkCount += documents.reduce((sum, document) => sum + document.chunkCount, 0)
  }
  const answer = await service.get<Memory>(path)
  assertStatus(answer, 200)
  const { documentCount, correctionCount, sizeBytes } = answer.json
  assert.deepEqual({ documentCount, correctionCount, sizeBytes }, countersOf(memory))
  assert.equal(answer.json.chunkCount, chunkCount)
}

function countersOf({ documents }: ModelMemory) {
  const correctionCount = documents.filter(({ kind }) => kind === 'correction').length
  const sizeBytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  return { documentCount: documents.length - correctionCount, correctionCount, sizeBytes }
}
