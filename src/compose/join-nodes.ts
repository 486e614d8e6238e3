import { randomUUID } from 'node:crypto'
import type { Log } from '../log.ts'
import { createExclusiveTasks, createOwnTasks, type ExclusiveTasks } from '../service/exclusive-tasks.ts'
import { createIdempotencyService, type IdempotencyKeeper } from '../service/idempotency-service.ts'
import { createJobChanges, type JobChanges } from '../service/job-changes.ts'
import { createNodeRegistry } from '../service/node-registry.ts'
import { shareJobChanges } from '../service/share-job-changes.ts'
import { openDatabaseClock } from '../store/database-clock.ts'
import { openNotices } from '../store/notices.ts'
import type { Store } from '../store/store.ts'

/** This process among those that share its database: what they have to agree on, alone or with others. */
export type Node = {
  /** Names this process in what it begins. */
  owner: string
  now: () => Date
  changes: JobChanges
  tasks: ExclusiveTasks
  idempotency: IdempotencyKeeper
  /** Processes silent since then are gone. */
  seenSince(): string
  /** To be called when nothing is done any more. */
  leave(): Promise<void>
}

/** Joins them; what was begun by processes that are gone may be taken up from then on. `hasPeers`: there may be others. */
export async function joinNodes(store: Store, { hasPeers, log }: { hasPeers: boolean; log: Log }): Promise<Node> {
  const { db } = store
  const owner = randomUUID()
  const clock = store.dialect === 'postgres' ? await openDatabaseClock(db) : null
  const now = clock?.now ?? (() => new Date())
  const idempotency = createIdempotencyService({ db, now, owner })
  const registry = createNodeRegistry({
    db,
    id: owner,
    now,
    isOnly: !hasPeers,
    log,
    async atBeat() {
      await clock?.sync()
      await idempotency.clearStale(registry.seenSince())
    },
  })
  await registry.start()
  await idempotency.clearStale(registry.seenSince())
  const { changes, close } = openChanges(store, { hasPeers, owner, log })
  return {
    owner,
    now,
    changes,
    tasks: hasPeers ? createExclusiveTasks({ db, owner, now, log }) : createOwnTasks(),
    idempotency,
    seenSince: registry.seenSince,
    async leave() {
      await close()
      await registry.stop()
    },
  }
}

type Changes = { changes: JobChanges; close(): Promise<void> }

function openChanges(
  { db, connection }: Store,
  { hasPeers, owner, log }: { hasPeers: boolean; owner: string; log: Log },
): Changes {
  const local = createJobChanges()
  if (!hasPeers || connection === null) return { changes: local, close: async () => {} }
  const changes = shareJobChanges(local, { owner, carrier: () => notices })
  const notices = openNotices({ db, connection, hear: changes.hear, log })
  return { changes, close: notices.close }
}
