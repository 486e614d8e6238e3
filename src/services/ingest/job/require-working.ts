import { ApiError } from '../../../errors.ts'
import type { JobWork } from '../../jobs/job-handler.ts'

/** Throws when the work was told to stop; the worker, which gave the signal, knows what to make of it. */
export function requireWorking(work: JobWork): void {
  if (!work.signal.aborted) return
  throw new ApiError('service_unavailable', { message: `The work was stopped: ${String(work.signal.reason)}.` })
}
