import type { CorrectionResource } from '../../api/correction.ts'
import type { Document } from '../../database/schema.ts'
import type { Caller } from '../caller.ts'
import { hasExpired } from '../search/find-corrections.ts'
import { readLastOutranked } from './outranked-passages.ts'

/** Characters of the statement used as the document title. */
const TITLE_CHARACTERS = 120

/** Title of a correction. */
export function titleOfStatement(statement: string): string {
  return statement.slice(0, TITLE_CHARACTERS).toWellFormed()
}

/** Key that created a correction, with its name at the time. */
type CorrectionAuthor = { keyId: string; name: string | null }

/** Creator of a correction; `null` if keys are disabled. */
export function authorOf({ keyId, keyName }: Caller): CorrectionAuthor | null {
  return keyId === null ? null : { keyId, name: keyName }
}

/** Creator as stored in the row. */
export function serializeAuthor(caller: Caller): string | null {
  const maker = authorOf(caller)
  return maker === null ? null : JSON.stringify(maker)
}

/**
 * Converts a row for a caller, without the passages that the correction outranks. A memory-scoped
 * key only sees its own key, because listing keys is forbidden.
 */
export function toCorrectionResource(
  caller: Caller,
  document: Pick<
    Document,
    | 'id'
    | 'memory_id'
    | 'statement'
    | 'topics'
    | 'boost'
    | 'created_by'
    | 'expires_at'
    | 'outranked'
    | 'outranked_at'
    | 'created_at'
  >,
  now: Date,
): CorrectionResource {
  const { created_by: stored, expires_at: expiresAt } = document
  const maker = stored === null ? null : (JSON.parse(stored) as CorrectionAuthor)
  const isSeen = caller.scope === 'organization' || maker?.keyId === caller.keyId
  return pickCorrectionFields({
    id: document.id,
    memoryId: document.memory_id,
    statement: document.statement ?? '',
    topics: JSON.parse(document.topics ?? '[]') as string[],
    boost: document.boost ?? 1,
    createdBy: isSeen ? maker : null,
    expiresAt,
    isExpired: hasExpired(expiresAt, now),
    outranks: null,
    lastOutranked: readLastOutranked(document),
    createdAt: document.created_at,
  })
}

/** Picks the fields of a correction in response order. */
export function pickCorrectionFields(facts: CorrectionResource): CorrectionResource {
  const {
    id,
    memoryId,
    statement,
    topics,
    boost,
    createdBy,
    expiresAt,
    isExpired,
    outranks,
    lastOutranked,
    createdAt,
  } = facts
  return { id, memoryId, statement, topics, boost, createdBy, expiresAt, isExpired, outranks, lastOutranked, createdAt }
}
