import type { CorrectionResource } from '../../api/correction.ts'
import type { Document } from '../../database/schema.ts'
import type { Caller } from '../caller.ts'
import { hasExpired } from '../search/find-corrections.ts'
import { readLastOutranked } from './outranked-passages.ts'

/** The key that made a correction, as it is stored; its name is the one it had then. */
type Maker = { keyId: string; name: string | null }

/** The caller who makes a correction; `null` where keys are switched off. */
export function makerOf({ keyId, keyName }: Caller): Maker | null {
  return keyId === null ? null : { keyId, name: keyName }
}

/** The same as its row has it. */
export function storeMaker(caller: Caller): string | null {
  const maker = makerOf(caller)
  return maker === null ? null : JSON.stringify(maker)
}

/** A correction as this caller sees it, with nobody having looked for what it outranks. A memory's key sees no other key, as it cannot list them. */
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
  const maker = stored === null ? null : (JSON.parse(stored) as Maker)
  const isSeen = caller.scope === 'organization' || maker?.keyId === caller.keyId
  return describeCorrection({
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

/** The same facts, and no others, in the order in which every answer has them. */
export function describeCorrection(facts: CorrectionResource): CorrectionResource {
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
