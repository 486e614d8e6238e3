/** The jobs of an organization: what is done behind an answer. */

import type { Caller } from '../caller.ts'
import type { Keep } from '../keep.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Warning } from '../warning.ts'

export type JobsService = {
  list(
    caller: Caller,
    filter: { status: JobStatus | null; memoryId: string | null },
    page: PageRequest,
  ): Promise<Page<'jobs', JobResource>>
  get(caller: Caller, jobId: string): Promise<JobResource>
  /** Resolves when the job has ended, `waitMs` have passed or `signal` fires. */
  wait(caller: Caller, jobId: string, waitMs: number, signal: AbortSignal): Promise<JobResource>
  /** Every change of the job, the present state first; ends after the state in which the job ended. */
  watch(caller: Caller, jobId: string, signal: AbortSignal): AsyncIterable<JobResource>
  cancel(caller: Caller, jobId: string): Promise<JobResource>
  retry(caller: Caller, jobId: string, keep?: Keep<JobResource>): Promise<JobResource>
}

export type JobStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'partial'

/** What was added and left out; `warnings` say what a caller should know of it. */
export type JobResult = {
  documentsAdded: number
  documentsSkipped: number
  chunksCreated: number
  documentIds: string[]
  totalBytes: number
  processingMs: number
  warnings: Warning[]
}

/** `result` and `error` are present only when the API document says so. */
export type JobResource = {
  id: string
  /** `null` of an import that has not made its memory, or never did. */
  memoryId: string | null
  jobType: string
  status: JobStatus
  progress: number
  message: string
  result?: JobResult
  error?: string
  errorCode: string | null
  isPartial: boolean
  attempts: number
  createdAt: string
  startedAt: string | null
  completedAt: string | null
}
