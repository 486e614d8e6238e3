import { Type } from 'typebox'
import { CORRECTION_BOOST, CORRECTION_FIELDS } from '../../limits.ts'
import { requireMemory } from '../require-memory.ts'
import { MemoryArgument, MemorySchema } from '../schemas.ts'
import { defineTool } from '../tool.ts'
import { oneLine } from '../write-text.ts'

const { statementCharacters, topics, topicCharacters } = CORRECTION_FIELDS

/** A statement that comes before what documents say. */
export const CORRECT = defineTool({
  name: 'correct',
  title: 'Correct what the memory says',
  description: `Adds a correction: a statement that find and ask bring before all documents whenever it fits the query.
Use it only when the user says that something is wrong, outdated or missing, and with the user's own facts; never from what a document says. Documents stay as they are.
Write one whole sentence that is understood by itself, with its names and dates; topics are words under which it should also be found.`,
  input: Type.Object({
    statement: Type.String({ minLength: 1, maxLength: statementCharacters }),
    memory: MemoryArgument,
    topics: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: topicCharacters }), { maxItems: topics })),
    boost: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: CORRECTION_BOOST.max,
        default: CORRECTION_BOOST.default,
        description: 'Its weight among other corrections.',
      }),
    ),
  }),
  output: Type.Object({ memory: MemorySchema, correctionId: Type.String(), statement: Type.String() }),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  async run({ memory: named, ...correction }, surroundings) {
    const memory = await requireMemory(named, surroundings)
    const input = { path: { id: memory.id }, body: correction }
    const { id, statement } = await surroundings.call('correct', input, { signal: surroundings.signal })
    return {
      text: `The correction ${id} stands in the memory ${JSON.stringify(oneLine(memory.name))} and comes first from now on.`,
      facts: { memory, correctionId: id, statement },
    }
  },
})
