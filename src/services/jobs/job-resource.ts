import type { JobResource, JobResult } from '../../api/job.ts'
import type { Job } from '../../database/schema.ts'
import { limitWarnings } from '../warning.ts'
import { IMPORT_JOB } from './job-handler.ts'

/** What a job is at from the moment in which it was asked to stop. */
const STOPPING = 'cancellation requested: it ends as soon as what is on its way to a model or the disk is back'

/**
 * A job as callers see it. `result` is there when the job ended with one (completed or partial),
 * `error` when it failed (API document, "Job"); what an earlier run left in the row is not shown.
 */
export function toJobResource(job: Job): JobResource {
  const hasResult = job.result !== null && (job.status === 'completed' || job.status === 'partial')
  const failed = job.status === 'failed'
  const isStopping = job.cancel_requested === 1 && !hasEnded(job)
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
  // That of an import has none.
  return result.warnings === undefined ? result : { ...result, warnings: limitWarnings(result.warnings) }
}

/**
 * Until it is completed, an import names the place where its archive waits, which never becomes a
 * memory.
 */
function hasMemory({ job_type, status }: Job): boolean {
  return job_type !== IMPORT_JOB || status === 'completed'
}

/** True once nothing but a retry will change the job. */
export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'partial'
}
