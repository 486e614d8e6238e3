import type { Kysely, Transaction } from 'kysely'
import type { CorrectionResource } from '../../api/correction.ts'
import type { Warning } from '../../api/values.ts'
import { deleteComputedResponses } from '../../database/account/idempotency-table.ts'
import { type ChangedColumns, changeDocument, markStale } from '../../database/memories/document-changes.ts'
import { updateDocumentCounters } from '../../database/memories/document-writes.ts'
import { type DocumentKey, requireDocument } from '../../database/memories/documents-table.ts'
import { replaceFingerprint } from '../../database/memories/inventory.ts'
import { lockMemory, requireMemory } from '../../database/memories/memories-table.ts'
import { packText } from '../../database/packed-text.ts'
import type { Document, Tables } from '../../database/schema.ts'
import { fingerprintOf } from '../../engine/similarity/fingerprint.ts'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../caller.ts'
import { type RefreshDeps, refreshOrWarn } from '../documents/change-document.ts'
import { requireStorage } from '../ingest/storing/storage-quota.ts'
import { titleOfStatement, toCorrectionResource } from './correction-resource.ts'
import { validateCorrection } from './corrections-service.ts'

/** Fields of a correction to change; absent fields stay as they are. */
type CorrectionChange = { statement?: string; topics?: string[]; boost?: number; expiresAt?: string | null }

/** Changes corrections. */
export type CorrectionChangesService = {
  /**
   * Changes the given fields; a new statement is searched when the promise resolves, or the warning
   * `change_pending` is returned. Rejects with `document_not_found`, `validation_failed` and
   * `storage_quota_exceeded`.
   */
  change(
    caller: Caller,
    memoryId: string,
    request: { documentId: string; change: CorrectionChange },
  ): Promise<CorrectionResource & { warnings: Warning[] }>
}

/** Creates the service. */
export function createCorrectionChangesService(
  deps: RefreshDeps & { db: Kysely<Tables>; now: () => Date },
): CorrectionChangesService {
  const { db, now } = deps
  return {
    async change(caller, memoryId, { documentId, change }) {
      const { organization_id: organizationId } = await requireMemory(db, caller, memoryId)
      const key = { organizationId, memoryId, documentId }
      const request = { caller, change, now: now() }
      const isStale = await db.transaction().execute((transaction) => applyChange(transaction, key, request))
      const warnings = isStale ? await refreshOrWarn(deps, documentId) : []
      return { ...toCorrectionResource(caller, await requireDocument(db, key), now()), warnings }
    },
  }
}

/**
 * Changes the row of a correction, and returns whether the chunks have to be rebuilt. Rejects
 * with `document_not_found` for other documents, with `validation_failed`, and with
 * `storage_quota_exceeded`.
 */
async function applyChange(
  transaction: Transaction<Tables>,
  key: DocumentKey,
  { caller, change, now }: { caller: Caller; change: CorrectionChange; now: Date },
): Promise<boolean> {
  await lockMemory(transaction, key.memoryId)
  const row = await requireDocument(transaction, key)
  if (row.source_type !== 'correction') throw new ApiError('document_not_found')
  const columns = listChanges(row, change, now)
  if (Object.keys(columns).length === 0) return false
  const at = now.toISOString()
  const { statement, topics } = columns
  const isReworded = typeof statement === 'string'
  const all = isReworded
    ? { ...columns, ...(await storeStatement(transaction, row, { caller, statement, at })) }
    : columns
  await changeDocument(transaction, row, { ...all, at })
  await deleteComputedResponses(transaction, key.memoryId)
  const isStale = isReworded || topics !== undefined
  if (isStale) await markStale(transaction, [row], at)
  return isStale
}

/** The columns that differ from the stored ones. */
function listChanges(row: Document, change: CorrectionChange, now: Date): ChangedColumns {
  const { statement = '', topics = '[]', boost, expires_at: expiresAt } = row
  const stored = { statement: statement ?? '', topics: JSON.parse(topics ?? '[]') as string[], boost: boost ?? 1 }
  const valid = validateCorrection({ ...stored, ...change }, { prefix: '', now })
  const given: ChangedColumns = {
    statement: valid.statement,
    topics: JSON.stringify(valid.topics),
    tags: JSON.stringify(valid.topics),
    boost: valid.boost,
    expires_at: change.expiresAt === undefined ? expiresAt : valid.expiresAt,
  }
  const names = Object.keys(given) as (keyof ChangedColumns)[]
  return Object.fromEntries(names.flatMap((name) => (given[name] === row[name] ? [] : [[name, given[name]]])))
}

/** Stores the text of a correction, and returns the columns that follow from the text. */
async function storeStatement(
  transaction: Transaction<Tables>,
  row: Document,
  { caller, statement, at }: { caller: Caller; statement: string; at: string },
): Promise<ChangedColumns> {
  const { id, memory_id: memoryId } = row
  const bytes = Buffer.byteLength(statement)
  await requireStorage(transaction, caller, bytes - Number(row.storage_bytes))
  const { hash, signature } = fingerprintOf(statement)
  await transaction
    .updateTable('document_texts')
    .set({ content: packText(transaction, statement) })
    .where('document_id', '=', id)
    .execute()
  await replaceFingerprint(transaction, { document: row, signature })
  await updateDocumentCounters(transaction, { memoryId, documents: [row], times: -1 }, at)
  await updateDocumentCounters(transaction, { memoryId, documents: [{ ...row, storage_bytes: bytes }], times: 1 }, at)
  const sizes = { size_bytes: bytes, storage_bytes: bytes, character_count: statement.length }
  return { ...sizes, title: titleOfStatement(statement), content_hash: hash }
}
