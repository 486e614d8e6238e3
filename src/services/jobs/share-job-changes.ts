import type { JobChange, JobChanges } from './job-changes.ts'

/** What carries texts between processes. */
export type Carrier = { send(text: string): void }

/**
 * Changes that other processes hear, too, as far as somebody there acts on them at once: that a job waits, or is to stop.
 * `hear` takes what was carried here; what this process (`owner`) sent itself it heard before.
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
