import type { Job } from '../store/schema.ts'
import type { JobResource, JobResult } from './resources.ts'

/**
 * A job as callers see it. `result` is there when the job ended with one (completed or partial), `error` when it failed
 * (API document, "Job"); what an earlier run left in the row is not shown.
 */
export function toJobResource(job: Job): JobResource {
  const hasResult = job.result !== null && (job.status === 'completed' || job.status === 'partial')
  const failed = job.status === 'failed'
  return {
    id: job.id,
    memoryId: job.memory_id,
    jobType: job.job_type,
    status: job.status,
    progress: job.progress,
    message: job.message,
    ...(hasResult ? { result: JSON.parse(job.result ?? '') as JobResult } : {}),
    ...(failed ? { error: job.error ?? 'the job failed' } : {}),
    errorCode: job.error_code,
    isPartial: job.is_partial === 1,
    attempts: job.attempts,
    createdAt: job.created_at,
    startedAt: job.started_at,
    completedAt: job.completed_at,
  }
}

/** True once nothing but a retry will change the job. */
export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'partial'
}
