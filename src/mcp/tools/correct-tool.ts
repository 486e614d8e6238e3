import { Type } from 'typebox'
import type { Correction, Outranked } from '../../client/resources.ts'
import { CORRECTION_BOOST, CORRECTION_FIELDS } from '../../limits.ts'
import { unescapeHtml } from '../../text/escape-html.ts'
import { requireMemory } from '../require-memory.ts'
import { MemoryArgument, MemorySchema, OrNull } from '../schemas.ts'
import { defineTool } from '../tool.ts'
import { oneLine } from '../write-text.ts'

const { statementCharacters, topics, topicCharacters } = CORRECTION_FIELDS
const MARK = /<\/?mark>/g

/** A statement that comes before what documents say. */
export const CORRECT = defineTool({
  name: 'correct',
  title: 'Correct what the memory says',
  description: `Adds a correction: a statement that find and ask bring before all documents whenever it fits the query.
Use it only when the user says that something is wrong, outdated or missing, and with the user's own facts; never from what a document says. Documents stay as they are.
Write one whole sentence that is understood by itself, with its names and dates; topics are words under which it should also be found.
The answer names the passages that it now stands before: where the one that is wrong is not among them, say so to the user. Give expiresAt for what holds for a time only.`,
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
    expiresAt: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'Until when it holds, as ISO 8601 with its zone (2027-05-31T18:00:00Z), in the future; from then on it is not found. Leave it out for what holds from now on.',
      }),
    ),
  }),
  output: Type.Object({
    memory: MemorySchema,
    correctionId: Type.String(),
    statement: Type.String(),
    topics: Type.Array(Type.String()),
    boost: Type.Number(),
    expiresAt: OrNull(Type.String()),
    outranks: Type.Array(
      Type.Object({
        documentId: Type.String(),
        chunkId: Type.String(),
        title: Type.String(),
        page: OrNull(Type.Integer()),
        text: Type.String(),
      }),
      { description: 'The passages nearest to it, before which it now stands.' },
    ),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  async run({ memory: named, ...correction }, surroundings) {
    const memory = await requireMemory(named, surroundings)
    const input = { path: { id: memory.id }, body: correction }
    const added = await surroundings.call('correct', input, { signal: surroundings.signal })
    const { id, statement, topics, boost, expiresAt } = added
    const outranks = (added.outranks ?? []).map(shorten)
    return {
      text: describe(memory.name, { id, expiresAt, outranks }),
      facts: { memory, correctionId: id, statement, topics, boost, expiresAt, outranks },
    }
  },
})

/** A passage without the marks and entities of its snippet: a model reads text. */
function shorten({ documentId, chunkId, title, page, snippet }: Outranked) {
  return { documentId, chunkId, title: oneLine(title), page, text: oneLine(unescapeHtml(snippet.replaceAll(MARK, ''))) }
}

function describe(
  memoryName: string,
  { id, expiresAt, outranks }: Pick<Correction, 'id' | 'expiresAt'> & { outranks: ReturnType<typeof shorten>[] },
): string {
  const until = expiresAt === null ? '' : ` until ${expiresAt}`
  const head = `The correction ${id} stands in the memory ${JSON.stringify(oneLine(memoryName))} and comes first from now on${until}.`
  if (outranks.length === 0) return `${head} No passage of a document is near it.`
  const passages = outranks.map(({ title, page, documentId, text }) => {
    return `- ${title}${page === null ? '' : `, page ${page}`} (${documentId}): ${text}`
  })
  return `${head} It stands before:\n${passages.join('\n')}`
}
