/**
 * What became of a job: it waits for a worker, its row changed, or its worker is to look at it at
 * once.
 */
export type JobChange = { jobId: string; kind: 'queued' | 'changed' | 'stop-asked' }

/**
 * The notifier of one process. It is a short cut only: who depends on a change also polls, for
 * other processes' sake.
 */
export type JobChanges = {
  /** To be called after the commit that made the change; never throws. */
  publish(change: JobChange): void
  /**
   * Hears every change of one job, or of all where `jobId` is `null`, until the function it returns
   * is called. Listeners must not throw.
   */
  subscribe(jobId: string | null, listener: (change: JobChange) => void): () => void
}

/** Makes a notifier. Listeners are called synchronously, in the order in which they subscribed. */
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
        // A set that was emptied before may have been replaced by another subscriber's.
        if (subscribed.size === 0 && listeners.get(jobId) === subscribed) listeners.delete(jobId)
      }
    },
  }
}

/** What carries texts between processes. */
type Carrier = { send(text: string): void }

/**
 * Changes that other processes hear, too, as far as somebody there acts on them at once: that a job
 * waits, or is to stop. `hear` takes what was carried here; what this process (`owner`) sent itself
 * it heard before.
 */
export function shareJobChanges(
  changes: JobChanges,
  { owner, carrier }: { owner: string; carrier: () => Carrier },
): JobChanges & { hear(text: string): void } {
  return {
    subscribe: changes.subscribe,
    publish(change) {
      changes.publish(change)
      // Workers look through the whole queue, so of many that were queued one is enough.
      if (change.kind === 'queued') carrier().send(JSON.stringify({ from: owner, kind: 'queued', jobId: '' }))
      if (change.kind === 'stop-asked') carrier().send(JSON.stringify({ from: owner, ...change }))
    },
    hear(text) {
      const { from, jobId, kind } = JSON.parse(text) as JobChange & { from: string }
      if (from !== owner) changes.publish({ jobId, kind })
    },
  }
}
