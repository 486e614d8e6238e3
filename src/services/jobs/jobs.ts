/** The jobs of an organization: what is done behind an answer. */

import type { JobResource, JobStatus } from '../../api/job.ts'
import type { Caller } from '../caller.ts'
import type { Keep } from '../keep.ts'
import type { Page, PageRequest } from '../page.ts'

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
