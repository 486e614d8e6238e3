import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type IdempotencyKey, listKeptAnswers, setAnswerBody } from '../../database/account/idempotency-table.ts'
import { listMissingDocuments } from '../../database/memories/documents-table.ts'
import type { Tables } from '../../database/schema.ts'

const DOCUMENT_ID = /\bdoc_[0-9a-z]{26}\b/g
/**
 * Fields with document content, in objects that name a document. Ids, numbers and states are kept.
 */
const WORDS = new Set(['title', 'filename', 'url', 'text', 'snippet', 'section', 'statement', 'message'])
const LISTS_OF_WORDS = new Set(['blocks', 'topics', 'tags', 'words', 'warnings'])
/** A duplicate that was skipped has the content of the original document. */
const NAMES = ['id', 'documentId', 'duplicateOf'] as const

/** Document ids in a response. */
function listNamedDocuments(body: string): string[] {
  return [...new Set(body.match(DOCUMENT_ID) ?? [])]
}

/**
 * Removes the content of deleted documents from a response: texts and lists become empty, the rest
 * is unchanged.
 */
export function redactAnswer(body: string, isGone: (documentId: string) => boolean): string {
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
  const names = NAMES.flatMap((name) => (value as Record<string, unknown>)[name] ?? [])
  const isOfGone = names.length === 0 ? inGone : names.some((name) => isGone(String(name)))
  const redacted = Object.entries(value).map(([key, field]) => {
    if (isOfGone && WORDS.has(key) && typeof field === 'string') return [key, '']
    if (isOfGone && LISTS_OF_WORDS.has(key) && Array.isArray(field)) return [key, []]
    return [key, redact(field, isGone, isOfGone)]
  })
  return Object.fromEntries(redacted)
}

/** Batch size: each batch blocks the event loop. */
const ANSWERS_A_STEP = 200

/**
 * Redacts deleted documents in the responses stored for idempotent replay. A replay returns the
 * original ids without titles and texts of deleted documents.
 */
export async function forgetWords(db: Kysely<Tables>, memoryId: string): Promise<void> {
  let after: IdempotencyKey | null = null
  do {
    const kept = await listKeptAnswers(db, memoryId, { after, limit: ANSWERS_A_STEP })
    const bodies = await withoutGone(
      db,
      kept.map(({ body }) => body),
    )
    for (const [index, answer] of kept.entries()) {
      const body = bodies[index] ?? answer.body
      if (body !== answer.body) await setAnswerBody(db, { ...answer, body })
    }
    after = kept.length < ANSWERS_A_STEP ? null : (kept.at(-1) ?? null)
    await nextTurn()
  } while (after !== null)
}

/** Redacts deleted documents in responses, in the same order. */
export async function withoutGone(db: Kysely<Tables>, bodies: readonly string[]): Promise<string[]> {
  const gone = new Set(await listMissingDocuments(db, bodies.flatMap(listNamedDocuments)))
  return bodies.map((body) => redactAnswer(body, (id) => gone.has(id)))
}
