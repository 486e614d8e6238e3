import { randomUUID } from 'node:crypto'
import { createSignal } from '../concurrency/signal.ts'
import { claimJobs } from '../database/jobs/claim-jobs.ts'
import { listExpiredJobs, reapJob, releaseJob } from '../database/jobs/job-leases-table.ts'
import type { Job } from '../database/schema.ts'
import { failpoint } from '../observability/failpoints.ts'
import type { JobChange } from '../services/jobs/job-changes.ts'
import { backOffMs, interruptedPauseMs } from './back-off.ts'
import { type JobRun, type RunDeps, runJob } from './run-job.ts'

/** Claims jobs from the queue and runs them. */
export type Worker = {
  start(): void
  /**
   * Stops claiming jobs, stops the running handlers and requeues unfinished jobs; never rejects.
   */
  stop(): Promise<void>
}

/** A worker with a health check. */
export type CheckedWorker = Worker & {
  /** Rejects when the worker has stopped polling the queue. */
  check(): Promise<void>
}

/**
 * Our choices: a lease survives several missed heartbeats, and a stop fits into a container's 10 s.
 */
const DEFAULTS = {
  concurrency: 2,
  pollMs: 1000,
  leaseMs: 30_000,
  heartbeatMs: 5000,
  reportMs: 500,
  graceMs: 5000,
  pauseMs: (attempts: number) => backOffMs(attempts, Math.random),
  interruptedPauseMs: (attempts: number) => interruptedPauseMs(attempts, Math.random),
  ended: async () => undefined,
  within: <Result>(_facts: { jobId: string }, work: () => Result) => work(),
} as const

/**
 * Without a poll for this time the worker is stuck or cannot read the queue: polls are a second
 * apart.
 */
const STUCK_MS = 30_000

/** Jobs reclaimed from dead workers per poll; the rest follows at the next poll. */
const MAX_RECLAIMED = 100

type WorkerOptions = {
  /** Jobs that run concurrently. */
  concurrency: number
  /** Pause between two polls when no notification wakes the worker. */
  pollMs: number
  interruptedPauseMs: (attempts: number) => number
}

type Settings = RunDeps & WorkerOptions

/**
 * `isOnly`: no other process has workers on this database, so leases found at the start belong to
 * dead workers.
 */
export type WorkerDeps = { isOnly: boolean } & Pick<Settings, 'db' | 'handlers' | 'changes' | 'log' | 'now'> &
  Partial<Settings>

/**
 * Creates a worker. The queue is polled when `changes` announces a job, when a job ends, and every
 * `pollMs`.
 */
export function createWorker(given: WorkerDeps): CheckedWorker {
  const deps = { ...DEFAULTS, ...given }
  const { log, changes } = deps
  const bell = createSignal()
  const jobs = createRuns(deps, bell.notify)
  const stopping = new AbortController()
  let loop: Promise<void> | null = null
  let lastPollMs = Number.NEGATIVE_INFINITY
  let unsubscribe = () => {}

  async function work(): Promise<void> {
    let dead: 'expired' | 'all' = deps.isOnly ? 'all' : 'expired'
    while (!stopping.signal.aborted) {
      try {
        await reclaimDeadJobs(deps, dead, jobs.running)
        dead = 'expired'
        await jobs.fill(stopping.signal)
        lastPollMs = performance.now()
      } catch (err) {
        log.error({ err }, 'job queue could not be read')
      }
      await bell.wait(deps.pollMs)
    }
  }

  function onJobChange({ jobId, kind }: JobChange): void {
    if (kind === 'queued') bell.notify()
    if (kind === 'stop-asked') jobs.running.get(jobId)?.renewLease()
  }

  return {
    start() {
      if (loop !== null) return
      unsubscribe = changes.subscribe(null, onJobChange)
      lastPollMs = performance.now()
      loop = work()
    },
    async check() {
      if (stopping.signal.aborted || performance.now() - lastPollMs > STUCK_MS)
        throw new Error('the worker has stopped polling the queue')
    },
    async stop() {
      stopping.abort()
      unsubscribe()
      bell.notify()
      for (const run of jobs.running.values()) run.stop('shutdown')
      await loop
      await Promise.all([...jobs.running.values()].map(({ settled }) => settled))
    },
  }
}

/** Running jobs; `ended` is called after each. */
function createRuns(deps: Settings, ended: () => void) {
  const { db, log, now, changes, concurrency } = deps
  const running = new Map<string, JobRun>()

  function launch(job: Job): void {
    log.info({ jobId: job.id, jobType: job.job_type, attempt: job.attempts }, 'job started')
    changes.publish({ jobId: job.id, kind: 'changed' })
    const run = deps.within({ jobId: job.id }, () => runJob(deps, job))
    running.set(job.id, run)
    void run.settled.then(() => {
      running.delete(job.id)
      ended()
    })
  }

  async function giveBack(job: Job): Promise<void> {
    const lease = { jobId: job.id, leaseToken: job.lease_token ?? '' }
    await releaseJob(db, { lease, message: 'waiting for a worker', runAfter: now(), attemptCounts: false })
  }

  return {
    running,
    /** Claims jobs until the concurrency limit is reached or the queue is empty. */
    async fill(stopping: AbortSignal): Promise<void> {
      while (!stopping.aborted && running.size < concurrency) {
        const claim = { limit: concurrency - running.size, leaseMs: deps.leaseMs, token: randomUUID(), now: now() }
        const jobs = await claimJobs(db, claim)
        if (jobs.length === 0) return
        failpoint('job:claimed')
        for (const job of jobs) await (stopping.aborted ? giveBack(job) : launch(job))
      }
    },
  }
}

/**
 * Reclaims expired jobs; one failure does not stop the rest. Never reclaims jobs that this worker
 * runs, even if their lease ran out during sleep or a clock change.
 */
async function reclaimDeadJobs(
  deps: Settings,
  which: 'expired' | 'all',
  own: ReadonlyMap<string, JobRun>,
): Promise<void> {
  const { db, handlers, log, now, changes } = deps
  const dead = await listExpiredJobs(db, { which, now: now(), limit: MAX_RECLAIMED })
  for (const job of dead.filter(({ id }) => !own.has(id))) {
    try {
      const wasDead = await reapJob(db, job, {
        pauseMs: deps.interruptedPauseMs(job.attempts),
        now: now(),
        failed: async (...failure) => handlers[job.job_type]?.onFailed(...failure),
      })
      if (!wasDead) continue
      log.warn({ jobId: job.id, jobType: job.job_type, attempt: job.attempts }, 'job reclaimed from a dead worker')
      changes.publish({ jobId: job.id, kind: 'changed' })
    } catch (err) {
      log.error({ err, jobId: job.id }, 'job of a dead worker could not be reclaimed')
    }
  }
}

const GIGABYTE = 1024 ** 3
/** Memory limit of a child process that reads a document (`parsers/child`). */
const MEMORY_PER_JOB_BYTES = GIGABYTE
/** Memory of the service with its models and caches loaded. */
const SERVICE_MEMORY_BYTES = GIGABYTE / 2
/**
 * Two jobs run beside requests. A process without requests runs one job per core, up to the number
 * of child processes.
 */
const MAX_JOBS_WITH_REQUESTS = 2
const MAX_JOBS_WITHOUT_REQUESTS = 4

/** Resources of the process; `memoryBytes` is the limit of the container or the machine. */
type ProcessResources = { cores: number; memoryBytes: number; servesRequests: boolean }

/** Concurrent jobs of a process: as many as fit in memory, at least one. */
export function chooseConcurrency({ cores, memoryBytes, servesRequests }: ProcessResources): number {
  const most = servesRequests
    ? MAX_JOBS_WITH_REQUESTS
    : Math.min(Math.max(cores, MAX_JOBS_WITH_REQUESTS), MAX_JOBS_WITHOUT_REQUESTS)
  const room = Math.floor((memoryBytes - SERVICE_MEMORY_BYTES) / MEMORY_PER_JOB_BYTES)
  return Math.max(1, Math.min(most, room))
}
