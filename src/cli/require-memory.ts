import type { Client } from '../client/client.ts'
import type { Memory } from '../client/resources.ts'
import { isId } from '../ids.ts'
import { UsageError } from './exit-statuses.ts'
import { oneLine } from './printing/printable.ts'

/** Names that are shown where one has to be chosen. */
const SHOWN = 10

/** The memory of this id or exact name; the only one where none is named. Rejects with what to write instead. */
export async function requireMemory(client: Client, named: string | undefined): Promise<Memory> {
  if (named !== undefined && isId('mem', named)) return client.memories.get(named)
  const memories = await listMemories(client)
  const fitting = named === undefined ? memories : memories.filter(({ name }) => name === named)
  const [memory, another] = fitting
  if (memory === undefined) throw new Error(noMemory(memories, named))
  if (another === undefined) return memory
  throw new UsageError(
    named === undefined
      ? `There are ${memories.length} memories; name one with --memory: ${listNames(memories)}.`
      : `${fitting.length} memories have this name; use an id: ${fitting.map(({ id }) => id).join(', ')}.`,
  )
}

/** Every memory, newest first. */
export async function listMemories(client: Client): Promise<Memory[]> {
  const memories: Memory[] = []
  for await (const memory of client.memories.list()) memories.push(memory)
  return memories
}

function noMemory(memories: readonly Memory[], named: string | undefined): string {
  if (memories.length === 0) return 'There is no memory yet. Make one with: recollect memories create <name>'
  return `There is no memory ${JSON.stringify(named)}. There are: ${listNames(memories)}.`
}

function listNames(memories: readonly Memory[]): string {
  const names = memories.slice(0, SHOWN).map(({ name }) => JSON.stringify(oneLine(name)))
  return names.join(', ') + (memories.length > SHOWN ? ' …' : '')
}
