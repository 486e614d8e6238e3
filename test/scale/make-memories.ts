import { assertStatus } from '../spec/answer.ts'
import type { Service } from '../spec/service.ts'
import type { Memory } from '../spec/shapes.ts'
import type { Ledger, MemoryEntry } from './ledger.ts'

/** Creates `count` memories for all clients. */
export async function makeMemories(service: Service, ledger: Ledger, count: number): Promise<MemoryEntry[]> {
  const made = Array.from({ length: count }, () => ledger.sendMemory(null))
  for (const memory of made) {
    const answer = await service.post<Memory>('/v1/memories', { name: memory.name })
    assertStatus(answer, 201)
    Object.assign(memory, { id: answer.json.id, state: 'there' })
  }
  return made
}
