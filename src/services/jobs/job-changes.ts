/** Change of a job: queued, row changed, or stop requested. */
export type JobChange = { jobId: string; kind: 'queued' | 'changed' | 'stop-asked' }

/**
 * Notifier within a process. Only an optimisation: subscribers also poll, because of other
 * processes.
 */
export type JobChanges = {
  /** Call after the commit of the change; never throws. */
  publish(change: JobChange): void
  /**
   * Subscribes to changes of one job, or of all jobs for `null`; returns the unsubscribe function.
   * Listeners must not throw.
   */
  subscribe(jobId: string | null, listener: (change: JobChange) => void): () => void
}

/** Calls listeners synchronously in the order of their subscription. */
export function createJobChanges(): JobChanges {
  const listeners = new Map<string | null, Set<(change: JobChange) => void>>()

  return {
    publish(change) {
      for (const key of [change.jobId, null]) {
        for (const listener of [...(listeners.get(key) ?? [])]) listener(change)
      }
    },
    subscribe(jobId, listener) {
      const own = (change: JobChange) => listener(change)
      const subscribed = listeners.get(jobId) ?? new Set()
      listeners.set(jobId, subscribed.add(own))
      return () => {
        subscribed.delete(own)
        // After the set was emptied, another subscriber may have replaced the set.
        if (subscribed.size === 0 && listeners.get(jobId) === subscribed) listeners.delete(jobId)
      }
    },
  }
}

/** Sends messages to the other processes. */
type Transport = { send(text: string): void }

/**
 * Shares changes that matter to other processes: a job is queued or has to stop. Pass incoming
 * messages to `hear`, which ignores messages sent by this process (`owner`).
 */
export function shareJobChanges(
  changes: JobChanges,
  { owner, carrier }: { owner: string; carrier: () => Transport },
): JobChanges & { hear(text: string): void } {
  return {
    subscribe: changes.subscribe,
    publish(change) {
      changes.publish(change)
      // Workers poll the whole queue, so a single message is enough for any number of jobs.
      if (change.kind === 'queued') carrier().send(JSON.stringify({ from: owner, kind: 'queued', jobId: '' }))
      if (change.kind === 'stop-asked') carrier().send(JSON.stringify({ from: owner, ...change }))
    },
    hear(text) {
      const { from, jobId, kind } = JSON.parse(text) as JobChange & { from: string }
      if (from !== owner) changes.publish({ jobId, kind })
    },
  }
}
