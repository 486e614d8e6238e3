import { Type } from 'typebox'
import type { MemoryDocument } from '../../client/resources.ts'
import { requireMemory } from '../require-memory.ts'
import { MemoryArgument, MemorySchema, OrNull } from '../schemas.ts'
import { defineTool } from '../tool.ts'
import { oneLine } from '../write-text.ts'

const LIMIT = { default: 20, max: 50 } as const
const STATUSES = ['pending', 'processing', 'ready', 'partial', 'failed'] as const
const SHOWN_TAGS = 10

/** The documents of a memory. */
export const LIST_DOCUMENTS = defineTool({
  name: 'list_documents',
  title: 'List documents',
  description: `Lists the documents of a memory, newest first, with id, status, length and tags; corrections are left out.
Use it to see what a memory holds, or whether a document that is read in the background is ready. To look for content use find: it is faster and sees inside.
At most ${LIMIT.max} a call; nextCursor of the answer, given as cursor, continues.`,
  input: Type.Object({
    memory: MemoryArgument,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT.max, default: LIMIT.default })),
    cursor: Type.Optional(Type.String({ description: 'nextCursor of the call before, as it came.' })),
    status: Type.Optional(Type.Unsafe<(typeof STATUSES)[number]>({ type: 'string', enum: [...STATUSES] })),
    tag: Type.Optional(Type.String({ description: 'Only documents with this tag.' })),
  }),
  output: Type.Object({
    memory: MemorySchema,
    documents: Type.Array(
      Type.Object({
        documentId: Type.String(),
        title: Type.String(),
        status: Type.String(),
        sourceType: Type.String(),
        url: OrNull(Type.String()),
        tags: Type.Array(Type.String()),
        pageCount: OrNull(Type.Integer()),
        characterCount: Type.Integer(),
        error: OrNull(Type.String()),
        createdAt: Type.String(),
      }),
    ),
    total: Type.Integer(),
    nextCursor: OrNull(Type.String()),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ memory: named, limit = LIMIT.default, ...filter }, surroundings) {
    const memory = await requireMemory(named, surroundings)
    const input = { path: { id: memory.id }, query: { limit, ...filter } }
    const page = await surroundings.call('listDocuments', input, { signal: surroundings.signal })
    const { total, nextCursor } = page
    const documents = page.documents.map(shorten)
    const more = nextCursor === null ? '' : `\nThere are more; continue with cursor ${nextCursor}`
    const heading = `${total} documents in ${JSON.stringify(oneLine(memory.name))} fit.`
    return {
      text: [heading, ...documents.map(describe)].join('\n') + more,
      facts: { memory, documents, total, nextCursor },
    }
  },
})

function shorten({ id, status, sourceType, pageCount, characterCount, createdAt, ...document }: MemoryDocument) {
  return {
    documentId: id,
    title: oneLine(document.title),
    status,
    sourceType,
    url: document.url === null ? null : oneLine(document.url),
    tags: document.tags.slice(0, SHOWN_TAGS).map(oneLine),
    pageCount,
    characterCount,
    error: document.error === null ? null : oneLine(document.error),
    createdAt,
  }
}

function describe(document: ReturnType<typeof shorten>): string {
  const { title, documentId, status, pageCount, characterCount, tags, error } = document
  const pages = pageCount === null ? '' : `, ${pageCount} pages`
  const tagged = tags.length === 0 ? '' : `, tags: ${tags.join(', ')}`
  return `- ${title} (${documentId}, ${status}${pages}, ${characterCount} characters${tagged})${error === null ? '' : ` ${error}`}`
}
