import { Type } from 'typebox'
import type { Hit } from '../../client/findings.ts'
import { QUERY_CHARACTERS } from '../../limits.ts'
import { requireMemory } from '../require-memory.ts'
import {
  CorrectionMark,
  MemoryArgument,
  MemorySchema,
  MetadataArgument,
  OrNull,
  PLACE,
  WarningsSchema,
} from '../schemas.ts'
import { defineTool } from '../tool.ts'
import { cutText, describePlace, MOST_CHARACTERS, oneLine, takeFitting, warningLines } from '../write-text.ts'

const LIMIT = { default: 8, max: 25 } as const
const SHOWN_TAGS = 10

/** Passages for a query. */
export const FIND = defineTool({
  name: 'find',
  title: 'Find passages',
  description: `Finds the passages of a memory that fit a query best, with title, page, offsets and chunk id to cite them by.
Use it whenever the answer may stand in the user's documents, and again with other words where the first hits do not fit.
A question in plain words works; words in quotes and identifiers are looked up as they are. Passages of kind "correction" were stated by a person and count more than documents.
At most ${LIMIT.max} passages of about 1,000 characters; read_passage shows what stands around one. Counts as one query of the plan.`,
  input: Type.Object({
    query: Type.String({ minLength: 1, maxLength: QUERY_CHARACTERS, description: 'A question or search words.' }),
    memory: MemoryArgument,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT.max, default: LIMIT.default })),
    mode: Type.Optional(
      Type.Unsafe<'auto' | 'hybrid' | 'semantic' | 'lexical'>({
        type: 'string',
        enum: ['auto', 'hybrid', 'semantic', 'lexical'],
        description: 'auto, the default, suits nearly always; lexical for exact words, semantic for meaning alone.',
      }),
    ),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: 100, description: 'Only documents with these tags.' })),
    documentIds: Type.Optional(
      Type.Array(Type.String(), { maxItems: 100, description: 'Only these documents; an empty list names all.' }),
    ),
    metadata: MetadataArgument,
  }),
  output: Type.Object({
    memory: MemorySchema,
    mode: Type.String(),
    totalHits: Type.Integer({ description: 'Passages that were ranked; their score says how well they fit.' }),
    hits: Type.Array(
      Type.Object({
        ...PLACE,
        rank: Type.Integer(),
        score: Type.Number(),
        kind: Type.String({ description: 'document or correction.' }),
        correction: CorrectionMark,
        filename: OrNull(Type.String()),
        tags: Type.Array(Type.String()),
        createdAt: Type.String(),
        section: OrNull(Type.String()),
        url: OrNull(Type.String()),
        text: Type.String(),
      }),
    ),
    omitted: Type.Integer({ description: 'Hits that were left out to keep the answer short.' }),
    warnings: WarningsSchema,
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ query, memory: named, limit = LIMIT.default, mode = 'auto', documentIds = [], ...wanted }, surroundings) {
    const memory = await requireMemory(named, surroundings)
    // Models fill in an empty list where they mean nothing by it.
    const filter = documentIds.length === 0 ? wanted : { ...wanted, documentIds }
    const options = { limit, mode, filter }
    const input = { path: { id: memory.id }, body: { query, options } }
    const answer = await surroundings.call('find', input, { signal: surroundings.signal })
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
  const { rank, score, kind, correction, title, filename, section, url, createdAt } = hit
  const place = { documentId, chunkId, title, page, section, startOffset, endOffset, filename, url }
  const tags = hit.tags.slice(0, SHOWN_TAGS).map(oneLine)
  return { rank, score, kind, correction, ...place, tags, createdAt, text: cutText(hit.text, MOST_CHARACTERS) }
}

type Shown = ReturnType<typeof shorten>

function describe(hits: readonly Shown[], { omitted, warnings }: { omitted: number; warnings: string[] }): string {
  if (hits.length === 0) return `Nothing was found.${warningLines(warnings)}`
  const passages = hits.map((hit) => {
    const kind = hit.correction === null ? '' : describeCorrection(hit.correction)
    return `[${hit.rank}] ${kind}${describePlace(hit, hit.chunkId)}, score ${hit.score.toFixed(2)}\n${hit.text.trimEnd()}`
  })
  const cut =
    omitted === 0 ? '' : `\n\n${omitted} further passages were left out to keep this short; ask with other words.`
  return passages.join('\n\n') + cut + warningLines(warnings)
}

/** Since when and until when it holds, by days: where two contradict each other the newer one counts. */
function describeCorrection({ createdAt, expiresAt }: NonNullable<Hit['correction']>): string {
  const until = expiresAt === null ? '' : ` until ${expiresAt.slice(0, 10)}`
  return `Correction of ${createdAt.slice(0, 10)}${until}: `
}
