import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { SourceRunResource } from '../../api/source.ts'
import { getJob } from '../../database/jobs/jobs-table.ts'
import { getSourceItem, putSourceItem } from '../../database/jobs/source-items-table.ts'
import type { Job, Source, Tables } from '../../database/schema.ts'
import { ApiError, ERRORS, type ErrorCode } from '../../errors.ts'
import { OCR_MAX_PAGES, SOURCES } from '../../limits.ts'
import { getHintedFormat } from '../../parsers/formats.ts'
import type { Caller } from '../caller.ts'
import type { IngestService, UploadedFile } from '../ingest/ingest.ts'
import { readFields } from './source-settings.ts'

/** Content of an item to add. `fingerprint` is stored once the content is read. */
export type ItemContent = {
  file: UploadedFile
  fingerprint: string
  /** URL of a page; `null` for other items. */
  url: string | null
}

/** Jobs of large files in progress per run: the queue serves other callers, too. */
const MAX_JOBS = 4
const JOB_POLL_MS = 500

/** Errors of the run, not of the item. */
const RUN_ERRORS: ReadonlySet<string> = new Set([
  'storage_quota_exceeded',
  'memory_not_found',
  'embedding_model_pinned',
  'data_damaged',
])

/** True if a later item would fail in the same way. */
export function concernsRun(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429 || RUN_ERRORS.has(error.code)
}

/** True if reading the same content again would fail in the same way. */
function isFaultOfContent(errorCode: string | null): boolean {
  const status = errorCode !== null && errorCode in ERRORS ? ERRORS[errorCode as ErrorCode][0] : 500
  return status < 500 && status !== 429 && !RUN_ERRORS.has(errorCode ?? '')
}

/** For a full queue or a restarting store: about a minute in all. */
const MAX_RETRIES = 5
const RETRY_MS = 2000

type IngestDeps = { ingest: Pick<IngestService, 'addFile' | 'addImage'> }
type Addition = { source: Source; caller: Caller; signal: AbortSignal; key: string; content: ItemContent }

/** Adds a file or an image. `documentId` is `null` if it has no text. Waits for a full queue. */
export async function addItem(deps: IngestDeps, addition: Addition): ReturnType<typeof addOnce> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await addOnce(deps, addition)
    } catch (error) {
      const isPassing = error instanceof ApiError && (error.status === 429 || error.status === 503)
      if (!isPassing || retries === MAX_RETRIES || addition.signal.aborted) throw error
      await pause(RETRY_MS * 2 ** retries, undefined, { signal: addition.signal })
    }
  }
}

async function addOnce(
  { ingest }: IngestDeps,
  { source, caller, signal, key, content: { file, url } }: Addition,
): Promise<{ documentId: string | null; jobId: string | null }> {
  const { storeSource, tags, metadata } = readFields(source)
  const fields = { title: null, tags, metadata: { ...metadata, sourceId: source.id }, externalId: key }
  const common = { async: false, deduplicate: false, ocrMaxPages: OCR_MAX_PAGES.default, storeSource }
  const options = { ...common, enableOcr: true, embeddingModel: null }
  const work = { signal }
  const isImage = url === null && getHintedFormat(file.filename, file.declaredType)?.isImage === true
  const added = isImage
    ? await ingest.addImage(caller, source.memory_id, {
        image: file,
        options: { ...common, embeddingModel: null, mode: 'fast', languageHints: [], fields },
        work,
      })
    : await ingest.addFile(caller, source.memory_id, { file, url, fields, options, work })
  return { documentId: added.documentIds[0] ?? null, jobId: 'jobId' in added ? added.jobId : null }
}

/** A job for an item; `formerId` is the document to replace. */
type PendingJob = { key: string; jobId: string; isNew: boolean; formerId: string | null }

type JobsOf = {
  db: Kysely<Tables>
  source: Source
  signal: AbortSignal
  report: SourceRunResource
  room: { documents: number }
}

/** The jobs of a run, for large files. */
export type SourceJobs = {
  /** Resolves when a job has ended; `null` for an unknown job. */
  waitFor(jobId: string): Promise<Job | null>
  add(job: PendingJob): void
  /** Waits until another job may begin. */
  waitForRoom(): Promise<void>
  /** Waits for all jobs. A failed job is reported, and the item keeps the former document. */
  settle(): Promise<void>
}

/** Creates an empty list of jobs. */
export function createSourceJobs({ db, source, signal, report, room }: JobsOf): SourceJobs {
  const pending: PendingJob[] = []
  const scope = { organizationId: source.organization_id, memoryIds: [source.memory_id] }

  async function waitFor(jobId: string): Promise<Job | null> {
    for (;;) {
      signal.throwIfAborted()
      const job = await getJob(db, scope, jobId)
      if (job === null || job.completed_at !== null) return job
      await pause(JOB_POLL_MS, undefined, { signal })
    }
  }

  async function settleFirst(): Promise<void> {
    const [first] = pending
    if (first === undefined) return
    const job = await waitFor(first.jobId)
    pending.shift()
    if (job?.status !== 'completed' && job?.status !== 'partial') await recordFailure(first, job)
  }

  async function recordFailure({ key, isNew, formerId }: PendingJob, job: Job | null): Promise<void> {
    report[isNew ? 'added' : 'changed'] -= 1
    if (isNew) room.documents -= 1
    report.failed += 1
    const reason = job?.error ?? 'The document was deleted while it was read.'
    if (report.problems.length < SOURCES.problems) report.problems.push({ item: key, outcome: 'failed', reason })
    const found = await getSourceItem(db, { sourceId: source.id, key })
    if (found === null) return
    const { status: _, ...item } = found
    const isFinal = isFaultOfContent(job?.error_code ?? null)
    const learned = isFinal ? { problem: reason } : { fingerprint: null, problem: null }
    await putSourceItem(db, { ...item, document_id: formerId, job_id: null, ...learned })
  }

  return {
    waitFor,
    add: (job) => void pending.push(job),
    async waitForRoom() {
      while (pending.length >= MAX_JOBS) await settleFirst()
    },
    async settle() {
      while (pending.length > 0) await settleFirst()
    },
  }
}
