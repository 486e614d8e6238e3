import type { JobResource, JobResult } from '../../api/job.ts'
import type { Job } from '../../database/schema.ts'
import { limitWarnings } from '../paging.ts'
import { IMPORT_JOB } from './job-handler.ts'

/** Message of a running job after a cancellation request. */
const STOPPING = 'cancellation requested: the job ends when its current model call or disk write is done'

/**
 * The API resource of a job. `result` is present for completed and partial jobs, `error` for failed
 * ones (API document, "Job"); values of earlier runs are hidden.
 */
export function toJobResource(job: Job): JobResource {
  const hasResult = job.result !== null && (job.status === 'completed' || job.status === 'partial')
  const failed = job.status === 'failed'
  const isStopping = job.cancel_requested > 0 && !hasEnded(job)
  return {
    id: job.id,
    memoryId: hasMemory(job) ? job.memory_id : null,
    jobType: job.job_type,
    status: job.status,
    progress: job.progress,
    message: isStopping ? STOPPING : job.message,
    ...(hasResult ? { result: readResult(job.result) } : {}),
    ...(failed ? { error: job.error ?? 'the job failed' } : {}),
    errorCode: job.error_code,
    isPartial: job.is_partial === 1,
    attempts: job.attempts,
    createdAt: job.created_at,
    startedAt: job.started_at,
    completedAt: job.completed_at,
  }
}

function readResult(stored: string | null): JobResult {
  const result = JSON.parse(stored ?? '') as JobResult
  // Results of imports have no warnings.
  return result.warnings === undefined ? result : { ...result, warnings: limitWarnings(result.warnings) }
}

/** Until completion, an import has the staging id of its archive, which never becomes a memory. */
function hasMemory({ job_type, status }: Job): boolean {
  return job_type !== IMPORT_JOB || status === 'completed'
}

/** True when only a retry can change the job. */
export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'partial'
}
