import { isId } from '../ids.ts'
import { ArgumentError, type ToolSurroundings } from './tool.ts'

/** A memory as tools name it. */
export type NamedMemory = { id: string; name: string }

/** Pages of 100 memories that are searched for a name; who has more names the id. */
const MOST_PAGES = 10
/** Memories that are listed where one has to be chosen. */
const SHOWN = 20
const SHOWN_NAME_CHARACTERS = 100

/** The memory of this id or exact name; the only one where none is named. Rejects with which there are to choose from. */
export async function requireMemory(
  named: string | undefined,
  { call, signal }: ToolSurroundings,
): Promise<NamedMemory> {
  if (named !== undefined && isId('mem', named)) {
    const { id, name } = await call('getMemory', { path: { id: named } }, { signal })
    return { id, name }
  }
  const memories = await listMemories({ call, signal })
  const fitting = named === undefined ? memories : memories.filter(({ name }) => name === named)
  const [memory, another] = fitting
  if (memory !== undefined && another === undefined) return memory
  if (memories.length === 0) throw new ArgumentError('There is no memory yet. A person has to create one first.')
  if (memory === undefined) throw new ArgumentError(`There is no memory of this name. ${listNames(memories)}`)
  throw new ArgumentError(`memory has to be named by its id here. ${listNames(fitting)}`)
}

async function listMemories({ call, signal }: ToolSurroundings): Promise<NamedMemory[]> {
  const memories: NamedMemory[] = []
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page += 1) {
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
  const shown = memories.slice(0, SHOWN).map(({ id, name }) => `${id} ${quote(name)}`)
  const more = memories.length > SHOWN ? `, and ${memories.length - SHOWN} more` : ''
  return `There are: ${shown.join(', ')}${more}.`
}

function quote(name: string): string {
  return JSON.stringify(name.length > SHOWN_NAME_CHARACTERS ? `${name.slice(0, SHOWN_NAME_CHARACTERS)}…` : name)
}
