import { availableParallelism } from 'node:os'
import type { Config } from '../config.ts'
import { clampDueTimes } from '../database/database-clock.ts'
import { getJobState } from '../database/inventory-counts.ts'
import { clampSourceTimes } from '../database/jobs/sources-table.ts'
import { purgeRateWindows } from '../database/process-tables.ts'
import { MAX_JITTERED_PAUSE_MS } from '../jobs/back-off.ts'
import { createHousekeeping, type Housekeeping } from '../jobs/housekeeping.ts'
import { type CheckedWorker, chooseConcurrency, createWorker, type Worker } from '../jobs/worker.ts'
import type { WorkContext } from '../observability/log.ts'
import { tracedHandlers } from '../observability/tracing/with-spans.ts'
import { maintainUsage } from '../services/account/usage-service.ts'
import { sweepCorrections } from '../services/corrections/corrections-service.ts'
import { createOrphanSweep } from '../services/deletion/sweep-orphans.ts'
import { createTermsRenewal } from '../services/doctor/renew-terms.ts'
import { retryDiscards, sweepIntents } from '../services/ingest/storing/discard-documents.ts'
import type { JobHandlers } from '../services/jobs/job-handler.ts'
import { LEASE_MS } from '../services/nodes/exclusive-tasks.ts'
import type { Node } from './join-nodes.ts'
import { readMemoryBytes } from './open-files.ts'
import type { SharedDeps } from './open-parts.ts'
import type { Sources } from './open-sources.ts'
import type { Webhooks } from './open-webhooks.ts'

const HOUSEKEEPING_PAUSE_MS = 60_000
/**
 * An add has ended by then: requests end after at most 10 minutes. Any later add is rejected at its
 * commit.
 */
const INTENT_OVER_MS = 15 * 60_000

/** Work without a request: jobs, webhook deliveries, runs of sources and housekeeping. */
export type BackgroundWork = { worker: CheckedWorker; housekeeping: Housekeeping }

/** Dependencies of the background work. */
export type BackgroundDeps = {
  parts: SharedDeps
  node: Node
  webhooks: Webhooks
  sources: Sources
  handlers: JobHandlers
  context: WorkContext
}

/** Creates the background work; nothing runs before it is started. */
export function openBackgroundWork(
  config: Config,
  { parts, node, webhooks, sources, handlers, context }: BackgroundDeps,
): BackgroundWork {
  const { db, log, now, changes, meters, tracing } = parts
  const ended = async ({ id, job_type: type }: { id: string; job_type: string }, seconds: number) =>
    meters.jobEnded({ type, outcome: (await getJobState(db, id)) ?? 'deleted', seconds })
  const worker = createWorker({
    db,
    handlers: tracedHandlers(tracing, handlers),
    changes,
    log,
    now,
    ended,
    within: context.within,
    isOnly: !config.hasPeers,
    concurrency: countJobsAtOnce(config),
  })
  const ending = new AbortController()
  const rounds = createHousekeeping({
    tasks: listTasks(config, parts, { node, webhooks, ending: ending.signal }),
    pauseMs: HOUSEKEEPING_PAUSE_MS,
    log,
  })
  const stop = () => {
    ending.abort()
    return rounds.stop()
  }
  const housekeeping = { ...rounds, stop }
  return { worker: { ...together(worker, webhooks.sender, sources.runner), check: worker.check }, housekeeping }
}

/** Combines the job worker, the webhook sender and the runs of sources. */
function together(...workers: readonly Worker[]): Worker {
  return {
    start() {
      for (const worker of workers) worker.start()
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

function countJobsAtOnce({ role }: Config): number {
  const means = { cores: availableParallelism(), memoryBytes: readMemoryBytes() }
  return chooseConcurrency({ ...means, servesRequests: role !== 'worker' })
}

type TaskDeps = { node: Node; webhooks: Webhooks; ending: AbortSignal }

/** Housekeeping of every process, and of one process for all. */
function listTasks({ role }: Config, deps: SharedDeps, { node, webhooks, ending }: TaskDeps) {
  const { tasks, idempotency, seenSince } = node
  const { db, storage, maintenance, removals, runs, now } = deps
  const own = { memoryFiles: async () => maintenance.rescheduleAll(), failedAdds: () => retryDiscards(deps) }
  if (role === 'api') return own
  // First: deletions wait for attempts that have not ended.
  const jobRuns = () => runs.sweep(seenSince())
  const renewTerms = createTermsRenewal(deps)
  const begunBefore = () => new Date(now().getTime() - INTENT_OVER_MS)
  const shared = {
    removals: removals.sweep,
    intents: () => sweepIntents(deps, { seenSince: seenSince(), begunBefore: begunBefore() }),
    idempotency: idempotency.purge,
    corrections: () => sweepCorrections(deps),
    changedDocuments: deps.chunkRefresh.sweep,
    forgotten: createOrphanSweep({ ...deps, checkDatabase: () => deps.checkDatabase('whole', ending) }),
    uploads: storage.sweep,
    rateWindows: () => purgeRateWindows(db, now()),
    usage: () => maintainUsage(db, now()),
    webhooks: webhooks.tend,
    clock: () => clampDueTimes(db, { now: now(), turnMs: MAX_JITTERED_PAUSE_MS, leaseMs: LEASE_MS }),
    sources: () => clampSourceTimes(db, { now: now(), leaseMs: LEASE_MS }),
    // Last: may take as long as reading all stored data.
    terms: () => renewTerms(ending),
  }
  const exclusive = Object.entries(shared).map(([name, task]) => [name, () => tasks.run(name, task)])
  return { jobRuns, ...own, ...Object.fromEntries(exclusive) } as Record<string, () => Promise<unknown>>
}
