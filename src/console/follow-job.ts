import { ConnectionError } from '../client/client-errors.ts'
import type { Job } from '../client/resources.ts'
import { formatCount } from './format.ts'
import { client } from './session.ts'

const LOOK_AGAIN_MS = 2000

/**
 * Waits for the end of a job, even across a restart of the service. Rejects with the signal's
 * reason.
 */
export async function followJob(jobId: string, onProgress: (job: Job) => void, signal?: AbortSignal): Promise<Job> {
  for (;;) {
    try {
      return await client.value.jobs.wait(jobId, { onProgress, signal })
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    }
  }
}

/** Jobs that run, and jobs that wait. */
export type Queue = { running: number; waiting: number }

/** Counts the jobs of the queue. */
export async function readQueue(signal: AbortSignal): Promise<Queue> {
  const count = async (status: 'processing' | 'pending') =>
    (await client.value.jobs.listPage({ status, limit: 1 }, { signal })).total
  const [running, waiting] = await Promise.all([count('processing'), count('pending')])
  return { running, waiting }
}

/** Describes the queue: "1 running, 20 waiting". */
export function describeQueue({ running, waiting }: Queue): string {
  return `${formatCount(running)} running, ${formatCount(waiting)} waiting`
}

/** Returns whether a job or document is pending or processing. */
export function isRunning({ status }: { status: string }): boolean {
  return status === 'pending' || status === 'processing'
}
