import { listDocumentsOfJob } from '../../../database/memories/document-writes.ts'
import { listMissingDocuments } from '../../../database/memories/documents-table.ts'
import type { Document } from '../../../database/schema.ts'
import { ApiError } from '../../../errors.ts'
import { pluralize } from '../../../text/pluralize.ts'
import { type JobWork, removeChunksOfJob, requireWorking } from '../../jobs/job-handler.ts'
import type { JobDeps } from '../ingest-deps.ts'
import { createEarlierTexts } from '../storing/duplicates.ts'
import { type MissingPart, nameInWarnings } from '../storing/missing-part.ts'
import { type ChunkBuffer, createChunkBuffer } from './chunk-writers.ts'
import { finishIngestion, type IngestionOutcome } from './finish-ingestion.ts'
import { readUpload, type UploadToRead } from './ingest-file.ts'
import type { FileToIngest, IngestionPayload, ZipToIngest } from './ingestion-payload.ts'

type ZipPayload = IngestionPayload & { zip: ZipToIngest }

/**
 * Ingests the members of an archive one after the other, and publishes all of them in the
 * transaction that ends the job. Unreadable members become failed documents, and the job ends
 * `partial`. It fails if no member can be read.
 */
export async function ingestZip(deps: JobDeps, work: JobWork, payload: ZipPayload): Promise<void> {
  const started = performance.now()
  const rows = await listDocumentsOfJob(deps.db, work.job.id)
  // A retry may find nothing to read again: some members have no documents.
  if (rows.length === 0 && work.job.result === null)
    throw new ApiError('document_not_found', { message: 'The documents were deleted.' })
  const outcomes: MemberOutcome[] = []
  const earlier = createEarlierTexts()
  const chunks = createChunkBuffer(deps)
  for (const [place, row] of rows.entries()) {
    requireWorking(work)
    const file = toFile(row, payload.zip)
    const upload = { row, payload: { ...payload, file }, file, takenBytes: sumTakenBytes(outcomes), earlier }
    const read = { ...upload, chunks }
    outcomes.push(await readMember(deps, reportingMember(work, { place, count: rows.length }), read))
  }
  requireWorking(work)
  await chunks.flush(work.job.memory_id)
  const outcome = joinOutcomes(outcomes, payload.zip.members.length)
  await finishIngestion(deps, work, { payload, outcome: { ...outcome, elapsedMs: performance.now() - started } })
}

function toFile(row: Document, { types, recognition }: ZipToIngest): FileToIngest {
  const type = types[row.id]
  if (type === undefined) throw new Error(`the type of ${row.id} is not in the payload of its job`)
  return { bytes: row.size_bytes, filename: row.filename, declaredType: null, type, recognition }
}

/** Reports the progress of a member as that of the job. */
function reportingMember(work: JobWork, { place, count }: { place: number; count: number }): JobWork {
  return {
    ...work,
    report: (percent, message) =>
      work.report((100 * place + percent) / count, `file ${place + 1} of ${count}: ${message}`),
  }
}

type MemberOutcome = Omit<IngestionOutcome, 'elapsedMs' | 'failed'> & { failed: { row: Document; error: string }[] }

async function readMember(
  deps: JobDeps,
  work: JobWork,
  { chunks, ...upload }: UploadToRead & { chunks: ChunkBuffer },
): Promise<MemberOutcome> {
  const { row, payload } = upload
  // Small members share a write. The chunks of a live document are replaced immediately.
  const memoryFile = row.status === 'partial' ? deps.memoryFile : { ...deps.memoryFile, add: chunks.write }
  try {
    const outcome = await readUpload({ ...deps, memoryFile }, work, upload)
    const warnings = nameInWarnings(outcome.warnings, payload.documentIds.length, row)
    return { ...outcome, warnings, tooLarge: [], failed: [] }
  } catch (error) {
    if (!isOfMember(error) || work.signal.aborted) throw error
    // The document is not published, but the others are, and chunks may have been written.
    chunks.drop(row.id)
    await deps.settled()
    if (row.status !== 'partial') await removeChunksOfJob(deps, work, [row.id])
    const isDeleted = (await listMissingDocuments(deps.db, [row.id])).length > 0
    if (isDeleted) return NOTHING
    if (error.code === 'storage_quota_exceeded') return { ...NOTHING, tooLarge: [row] }
    return { ...NOTHING, failed: [{ row, error: error.message }] }
  }
}

/** True for an error of one file, which says nothing about the others. */
function isOfMember(error: unknown): error is ApiError {
  return error instanceof ApiError && ['unprocessable_document', 'storage_quota_exceeded'].includes(error.code)
}

const NOTHING: MemberOutcome = {
  published: [],
  readAgain: [],
  duplicates: [],
  withoutText: [],
  leftOutPages: 0,
  tooLarge: [],
  missing: [],
  warnings: [],
  failed: [],
}

/** Storage of the documents to publish, beyond what they take already. */
function sumTakenBytes(outcomes: readonly MemberOutcome[]): number {
  return outcomes.reduce((total, { published, readAgain }) => {
    const added = published.reduce((sum, { row }) => sum + row.storage_bytes, 0)
    return total + added - readAgain.reduce((sum, row) => sum + row.storage_bytes, 0)
  }, 0)
}

function joinOutcomes(outcomes: readonly MemberOutcome[], members: number): MemberOutcome {
  return {
    published: outcomes.flatMap(({ published }) => published),
    readAgain: outcomes.flatMap(({ readAgain }) => readAgain),
    duplicates: outcomes.flatMap(({ duplicates }) => duplicates),
    withoutText: [],
    leftOutPages: outcomes.reduce((total, { leftOutPages }) => total + leftOutPages, 0),
    tooLarge: outcomes.flatMap(({ tooLarge }) => tooLarge),
    missing: joinMissing(outcomes, members),
    warnings: outcomes.flatMap(({ warnings }) => warnings),
    failed: outcomes.flatMap(({ failed }) => failed),
  }
}

/** One sentence for all incomplete members; their documents give the details. */
function joinMissing(outcomes: readonly MemberOutcome[], members: number): MissingPart[] {
  const incomplete = outcomes.flatMap(({ missing }) => (missing.length === 0 ? [] : [missing]))
  if (incomplete.length === 0) return []
  const message = `Incomplete: ${incomplete.length} of ${pluralize(members, 'member')}, see result.members.`
  return [{ error: message, message, code: incomplete.flat().find(({ code }) => code !== null)?.code ?? null }]
}
