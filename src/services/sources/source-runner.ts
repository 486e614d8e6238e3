import { randomUUID } from 'node:crypto'
import type { SourceRunResource } from '../../api/source.ts'
import { createSignal } from '../../concurrency/signal.ts'
import { countSourceDocuments } from '../../database/jobs/source-items-table.ts'
import {
  claimSource,
  type RunEnd,
  releaseAllSources,
  releaseSource,
  renewSourceLease,
  type SourceLease,
} from '../../database/jobs/sources-table.ts'
import type { Source } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { SOURCES } from '../../limits.ts'
import type { Log } from '../../observability/log.ts'
import { pluralize } from '../../text/pluralize.ts'
import { requirePlan } from '../account/account-checks.ts'
import type { Caller } from '../caller.ts'
import { newReport, SourceRun, type SourceRunDeps } from './source-run.ts'

/**
 * Runs due sources. The row of a source is also the lock: a run holds a lease, and renews the lease
 * while working. `next_run_at` changes only when a run ends. After a crash the lease expires, the
 * source is due as before, and any process repeats the run. Items of the first attempt are
 * unchanged then. Runs are no jobs: a website takes hours, mostly of waiting, and would block the
 * few places of jobs.
 */
export type SourceRunner = {
  start(): void
  /** Stops the runs, which another process or the next start repeats. Never rejects. */
  stop(): Promise<void>
}

/** Reads all items of a source into a run. Rejects if the source as a whole cannot be read. */
export type ReadSource = (source: Source, run: SourceRun) => Promise<void>

/** `isOnly`: no other process uses this database, so all leases at startup are expired. */
type RunnerDeps = SourceRunDeps & {
  read: ReadSource
  log: Log
  isOnly: boolean
  leaseMs?: number
  heartbeatMs?: number
  pollMs?: number
}

/** Our choice: runs wait most of their time, for websites or for parsers. */
const MAX_RUNS = 2
const TIMES = { leaseMs: 30_000, heartbeatMs: 2000, pollMs: 1000 }
/** Attempts of a run that the service cannot finish, with growing pauses. */
const MAX_ATTEMPTS = 3
const RETRY_MS = 60_000

/** Why a run was ended before its end. */
type Stop = 'paused' | 'lost' | 'shutdown' | 'time'

/** Creates the runner, which polls for due sources between `start` and `stop`. */
export function createSourceRunner(given: RunnerDeps): SourceRunner {
  const deps = { ...TIMES, ...given }
  const { db, log, now, isOnly } = deps
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const bell = createSignal()
  let loop: Promise<void> | null = null

  async function work(): Promise<void> {
    let isFirst = isOnly
    while (!stopping.signal.aborted) {
      try {
        if (isFirst) await releaseAllSources(db)
        isFirst = false
        await fill()
      } catch (err) {
        log.error({ err }, 'due sources could not be read')
      }
      await bell.wait(deps.pollMs)
    }
  }

  async function fill(): Promise<void> {
    while (!stopping.signal.aborted && running.size < MAX_RUNS) {
      const source = await claimSource(db, { token: randomUUID(), leaseMs: deps.leaseMs, now: now() })
      if (source === null) return
      const run = runSource(deps, source, stopping.signal).catch((err: unknown) => {
        // The lease expires, and the run is repeated.
        log.error({ err, sourceId: source.id }, 'the end of a run could not be stored')
      })
      running.add(run)
      void run.then(() => {
        running.delete(run)
        bell.notify()
      })
    }
  }

  return {
    start() {
      loop ??= work()
    },
    async stop() {
      stopping.abort()
      bell.notify()
      await loop
      await Promise.all(running)
    },
  }
}

type Settings = RunnerDeps & typeof TIMES

async function runSource(deps: Settings, source: Source, shutdown: AbortSignal): Promise<void> {
  const { log, now } = deps
  const lease = { sourceId: source.id, token: source.lease_token ?? '' }
  const facts = { sourceId: source.id, sourceType: source.type, attempt: source.attempts }
  if (source.attempts > MAX_ATTEMPTS) {
    const report = newReport(now())
    return void (await settle(deps, { source, lease, report: end(report, deps, { reason: INTERRUPTED }) }))
  }
  const stop = new AbortController()
  const endBy = (reason: Stop) => stop.abort(reason)
  const onShutdown = () => endBy('shutdown')
  shutdown.addEventListener('abort', onShutdown, { once: true })
  // The stop may have come between the claim and the answer of the database.
  if (shutdown.aborted) onShutdown()
  const report = newReport(now())
  const beat = keepLease(deps, { lease, report, endBy })
  const late = setTimeout(endBy, SOURCES.runMs, 'time' satisfies Stop)
  log.info(facts, 'run of a source started')
  try {
    const ended = await attempt(deps, { source, report, signal: stop.signal })
    await settle(deps, { source, lease, ...ended })
    log.info({ ...facts, outcome: ended.report?.outcome ?? stop.signal.reason }, 'run of a source ended')
  } finally {
    clearInterval(beat)
    clearTimeout(late)
    shutdown.removeEventListener('abort', onShutdown)
  }
}

const INTERRUPTED = `The run was interrupted ${MAX_ATTEMPTS} times by the end of the service.`

/** Renews the lease of a run until its timer is cleared, and ends a run without lease. */
function keepLease(
  deps: Settings,
  { lease, report, endBy }: { lease: SourceLease; report: SourceRunResource; endBy: (reason: Stop) => void },
): NodeJS.Timeout {
  let renewedMs = performance.now()
  const renew = async () => {
    const startedMs = performance.now()
    const expiresAt = new Date(deps.now().getTime() + deps.leaseMs)
    const state = await renewSourceLease(deps.db, lease, { expiresAt, currentRun: JSON.stringify(report) })
    if (state === 'held') renewedMs = startedMs
    else endBy(state)
  }
  return setInterval(() => {
    // Another process takes over from now on.
    if (performance.now() - renewedMs > deps.leaseMs) endBy('lost')
    renew().catch((err: unknown) => deps.log.warn({ err, ...lease }, 'the lease of a source could not be renewed'))
  }, deps.heartbeatMs)
}

type Ended = { report: SourceRunResource | null; retryAt?: Date; isShutdown?: boolean; isPaused?: boolean }

/** Runs once. `report` is `null` if the run is to be repeated, or if it is not ours any more. */
async function attempt(
  deps: Settings,
  { source, report, signal }: { source: Source; report: SourceRunResource; signal: AbortSignal },
): Promise<Ended> {
  try {
    const caller = await toCaller(deps, source)
    const documents = (await countSourceDocuments(deps.db, [source.id])).get(source.id) ?? 0
    await deps.read(source, new SourceRun(deps, { source, caller, signal, report, documents }))
    return { report: end(report, deps, {}) }
  } catch (error) {
    if (signal.aborted) return whenStopped(deps, report, signal.reason as Stop)
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
      if (error.code === 'source_not_found') return { report: null }
      return { report: end(report, deps, { reason: error.message }) }
    }
    deps.log.warn({ err: error, sourceId: source.id }, 'run of a source failed')
    if (source.attempts >= MAX_ATTEMPTS)
      return { report: end(report, deps, { reason: 'The service could not finish the run; its log has the cause.' }) }
    return { report: null, retryAt: new Date(deps.now().getTime() + RETRY_MS * source.attempts) }
  }
}

function whenStopped(deps: Settings, report: SourceRunResource, reason: Stop): Ended {
  if (reason === 'shutdown') return { report: null, isShutdown: true }
  if (reason === 'lost') return { report: null }
  if (reason === 'time') {
    const hours = SOURCES.runMs / 3600_000
    return { report: end(report, deps, { reason: `The run took longer than ${hours} hours. The next run continues.` }) }
  }
  const stopped = { ...end(report, deps, { reason: 'The source was paused.' }), outcome: 'stopped' as const }
  return { report: stopped, isPaused: true }
}

async function toCaller({ db }: Settings, { organization_id: organizationId }: Source): Promise<Caller> {
  const planId = await requirePlan(db, organizationId)
  return { organizationId, keyId: null, keyName: null, scope: 'organization', role: 'writer', memoryIds: null, planId }
}

/** The report of an ended run; with a reason, it has failed. */
function end(report: SourceRunResource, { now }: Settings, { reason }: { reason?: string }): SourceRunResource {
  const ended = { ...report, endedAt: now().toISOString() }
  if (reason !== undefined) return { ...ended, outcome: 'failed', reason }
  if (report.reason !== null) return { ...ended, outcome: 'partial' }
  if (report.failed === 0) return { ...ended, outcome: 'completed' }
  return { ...ended, outcome: 'partial', reason: `${pluralize(report.failed, 'item')} could not be read.` }
}

/** Stores the end of a run: its report and the time of the next one. */
async function settle(
  { db, now }: Settings,
  { source, lease, report, retryAt, isShutdown, isPaused }: Ended & { source: Source; lease: SourceLease },
): Promise<void> {
  await releaseSource(db, lease, toRunEnd())

  function toRunEnd(): RunEnd {
    if (report !== null) {
      const ended = { attempts: 0, current_run: null, last_run: JSON.stringify(report) }
      return isPaused ? ended : { ...ended, next_run_at: nextRunAt(source, now()) }
    }
    const again = { current_run: null, ...(retryAt && { next_run_at: retryAt.toISOString() }) }
    return isShutdown ? { ...again, attempts: source.attempts - 1 } : again
  }
}

function nextRunAt({ interval_minutes: minutes }: Source, now: Date): string | null {
  return minutes === null ? null : new Date(now.getTime() + minutes * 60_000).toISOString()
}
