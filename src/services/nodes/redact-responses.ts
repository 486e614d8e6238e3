import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import {
  type IdempotencyKey,
  listStoredResponses,
  updateResponseBody,
} from '../../database/account/idempotency-table.ts'
import { listMissingDocuments } from '../../database/memories/documents-table.ts'
import type { Tables } from '../../database/schema.ts'

const DOCUMENT_ID = /\bdoc_[0-9a-z]{26}\b/g
/**
 * Fields with document content, in objects that name a document. Ids, numbers and states are kept.
 */
const CONTENT_FIELDS = new Set(['title', 'filename', 'url', 'text', 'snippet', 'section', 'statement', 'message'])
const CONTENT_LISTS = new Set(['blocks', 'topics', 'tags', 'words', 'warnings'])
/** A duplicate that was skipped has the content of the original document. */
const ID_FIELDS = ['id', 'documentId', 'duplicateOf'] as const

/** Document ids in a response. */
function listNamedDocuments(body: string): string[] {
  return [...new Set(body.match(DOCUMENT_ID) ?? [])]
}

/**
 * Removes the content of deleted documents from a response: texts and lists become empty, the rest
 * is unchanged.
 */
export function redactResponse(body: string, isGone: (documentId: string) => boolean): string {
  if (!listNamedDocuments(body).some(isGone)) return body
  return JSON.stringify(redact(JSON.parse(body), isGone))
}

/**
 * `inGone`: the parent names a deleted document. A nested object without a document id, such as an
 * explanation, belongs to its parent.
 */
function redact(value: unknown, isGone: (documentId: string) => boolean, inGone = false): unknown {
  if (Array.isArray(value)) return value.map((item) => redact(item, isGone, inGone))
  if (typeof value !== 'object' || value === null) return value
  const names = ID_FIELDS.flatMap((name) => (value as Record<string, unknown>)[name] ?? [])
  const isOfGone = names.length === 0 ? inGone : names.some((name) => isGone(String(name)))
  const redacted = Object.entries(value).map(([key, field]) => {
    if (isOfGone && CONTENT_FIELDS.has(key) && typeof field === 'string') return [key, '']
    if (isOfGone && CONTENT_LISTS.has(key) && Array.isArray(field)) return [key, []]
    return [key, redact(field, isGone, isOfGone)]
  })
  return Object.fromEntries(redacted)
}

/** Batch size: each batch blocks the event loop. */
const RESPONSES_PER_BATCH = 200

/**
 * Redacts deleted documents in the responses stored for idempotent replay. A replay returns the
 * original ids without titles and texts of deleted documents.
 */
export async function redactStoredResponses(db: Kysely<Tables>, memoryId: string): Promise<void> {
  let after: IdempotencyKey | null = null
  do {
    const kept = await listStoredResponses(db, memoryId, { after, limit: RESPONSES_PER_BATCH })
    const bodies = await redactDeletedDocuments(
      db,
      kept.map(({ body }) => body),
    )
    for (const [index, answer] of kept.entries()) {
      const body = bodies[index] ?? answer.body
      if (body !== answer.body) await updateResponseBody(db, { ...answer, body })
    }
    after = kept.length < RESPONSES_PER_BATCH ? null : (kept.at(-1) ?? null)
    await nextTurn()
  } while (after !== null)
}

/** Redacts deleted documents in responses, in the same order. */
export async function redactDeletedDocuments(db: Kysely<Tables>, bodies: readonly string[]): Promise<string[]> {
  const gone = new Set(await listMissingDocuments(db, bodies.flatMap(listNamedDocuments)))
  return bodies.map((body) => redactResponse(body, (id) => gone.has(id)))
}
