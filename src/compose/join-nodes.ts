import { randomUUID } from 'node:crypto'
import { openDatabaseClock, shiftDueTimes } from '../database/database-clock.ts'
import type { Store } from '../database/store.ts'
import type { Log } from '../observability/log.ts'
import { createJobChanges, type JobChanges, shareJobChanges } from '../services/jobs/job-changes.ts'
import { createExclusiveTasks, createLocalTasks, type ExclusiveTasks } from '../services/nodes/exclusive-tasks.ts'
import { createIdempotencyService, type ManagedIdempotencyService } from '../services/nodes/idempotency-service.ts'
import { createMachineClock, createNodeRegistry } from '../services/nodes/node-registry.ts'

/** Interval of clock synchronisation with the database. */
const CLOCK_PAUSE_MS = 5000

/** Membership of this process among the processes that share its database. */
export type Node = {
  /** Identifies this process in the rows it owns. */
  owner: string
  now: () => Date
  changes: JobChanges
  tasks: ExclusiveTasks
  idempotency: ManagedIdempotencyService
  /** Processes not seen since this time have died. */
  seenSince(): string
  /** Call when all work has ended. */
  leave(): Promise<void>
}

/**
 * Registers this process. From then on, the work of dead processes may be taken over. `hasPeers`:
 * further processes may exist.
 */
export async function joinNodes(store: Store, { hasPeers, log }: { hasPeers: boolean; log: Log }): Promise<Node> {
  const { db } = store
  const owner = randomUUID()
  const { now, stop: stopClock } = await openClock(store, log)
  const idempotency = createIdempotencyService({ db, now, owner })
  const registry = createNodeRegistry({
    db,
    id: owner,
    now,
    isOnly: !hasPeers,
    log,
    onHeartbeat: () => idempotency.releaseStale(registry.seenSince()),
  })
  await registry.start()
  await idempotency.releaseStale(registry.seenSince())
  const { changes, close } = await openJobChanges(store, { hasPeers, owner, log })
  return {
    owner,
    now,
    changes,
    tasks: hasPeers ? createExclusiveTasks({ db, owner, now, log }) : createLocalTasks(),
    idempotency,
    seenSince: registry.seenSince,
    async leave() {
      stopClock()
      await close()
      await registry.stop()
    },
  }
}

/** The time that all processes on a database agree on, synchronised until stopped. */
async function openClock({ db, dialect }: Store, log: Log): Promise<{ now: () => Date; stop: () => void }> {
  const clock =
    dialect === 'postgres'
      ? await openDatabaseClock(db)
      : createMachineClock({ shiftDueTimes: (byMs) => shiftDueTimes(db, byMs), log })
  const late = (err: unknown) => log.warn({ err }, 'the clock could not be followed')
  // A failing start must be able to exit.
  const following = setInterval(() => void clock.sync().catch(late), CLOCK_PAUSE_MS).unref()
  return { now: clock.now, stop: () => clearInterval(following) }
}

type OpenedJobChanges = { changes: JobChanges; close(): Promise<void> }

async function openJobChanges(
  { db, connection }: Store,
  { hasPeers, owner, log }: { hasPeers: boolean; owner: string; log: Log },
): Promise<OpenedJobChanges> {
  const local = createJobChanges()
  if (!hasPeers || connection === null) return { changes: local, close: async () => {} }
  const { openNotices } = await import('../database/postgres/notices.ts')
  const changes = shareJobChanges(local, { owner, carrier: () => notices })
  const notices = openNotices({ db, connection, receive: changes.hear, log })
  return { changes, close: notices.close }
}
