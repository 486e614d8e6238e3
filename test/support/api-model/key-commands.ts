import assert from 'node:assert/strict'
import type fc from 'fast-check'
import { assertError, assertStatus } from '../../spec/answer.ts'
import type { Key, List, Memory } from '../../spec/shapes.ts'
import { ANY, choose, chooseMemory, command, hasMemory, MEMORY, type ModelCommand } from './command.ts'
import { removeKey } from './model.ts'

/** Creates, uses and revokes memory keys. */
export const KEY_COMMANDS: readonly fc.Arbitrary<ModelCommand>[] = [
  command(MEMORY, {
    says: (memory) => `make a key of memory ${memory}`,
    can: hasMemory,
    async run({ model, service }, number) {
      const memory = chooseMemory(model, number)
      const answer = await service.post<Key>('/v1/keys', { name: 'Model', scope: 'memory', memoryId: memory.id })
      assertStatus(answer, 201)
      model.keys.push({ id: answer.json.id, key: answer.json.key, memory })
    },
  }),
  command(ANY, {
    says: (key) => `use key ${key}`,
    can: ({ keys }) => keys.length > 0,
    async run({ model, service }, number) {
      const { key, memory } = choose(model.keys, number)
      const seen = await service.get<List<'memories', Memory>>('/v1/memories', { key })
      assertStatus(seen, 200)
      assert.deepEqual(
        seen.json.memories.map(({ id }) => id),
        [memory.id],
      )
      for (const other of model.memories) {
        const answer = await service.get(`/v1/memories/${other.id}/documents`, { key })
        if (other === memory) assertStatus(answer, 200)
        else assertError(answer, 404, 'memory_not_found')
      }
      assertError(await service.delete(`/v1/memories/${memory.id}`, { key }), 403, 'scope_forbidden')
    },
  }),
  command(ANY, {
    says: (key) => `revoke key ${key}`,
    can: ({ keys }) => keys.length > 0,
    async run({ model, service }, number) {
      const key = choose(model.keys, number)
      assertStatus(await service.delete(`/v1/keys/${key.id}`), 204)
      removeKey(model, key)
    },
  }),
  command(ANY, {
    says: (key) => `use revoked key ${key}`,
    can: ({ revoked }) => revoked.length > 0,
    async run({ model, service }, number) {
      const key = choose(model.revoked, number)
      assertError(await service.get('/v1/memories', { key }), 401, 'invalid_api_key')
    },
  }),
]
