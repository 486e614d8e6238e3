import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { listMissingDocuments } from '../../database/documents/documents.ts'
import { type IdempotencyKey, listKeptAnswers, setAnswerBody } from '../../database/nodes/idempotency.ts'
import type { Tables } from '../../database/schema.ts'
import { listNamedDocuments, redactAnswer } from './redact-answer.ts'

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
