import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { assertStatus } from '../../spec/answer.ts'
import type { Service } from '../../spec/service.ts'
import type { Project } from '../../spec/shapes.ts'
import type { ModelCommand } from './command.ts'
import { DOCUMENT_COMMANDS } from './document-commands.ts'
import { KEY_COMMANDS } from './key-commands.ts'
import { assertDocuments, assertMemories, MEMORY_COMMANDS } from './memory-commands.ts'
import { createModel, type Model } from './model.ts'
import { assertFound, assertGone, SEARCH_COMMANDS } from './search-commands.ts'

/** The size and number of runs. `seed` repeats the choices of a run. */
export type CommandRuns = { runs: number; mostCommands: number; seed: number }

/** The time limit for shrinking a failure. */
const SHRINK_MS = 60_000

/**
 * Runs random command sequences, each against a separate model and project. Rejects with the
 * shortest found sequence whose answers differ from the model. After each sequence, everything is
 * verified on every node and deleted.
 */
export async function runCommands(nodes: readonly Service[], { runs, mostCommands, seed }: CommandRuns): Promise<void> {
  // Documents have the largest weight; without a memory no other command can run.
  const weighted = [MEMORY_COMMANDS, DOCUMENT_COMMANDS, DOCUMENT_COMMANDS, SEARCH_COMMANDS, SEARCH_COMMANDS]
  const all: fc.Arbitrary<ModelCommand>[] = [...weighted, KEY_COMMANDS].flat()
  const commands = fc.commands(all, { maxCommands: mostCommands, size: 'max' })
  const property = fc.asyncProperty(commands, async (chosen) => {
    const model = await beginModel(nodes)
    await fc.asyncModelRun(async () => ({ model, real: { nodes } }), chosen)
    for (const node of nodes) await assertModel(node, model)
    await removeAll(nodes, model)
  })
  await fc.assert(property, { numRuns: runs, seed, interruptAfterTimeLimit: runs * 1000 + SHRINK_MS })
}

/** A project with one memory, so short sequences have a target. */
async function beginModel(nodes: readonly Service[]): Promise<Model> {
  const [node] = nodes
  const answer = await node?.post<Project>('/v1/projects', { name: `Model ${randomUUID()}` })
  if (answer === undefined) throw new Error('there is no node')
  assertStatus(answer, 201)
  const { id, name } = answer.json
  const model = createModel({ id, name })
  const made = await node?.post<{ id: string }>('/v1/memories', { name: 'first', projectId: id })
  model.memories.push({ id: made?.json.id ?? '', name: 'first', documents: [], gone: [] })
  return model
}

async function assertModel(service: Service, model: Model): Promise<void> {
  await assertMemories(service, model)
  for (const memory of model.memories) {
    await assertDocuments(service, memory)
    for (const document of memory.documents) await assertFound(service, memory, { document, mode: 'lexical' })
    for (const document of memory.gone) await assertGone(service, memory, { document, mode: 'lexical' })
  }
}

async function removeAll([node]: readonly Service[], { project, memories }: Model): Promise<void> {
  if (node === undefined) return
  for (const { id } of memories) assertStatus(await node.delete(`/v1/memories/${id}`), 204)
  assertStatus(await node.delete(`/v1/projects/${project.id}`), 204)
}
