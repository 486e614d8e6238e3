import { Type } from 'typebox'
import type { Memory } from '../../client/resources.ts'
import { pluralize } from '../../text/pluralize.ts'
import { OrNull } from '../schemas.ts'
import { defineTool } from '../tool.ts'
import { oneLine } from '../write-text.ts'

const LIMIT = { default: 20, max: 50 } as const
const MAX_NAME_CHARACTERS = 1000
const MAX_DESCRIPTION_CHARACTERS = 5000

const MEMORY = Type.Object({
  memoryId: Type.String(),
  name: Type.String(),
  description: OrNull(Type.String()),
  documentCount: Type.Integer(),
  correctionCount: Type.Integer(),
  updatedAt: Type.String(),
})

/** Lists the memories of the key. */
export const LIST_MEMORIES = defineTool({
  name: 'list_memories',
  title: 'List memories',
  description: [
    'Lists the memories that the API key has access to, newest first, with id, name and number of documents.',
    'Use it to choose the memory for the other tools, if the user has not named one.',
    `Returns up to ${LIMIT.max} memories per call. Pass nextCursor as cursor to get the next page.`,
  ].join('\n'),
  input: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT.max, default: LIMIT.default })),
    cursor: Type.Optional(Type.String({ description: 'nextCursor of the previous call, unchanged.' })),
    name: Type.Optional(Type.String({ description: 'Only memories whose name contains this text.' })),
  }),
  output: Type.Object({ memories: Type.Array(MEMORY), total: Type.Integer(), nextCursor: OrNull(Type.String()) }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ limit = LIMIT.default, ...rest }, { call, signal }) {
    const page = await call('listMemories', { query: { limit, ...rest } }, { signal })
    const { total, nextCursor } = page
    const memories = page.memories.map(shorten)
    const lines = memories.map(({ memoryId, name, description, documentCount }) => {
      const about = description === null ? '' : `: ${description}`
      return `- ${name} (${memoryId}, ${pluralize(documentCount, 'document')})${about}`
    })
    const more = nextCursor === null ? '' : `\nMore memories: call again with cursor ${nextCursor}`
    const heading =
      total === 0
        ? 'There is no memory yet. Call create_memory to make one.'
        : `${pluralize(total, 'memory', 'memories')}.`
    return { text: [heading, ...lines].join('\n') + more, facts: { memories, total, nextCursor } }
  },
})

function shorten({ id, name, description, documentCount, correctionCount, updatedAt }: Memory) {
  const about = description === null ? null : oneLine(description)
  return { memoryId: id, name: oneLine(name), description: about, documentCount, correctionCount, updatedAt }
}

/** Creates an empty memory. */
export const CREATE_MEMORY = defineTool({
  name: 'create_memory',
  title: 'Create a memory',
  description: [
    'Creates an empty memory, to which add_text and add_url can add documents.',
    'Use it only when the user asks for a new memory. Call list_memories first: two memories may have the same name.',
    'A key of one memory cannot create another.',
  ].join('\n'),
  input: Type.Object({
    name: Type.String({ minLength: 1, maxLength: MAX_NAME_CHARACTERS, description: 'Short name for people.' }),
    description: Type.Optional(
      Type.String({ maxLength: MAX_DESCRIPTION_CHARACTERS, description: 'Purpose of the memory, in a sentence.' }),
    ),
  }),
  output: MEMORY,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  async run(body, { call, signal }) {
    const memory = shorten(await call('createMemory', { body }, { signal }))
    return { text: `Created the memory ${JSON.stringify(memory.name)} (${memory.memoryId}).`, facts: memory }
  },
})
