import type { Kysely, Transaction } from 'kysely'
import type { DocumentResource } from '../../api/document.ts'
import type { Metadata } from '../../api/fields.ts'
import type { Warning } from '../../api/values.ts'
import { withTimeout } from '../../concurrency/wait.ts'
import { deleteComputedResponses } from '../../database/account/idempotency-table.ts'
import { type ChangedColumns, changeDocument, markStale } from '../../database/memories/document-changes.ts'
import { type DocumentKey, requireDocument } from '../../database/memories/documents-table.ts'
import { lockMemory, requireMemory } from '../../database/memories/memories-table.ts'
import { type Document, LIVE_STATUSES, type Tables } from '../../database/schema.ts'
import { invalid } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'
import { replaceUnstorable } from '../../parsers/encoding/decode-file.ts'
import type { Caller } from '../caller.ts'
import { cleanMetadata, cleanTags } from '../ingest/given-fields.ts'
import type { ChunkRefresh } from './chunk-refresh.ts'
import { type DeletedDocuments, type DeletionRequest, deleteMany } from './delete-documents.ts'
import { toDocumentResource } from './document-resource.ts'

/** Fields of a document to change; absent fields stay as they are. */
type DocumentChange = {
  title?: string
  tags?: readonly string[]
  metadata?: Metadata
  /** False: no search finds the document. */
  enabled?: boolean
}

/** Changes what is stored of documents. */
export type DocumentChangesService = {
  /**
   * Changes the given fields of a document. On return, searches filter and rank by the change; a
   * warning says if that is not so yet. Rejects with `document_not_found`, and with
   * `validation_failed` for fields that a correction does not have.
   */
  changeDocument(
    caller: Caller,
    memoryId: string,
    request: { documentId: string; change: DocumentChange },
  ): Promise<ChangedDocument>
  /**
   * Deletes documents in portions; a repetition deletes the rest. Rejects with `memory_not_found`.
   */
  deleteDocuments(caller: Caller, memoryId: string, request: DeletionRequest): Promise<DeletedDocuments>
}

type ChangedDocument = DocumentResource & { warnings: Warning[] }

/** Dependencies of {@link refreshOrWarn}. */
export type RefreshDeps = { chunkRefresh: Pick<ChunkRefresh, 'refresh'>; log: Pick<Log, 'warn'> }

type ChangeDeps = Parameters<typeof deleteMany>[0] & RefreshDeps & { db: Kysely<Tables>; now: () => Date }

/** Creates the service. */
export function createDocumentChangesService(deps: ChangeDeps): DocumentChangesService {
  return {
    changeDocument: (caller, memoryId, request) => changeOne(deps, caller, { memoryId, ...request }),
    deleteDocuments: (caller, memoryId, request) => deleteMany(deps, caller, { memoryId, ...request }),
  }
}

async function changeOne(
  deps: ChangeDeps,
  caller: Caller,
  { memoryId, documentId, change }: { memoryId: string; documentId: string; change: DocumentChange },
): Promise<ChangedDocument> {
  const { db, now } = deps
  const memory = await requireMemory(db, caller, memoryId)
  const key = { organizationId: memory.organization_id, memoryId, documentId }
  const isStale = await db.transaction().execute((transaction) => applyChange(transaction, key, { change, now: now() }))
  const warnings = isStale ? await refreshOrWarn(deps, documentId) : []
  return { ...toDocumentResource(await requireDocument(db, key), memory), warnings }
}

/** Returns whether the chunks of the document have to be rewritten. */
async function applyChange(
  transaction: Transaction<Tables>,
  key: DocumentKey,
  { change, now }: { change: DocumentChange; now: Date },
): Promise<boolean> {
  await lockMemory(transaction, key.memoryId)
  const document = await requireDocument(transaction, key)
  if (document.source_type === 'correction') requireForCorrection(change)
  const columns = listChanges(document, change)
  if (Object.keys(columns).length === 0) return false
  const at = now.toISOString()
  await changeDocument(transaction, document, { ...columns, at })
  // A repeated search, too, goes by the change.
  await deleteComputedResponses(transaction, key.memoryId)
  // Filters read tags and metadata from the row; titles are indexed with the chunks.
  const isStale = LIVE_STATUSES.includes(document.status) && columns.title !== undefined
  if (isStale) await markStale(transaction, [document], at)
  return isStale
}

function requireForCorrection({ enabled: _, ...others }: DocumentChange): void {
  const [first] = Object.keys(others)
  if (first !== undefined)
    throw invalid(first, 'must be omitted for a correction: change its statement and topics with PATCH …/corrections')
}

/** The columns that differ from the stored ones. */
function listChanges(document: Document, { title, tags, metadata, enabled }: DocumentChange): ChangedColumns {
  const given: ChangedColumns = {
    ...(title !== undefined && { title: replaceUnstorable(title), title_given: 1 }),
    ...(tags !== undefined && { tags: JSON.stringify(cleanTags(tags)) }),
    ...(metadata !== undefined && { metadata: JSON.stringify(cleanMetadata(metadata)) }),
    ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
  }
  const names = Object.keys(given) as (keyof ChangedColumns)[]
  return Object.fromEntries(names.flatMap((name) => (given[name] === document[name] ? [] : [[name, given[name]]])))
}

/** Time that a response waits for the chunks: enough for thousands of chunks. Our choice. */
const MAX_WAIT_MS = 5000

/** Refreshes the chunks of a changed document; warns if that fails or takes long. */
export async function refreshOrWarn({ chunkRefresh, log }: RefreshDeps, documentId: string): Promise<Warning[]> {
  const refreshed = chunkRefresh.refresh(documentId).catch((err: unknown) => {
    log.warn({ err, documentId }, 'the chunks of a changed document could not be rewritten; retrying')
    return false
  })
  return (await withTimeout(refreshed, MAX_WAIT_MS, false)) ? [] : [NOT_YET_SEARCHED]
}

const NOT_YET_SEARCHED: Warning = {
  code: 'change_pending',
  message: 'The change is stored; searches and filters follow within a minute or when the job of the document ends.',
  param: null,
}
