import type { JobResource } from '../../api/job.ts'
import { createBell } from '../scheduling/bell.ts'
import type { JobChanges } from './job-changes.ts'
import { hasEnded } from './job-resource.ts'

/** What is watched, and how: `pollMs` between two looks when this process tells of no change. */
export type Watching = {
  jobId: string
  read: () => Promise<JobResource>
  changes: Pick<JobChanges, 'subscribe'>
  pollMs: number
  signal: AbortSignal
}

/**
 * The present state, also when `signal` has fired before, then every other one that is seen; states that came and went
 * between two looks are left out. Ends after the state in which the job ended, and when `signal` fires.
 */
export async function* watchJob({ jobId, read, changes, pollMs, signal }: Watching): AsyncGenerator<JobResource, void> {
  const bell = createBell()
  // Before the first look, so that no change falls between look and subscription.
  const unsubscribe = changes.subscribe(jobId, bell.ring)
  signal.addEventListener('abort', bell.ring)
  try {
    let shown = ''
    do {
      const job = await read()
      const state = JSON.stringify(job)
      if (state !== shown) yield job
      shown = state
      if (hasEnded(job)) return
      if (!signal.aborted) await bell.wait(pollMs)
    } while (!signal.aborted)
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', bell.ring)
  }
}
