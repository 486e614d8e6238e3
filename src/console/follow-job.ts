import { ConnectionError } from '../client/client-errors.ts'
import type { Job } from '../client/resources.ts'
import { client } from './session.ts'

const LOOK_AGAIN_MS = 2000

/** The job when it has ended. It outlives a service that stops, so the wait for it does as well. Rejects with the signal's reason. */
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

/** True for a job, or a document, that waits or is at work. */
export function isRunning({ status }: { status: string }): boolean {
  return status === 'pending' || status === 'processing'
}
