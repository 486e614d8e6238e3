import { isId } from '../ids.ts'
import { ArgumentError, type ToolContext } from './tool.ts'

/** The id and name of a memory. */
export type NamedMemory = { id: string; name: string }

/** Pages of 100 memories to search for a name. Beyond this count, callers must pass the id. */
const MAX_PAGES = 10
/** Memories listed in an error message. */
const MAX_SHOWN_MEMORIES = 20
const MAX_NAME_CHARACTERS = 100

/**
 * Returns the memory with this id or exact name, or the only memory if `named` is absent. Rejects
 * with a list of candidates if the choice is not unique.
 */
export async function requireMemory(named: string | undefined, { call, signal }: ToolContext): Promise<NamedMemory> {
  if (named !== undefined && isId('mem', named)) {
    const { id, name } = await call('getMemory', { path: { id: named } }, { signal })
    return { id, name }
  }
  const memories = await listMemories({ call, signal })
  const fitting = named === undefined ? memories : memories.filter(({ name }) => name === named)
  const [memory, another] = fitting
  if (memory !== undefined && another === undefined) return memory
  if (memories.length === 0)
    throw new ArgumentError('No memory exists yet. Ask the user whether to create one with create_memory.')
  if (memory === undefined) throw new ArgumentError(`No memory has this name. ${listNames(memories)}`)
  throw new ArgumentError(`Several memories match: pass the id as memory. ${listNames(fitting)}`)
}

/** The memories of the key, newest first, up to 1,000. */
export async function listMemories({ call, signal }: ToolContext): Promise<NamedMemory[]> {
  const memories: NamedMemory[] = []
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query: { limit: number; cursor?: string } = { limit: 100, ...(cursor === null ? {} : { cursor }) }
    const answer: { memories: NamedMemory[]; nextCursor: string | null } = await call(
      'listMemories',
      { query },
      { signal },
    )
    memories.push(...answer.memories.map(({ id, name }) => ({ id, name })))
    cursor = answer.nextCursor
    if (cursor === null) break
  }
  return memories
}

function listNames(memories: readonly NamedMemory[]): string {
  const shown = memories.slice(0, MAX_SHOWN_MEMORIES).map(({ id, name }) => `${id} ${quote(name)}`)
  const more = memories.length > MAX_SHOWN_MEMORIES ? `, and ${memories.length - MAX_SHOWN_MEMORIES} more` : ''
  return `Available memories: ${shown.join(', ')}${more}.`
}

function quote(name: string): string {
  return JSON.stringify(name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name)
}
