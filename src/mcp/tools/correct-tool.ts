import { Type } from 'typebox'
import type { Correction, Outranked } from '../../client/resources.ts'
import { CORRECTION_BOOST, CORRECTION_FIELDS } from '../../limits.ts'
import { unescapeHtml } from '../../text/escape-html.ts'
import { requireMemory } from '../require-memory.ts'
import { MemoryArgument, MemorySchema, OrNull } from '../schemas.ts'
import { defineTool } from '../tool.ts'
import { oneLine } from '../write-text.ts'

const { statementCharacters, topics, topicCharacters } = CORRECTION_FIELDS
const MARK_TAG = /<\/?mark>/g

/** Adds a statement that ranks above documents. */
export const CORRECT = defineTool({
  name: 'correct',
  title: 'Add a correction',
  description: [
    'Adds a correction: a statement that find and ask rank above all documents for matching queries.',
    'Use it only when the user says that something is wrong, outdated or missing.',
    "Use the user's own facts, never the text of a document. Documents do not change.",
    'Write one complete sentence with all names and dates. Add topics as extra search words.',
    'The result lists the passages that the correction outranks.',
    'If the wrong passage is not in that list, inform the user.',
    'Set expiresAt for a fact that is valid for a limited time.',
  ].join('\n'),
  input: Type.Object({
    statement: Type.String({ minLength: 1, maxLength: statementCharacters }),
    memory: MemoryArgument,
    topics: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: topicCharacters }), { maxItems: topics })),
    boost: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: CORRECTION_BOOST.max,
        default: CORRECTION_BOOST.default,
        description: 'Weight relative to other corrections.',
      }),
    ),
    expiresAt: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'Time from which the correction is ignored: ISO 8601 with a time zone (2027-05-31T18:00:00Z), ' +
          'in the future. Omit it for a correction that never expires.',
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
      { description: 'The closest passages of documents, which the correction now outranks.' },
    ),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  async run({ memory: named, ...correction }, context) {
    const memory = await requireMemory(named, context)
    const input = { path: { id: memory.id }, body: correction }
    const added = await context.call('correct', input, { signal: context.signal })
    const { id, statement, topics, boost, expiresAt } = added
    const outranks = (added.outranks ?? []).map(shorten)
    return {
      text: describe(memory.name, { id, expiresAt, outranks }),
      facts: { memory, correctionId: id, statement, topics, boost, expiresAt, outranks },
    }
  },
})

/** Shortens a passage and strips the HTML of its snippet. */
function shorten({ documentId, chunkId, title, page, snippet }: Outranked) {
  const text = oneLine(unescapeHtml(snippet.replaceAll(MARK_TAG, '')))
  return { documentId, chunkId, title: oneLine(title), page, text }
}

function describe(
  memoryName: string,
  { id, expiresAt, outranks }: Pick<Correction, 'id' | 'expiresAt'> & { outranks: ReturnType<typeof shorten>[] },
): string {
  const until = expiresAt === null ? '' : ` until ${expiresAt}`
  const name = JSON.stringify(oneLine(memoryName))
  const head = `Added correction ${id} to the memory ${name}. It ranks first for matching queries${until}.`
  if (outranks.length === 0) return `${head} No passage of a document matches it.`
  const passages = outranks.map(({ title, page, documentId, text }) => {
    return `- ${title}${page === null ? '' : `, page ${page}`} (${documentId}): ${text}`
  })
  return `${head} It outranks these passages:\n${passages.join('\n')}`
}
