import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type IdempotencyKey, listKeptAnswers, setAnswerBody } from '../../database/account/idempotency-table.ts'
import { listMissingDocuments } from '../../database/memories/documents-table.ts'
import type { Tables } from '../../database/schema.ts'

const DOCUMENT_ID = /\bdoc_[0-9a-z]{26}\b/g
/** Of whatever names a document itself: what of it comes from the document's content. Identifiers, numbers and states stay. */
const WORDS = new Set(['title', 'filename', 'url', 'text', 'snippet', 'section', 'statement', 'message'])
const LISTS_OF_WORDS = new Set(['blocks', 'topics', 'tags', 'words', 'warnings'])
/** What was left out as the duplicate of a document has its words. */
const NAMES = ['id', 'documentId', 'duplicateOf'] as const

/** The documents that an answer names. */
function listNamedDocuments(body: string): string[] {
  return [...new Set(body.match(DOCUMENT_ID) ?? [])]
}

/** An answer without the words of documents that are gone: texts are empty and lists have nothing, at their places; all else is as it was. */
export function redactAnswer(body: string, isGone: (documentId: string) => boolean): string {
  if (!listNamedDocuments(body).some(isGone)) return body
  return JSON.stringify(redact(JSON.parse(body), isGone))
}

/** `inGone`: within something that names a document that is gone; what names none itself belongs to it, such as an explanation. */
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

/** Kept answers read at a time: everyone waits as long. */
const ANSWERS_A_STEP = 200

/**
 * Takes the words of deleted documents out of the answers that are kept for requests which come again: these are answered as they were first, with their identifiers, and
 * without titles and texts of what is gone since.
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

/** Answers without the words of documents that are gone by now, in the same order. */
export async function withoutGone(db: Kysely<Tables>, bodies: readonly string[]): Promise<string[]> {
  const gone = new Set(await listMissingDocuments(db, bodies.flatMap(listNamedDocuments)))
  return bodies.map((body) => redactAnswer(body, (id) => gone.has(id)))
}
