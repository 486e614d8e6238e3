import type { Transaction } from 'kysely'
import type { ArchiveMember, JobResult } from '../../../api/job.ts'
import type { Warning } from '../../../api/values.ts'
import { enqueueDeletions } from '../../../database/deletion/removals-table.ts'
import { confirmLease } from '../../../database/jobs/job-leases-table.ts'
import { finalizeJob, LeaseLostError } from '../../../database/jobs/jobs-table.ts'
import { type PublishedDocument, setDocumentStatus } from '../../../database/memories/document-writes.ts'
import { deleteDocumentRows } from '../../../database/memories/documents-table.ts'
import type { Document, NewDocument, Tables } from '../../../database/schema.ts'
import { ApiError } from '../../../errors.ts'
import type { PageReport } from '../../../parsers/parse-event.ts'
import { pluralize } from '../../../text/pluralize.ts'
import type { JobWork } from '../../jobs/job-handler.ts'
import type { JobDeps } from '../ingest-deps.ts'
import { commitDocuments } from '../storing/commit-documents.ts'
import { describeMissing, describePages, type MissingPart } from '../storing/missing-part.ts'
import { QuotaConflict } from '../storing/storage-quota.ts'
import type { IngestionPayload } from './ingestion-payload.ts'

/** Result of a job for its documents. */
export type IngestionOutcome = {
  published: readonly PublishedDocument[]
  /** The rows of published documents that were partial before. */
  readAgain: readonly Document[]
  /** Duplicates of stored documents, not added. */
  duplicates: readonly { row: Document; duplicateOf: string }[]
  /** Images without text, not added. */
  withoutText: readonly { row: Document; pages: readonly PageReport[] }[]
  /** Scanned pages of published documents that the caller excluded. */
  leftOutPages: number
  /** Recognized text of an image, shortened; absent for files. */
  text?: string
  /** Unreadable members of an archive, with the reasons; they become failed documents. */
  failed?: readonly { row: Document; error: string }[]
  /** Documents not read because the plan has no storage left. */
  tooLarge: readonly Document[]
  /** Missing parts of the published documents. */
  missing: readonly MissingPart[]
  warnings: readonly Warning[]
  elapsedMs: number
}

type FinishDeps = Pick<JobDeps, 'db' | 'removals' | 'owner' | 'now' | 'usage' | 'file'>

/**
 * Publishes the documents of a job and ends the job (`partial` when parts are missing) in one
 * transaction. Rejects with {@link QuotaConflict}, and as {@link commitDocuments} does.
 */
export async function finishIngestion(
  deps: FinishDeps,
  work: JobWork,
  { payload, outcome }: { payload: IngestionPayload; outcome: IngestionOutcome },
): Promise<void> {
  const { published, duplicates, withoutText } = outcome
  // A retry that adds nothing leaves what an earlier run added.
  const isRetry = payload.zip !== undefined && work.job.result !== null
  if (published.length + duplicates.length + withoutText.length === 0 && !isRetry) {
    await keepReasons(deps, work, outcome)
    throw nothingAddedError(outcome)
  }
  const { organization_id: organizationId, memory_id: memoryId } = work.job
  const finish = async (transaction: Transaction<Tables>) => {
    const removalIds = await cleanUpUnpublished(deps, transaction, { payload, outcome })
    await endJob(deps, transaction, { work, payload, outcome })
    return removalIds
  }
  await commitDocuments(deps, {
    organizationId,
    planId: payload.planId,
    keyId: payload.keyId ?? null,
    memoryId,
    file: deps.file,
    documents: published,
    readAgain: outcome.readAgain,
    waited: true,
    deduplicate: payload.deduplicate,
    finish,
  }).catch((error) => {
    throw error instanceof ApiError && error.code === 'storage_quota_exceeded' ? new QuotaConflict(error) : error
  })
}

/** Marks unreadable members as failed before the job fails, which overwrites no failed document. */
async function keepReasons(
  { db, now }: FinishDeps,
  { job, leaseToken }: JobWork,
  { failed = [] }: IngestionOutcome,
): Promise<void> {
  if (failed.length === 0) return
  await db.transaction().execute(async (transaction) => {
    if (!(await confirmLease(transaction, { jobId: job.id, leaseToken }))) throw new LeaseLostError(job.id)
    await markFailed(transaction, failed, now().toISOString())
  })
}

async function markFailed(
  transaction: Transaction<Tables>,
  failed: NonNullable<IngestionOutcome['failed']>,
  at: string,
): Promise<void> {
  for (const { row, error } of failed) {
    // A live document that cannot be read again stays as it is.
    if (row.status !== 'partial') await setDocumentStatus(transaction, { id: row.id, to: 'failed', at, error })
  }
}

function nothingAddedError({ tooLarge, failed: [first] = [] }: IngestionOutcome): ApiError {
  if (tooLarge.length > 0) return new ApiError('storage_quota_exceeded')
  if (first !== undefined) {
    const message = `No member of the archive could be added. The first: ${first.error}`
    return new ApiError('unprocessable_document', { message })
  }
  return new ApiError('document_not_found', { message: 'The documents were deleted.' })
}

/**
 * Deletes duplicates and images without text, marks documents over quota as failed, and deletes
 * temporary objects (upload, recognised pages) of complete documents.
 */
async function cleanUpUnpublished(
  deps: FinishDeps,
  transaction: Transaction<Tables>,
  {
    payload,
    outcome: { published, duplicates, withoutText, tooLarge, failed = [] },
  }: { payload: IngestionPayload; outcome: IngestionOutcome },
): Promise<string[]> {
  const unwanted = [...duplicates, ...withoutText].map(({ row }) => row)
  const removalIds = await deleteDocumentRows(transaction, unwanted, deps.now())
  const overQuota = tooLarge.map((row) => ({ row, error: OVER_QUOTA }))
  await markFailed(transaction, [...overQuota, ...failed], deps.now().toISOString())
  const whole =
    payload.file === null && payload.zip === undefined ? [] : published.filter(({ row }) => row.status !== 'partial')
  const uploads = whole.map(({ row: { memory_id: memoryId, id: documentId } }) => {
    return { kind: 'upload', memoryId, documentId, now: deps.now() } as const
  })
  return [...removalIds, ...(await enqueueDeletions(transaction, uploads))]
}

const OVER_QUOTA = 'The storage quota of the plan is exceeded.'

async function endJob(
  deps: FinishDeps,
  transaction: Transaction<Tables>,
  {
    work: { job, leaseToken },
    payload: { zip },
    outcome,
  }: { work: JobWork; payload: IngestionPayload; outcome: IngestionOutcome },
): Promise<void> {
  const earlier = job.result === null ? null : (JSON.parse(job.result) as JobResult)
  const added = toJobResult(outcome, earlier)
  const result = zip === undefined ? added : { ...added, members: endMembers(earlier?.members ?? zip.members, outcome) }
  const left = outcome.missing.filter(({ isExcluded = false }) => !isExcluded)
  const missing = [...left, ...missingMembers(result), ...missingForQuota(outcome, result)]
  const isPartial = missing.length > 0
  await finalizeJob(transaction, {
    jobId: job.id,
    leaseToken,
    status: isPartial ? 'partial' : 'completed',
    message: isPartial ? describeMissing(missing, 'message') : doneMessage(outcome, result),
    result,
    error: null,
    errorCode: missing.find(({ code }) => code !== null)?.code ?? null,
    now: deps.now(),
  })
}

/** Final results of the members that this run has processed. A deleted document is skipped. */
function endMembers(
  members: readonly ArchiveMember[],
  { published, duplicates, tooLarge, failed = [] }: IngestionOutcome,
): ArchiveMember[] {
  const ends = new Map<string, Partial<ArchiveMember>>([
    ...published.map(({ row }) => [row.id, { status: toMemberStatus(row), message: row.error ?? null }] as const),
    ...duplicates.map(({ row, duplicateOf }) => [row.id, { ...DUPLICATE_MEMBER, duplicateOf }] as const),
    ...tooLarge.map((row) => [row.id, { status: toMemberStatus(row), message: OVER_QUOTA }] as const),
    ...failed.map(({ row, error }) => [row.id, { status: toMemberStatus(row), message: error }] as const),
  ])
  return members.map((member) => {
    const end = ends.get(member.documentId ?? '')
    if (end !== undefined) return { ...member, ...end }
    return member.status === 'pending' ? { ...member, ...DELETED_MEMBER } : member
  })
}

const DUPLICATE_MEMBER = { status: 'duplicate', documentId: null, message: null } as const
const DELETED_MEMBER = { status: 'skipped', documentId: null, message: 'The document was deleted.' } as const

/** A failed member may still have the live document of an earlier run. */
function toMemberStatus({ status }: Pick<NewDocument, 'status'>): ArchiveMember['status'] {
  return status === 'ready' || status === 'partial' ? status : 'failed'
}

/** Also those that failed when the archive was unpacked, which have no documents. */
function missingMembers({ members = [] }: JobResult): MissingPart[] {
  const failed = members.filter(({ status }) => status === 'failed').length
  if (failed === 0) return []
  const message = `Failed: ${failed} of ${pluralize(members.length, 'member')}, see result.members.`
  return [{ error: message, message, code: null }]
}

/** Final message over all runs of the job. */
function doneMessage(
  { duplicates, withoutText, leftOutPages }: IngestionOutcome,
  { documentsAdded, documentsSkipped, chunksCreated }: JobResult,
): string {
  const [first] = duplicates
  const [silent] = withoutText
  if (silent) return ['Nothing added: the image contains no text.', ...describePages(silent.pages)].join(' ')
  if (documentsAdded === 0 && first)
    return `Nothing added: the memory already contains the document as ${first.duplicateOf}.`
  const all = pluralize(documentsAdded + documentsSkipped, 'document')
  const added = `Added ${documentsAdded} of ${all}, ${pluralize(chunksCreated, 'chunk')}`
  return leftOutPages === 0 ? `${added}.` : `${added}; ${describeLeftOut(leftOutPages)}: enableOcr is false.`
}

function describeLeftOut(pages: number): string {
  return pages === 1 ? '1 scanned page was left out' : `${pages} scanned pages were left out`
}

/** Parts missing because of the storage quota. */
function missingForQuota(
  { tooLarge }: IngestionOutcome,
  { documentsAdded, documentsSkipped }: JobResult,
): MissingPart[] {
  if (tooLarge.length === 0) return []
  const all = documentsAdded + documentsSkipped + tooLarge.length
  const message = `Kept ${documentsAdded} of ${pluralize(all, 'document')}: the plan's storage quota was reached.`
  return [{ error: message, message, code: 'storage_quota_exceeded' }]
}

/** Result including an earlier partial run of the same job. */
function toJobResult(
  { published, readAgain, duplicates, text, warnings, elapsedMs }: IngestionOutcome,
  earlier: JobResult | null,
): JobResult {
  const rows = published.map(({ row }) => row)
  const documentIds = [...new Set([...(earlier?.documentIds ?? []), ...rows.map(({ id }) => id)])]
  const change = (count: (row: Counted) => number) => sum(rows, count) - sum(readAgain, count)
  return {
    documentsAdded: documentIds.length,
    documentsSkipped: duplicates.length + (earlier?.documentsSkipped ?? 0),
    chunksCreated: (earlier?.chunksCreated ?? 0) + change((row) => row.chunk_count),
    documentIds,
    totalBytes: (earlier?.totalBytes ?? 0) + change((row) => row.size_bytes),
    processingMs: Math.round(elapsedMs) + (earlier?.processingMs ?? 0),
    ...(text === undefined ? {} : { text }),
    warnings: [...listRemainingWarnings(earlier, readAgain), ...warnings],
  }
}

type Counted = Pick<NewDocument, 'chunk_count' | 'size_bytes'>

function sum(rows: readonly Counted[], count: (row: Counted) => number): number {
  return rows.reduce((total, row) => total + count(row), 0)
}

/** Warnings of an earlier run, without those of the documents that were read again. */
function listRemainingWarnings(earlier: JobResult | null, readAgain: readonly Document[]): Warning[] {
  if (earlier === null || readAgain.length === 0) return earlier?.warnings ?? []
  if (earlier.members === undefined) return []
  return earlier.warnings.filter(
    ({ message }) => !readAgain.some(({ filename }) => message.startsWith(`${filename}: `)),
  )
}
