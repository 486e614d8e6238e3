import { Type } from 'typebox'
import type { Hit } from '../../client/findings.ts'
import { QUERY_CHARACTERS } from '../../limits.ts'
import { pluralize } from '../../text/pluralize.ts'
import { requireMemory } from '../require-memory.ts'
import {
  CorrectionMark,
  FILTER_ARGUMENTS,
  MemoryArgument,
  MemorySchema,
  OrNull,
  PLACE,
  toFilter,
  WarningsSchema,
} from '../schemas.ts'
import { defineTool } from '../tool.ts'
import { cutText, formatPlace, formatWarnings, MAX_ANSWER_CHARACTERS, oneLine, takeFitting } from '../write-text.ts'

const LIMIT = { default: 8, max: 25 } as const
const MAX_TAGS = 10

/** Finds passages for a query. */
export const FIND = defineTool({
  name: 'find',
  title: 'Find passages',
  description: [
    'Finds the best passages of a memory for a query, with title, page, offsets and chunk id.',
    "Use it whenever the user's documents may contain the answer. Rephrase the query if the hits do not fit.",
    'Queries can be plain questions. Quoted words and identifiers are matched literally.',
    'Passages of kind "correction" come from a person and override documents.',
    `Returns up to ${LIMIT.max} passages of about 1,000 characters. Call read_passage for the text around one.`,
    'Counts as one query of the plan.',
  ].join('\n'),
  input: Type.Object({
    query: Type.String({ minLength: 1, maxLength: QUERY_CHARACTERS, description: 'Question or keywords.' }),
    memory: MemoryArgument,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT.max, default: LIMIT.default })),
    mode: Type.Optional(
      Type.Unsafe<'auto' | 'hybrid' | 'semantic' | 'lexical'>({
        type: 'string',
        enum: ['auto', 'hybrid', 'semantic', 'lexical'],
        description: 'Defaults to auto. Use lexical for exact words only, semantic for meaning only.',
      }),
    ),
    ...FILTER_ARGUMENTS,
    minScore: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, default: 0, description: 'Leaves out documents with a lower score.' }),
    ),
  }),
  output: Type.Object({
    memory: MemorySchema,
    mode: Type.String(),
    totalHits: Type.Integer({ description: 'Number of ranked passages.' }),
    hits: Type.Array(
      Type.Object({
        ...PLACE,
        rank: Type.Integer(),
        score: Type.Number(),
        kind: Type.String({ description: 'document or correction' }),
        correction: CorrectionMark,
        duplicates: Type.Integer({ description: 'Number of further passages with the same text.' }),
        filename: OrNull(Type.String()),
        tags: Type.Array(Type.String()),
        createdAt: Type.String(),
        section: OrNull(Type.String()),
        url: OrNull(Type.String()),
        text: Type.String(),
      }),
    ),
    omitted: Type.Integer({ description: 'Number of hits omitted to keep the result short.' }),
    warnings: WarningsSchema,
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ query, memory: named, ...asked }, context) {
    const { limit = LIMIT.default, mode = 'auto', minScore = 0, ...filter } = asked
    const memory = await requireMemory(named, context)
    const options = { limit, mode, filter: toFilter(filter), minScore }
    const input = { path: { id: memory.id }, body: { query, options } }
    const answer = await context.call('find', input, { signal: context.signal })
    const hits = takeFitting(answer.hits, ({ text }) => text.length).map(shorten)
    const omitted = answer.hits.length - hits.length
    const warnings = answer.warnings.map(({ message }) => message)
    return {
      text: describe(hits, { omitted, warnings }),
      facts: { memory, mode: answer.mode, totalHits: answer.totalHits, hits, omitted, warnings },
    }
  },
})

function shorten({ documentId, chunkId, page, startOffset, endOffset, ...hit }: Hit) {
  const { rank, score, kind, correction, duplicates, title, filename, section, url, createdAt } = hit
  const place = { documentId, chunkId, title, page, section, startOffset, endOffset, filename, url }
  const tags = hit.tags.slice(0, MAX_TAGS).map(oneLine)
  const text = cutText(hit.text, MAX_ANSWER_CHARACTERS)
  return { rank, score, kind, correction, duplicates, ...place, tags, createdAt, text }
}

type ShortHit = ReturnType<typeof shorten>

function describe(hits: readonly ShortHit[], { omitted, warnings }: { omitted: number; warnings: string[] }): string {
  if (hits.length === 0) return `No passages found.${formatWarnings(warnings)}`
  const passages = hits.map((hit) => {
    const kind = hit.correction === null ? '' : describeCorrection(hit.correction)
    const copies = hit.duplicates === 0 ? '' : `, ${pluralize(hit.duplicates, 'further copy', 'further copies')}`
    const place = `${formatPlace(hit, hit.chunkId)}, score ${hit.score.toFixed(2)}${copies}`
    return `[${hit.rank}] ${kind}${place}\n${hit.text.trimEnd()}`
  })
  const cut =
    omitted === 0 ? '' : `\n\n${omitted} more passages were omitted to keep the result short. Narrow the query.`
  return passages.join('\n\n') + cut + formatWarnings(warnings)
}

/**
 * Shows the dates of a correction, so that a model can prefer the newer of two contradicting
 * corrections.
 */
function describeCorrection({ createdAt, expiresAt }: NonNullable<Hit['correction']>): string {
  const until = expiresAt === null ? '' : ` until ${expiresAt.slice(0, 10)}`
  return `Correction of ${createdAt.slice(0, 10)}${until}: `
}
