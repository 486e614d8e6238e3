import { randomUUID } from 'node:crypto'
import { createSignal } from '../concurrency/signal.ts'
import { claimJobs } from '../database/jobs/claim-jobs.ts'
import { listExpiredJobs, reapJob, releaseJob } from '../database/jobs/job-leases-table.ts'
import type { Job } from '../database/schema.ts'
import { failpoint } from '../observability/failpoints.ts'
import type { JobChange } from '../services/jobs/job-changes.ts'
import { backOffMs, interruptedPauseMs } from './back-off.ts'
import { type JobRun, type RunDeps, runJob } from './run-job.ts'

/** Takes jobs from the queue and has them done. */
export type Worker = {
  start(): void
  /**
   * Takes no more jobs, tells the running handlers to stop, gives back what they have not ended;
   * never rejects.
   */
  stop(): Promise<void>
}

/** A worker that says whether it works. */
export type CheckedWorker = Worker & {
  /** Rejects while the queue is not looked at. */
  check(): Promise<void>
}

/**
 * Our choices; a lease outlives several missed heartbeats, and a stop fits into the 10 s a
 * container is given.
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
 * A worker that has not looked at the queue for so long is stuck, or cannot read it: looks are a
 * second apart.
 */
const STUCK_MS = 30_000

/** Jobs taken from dead workers in one go; the rest follows after the next pause. */
const MAX_REAPED = 100

type Tuning = {
  /** Jobs at a time. */
  concurrency: number
  /** Pause between two looks at the queue when nothing wakes the worker. */
  pollMs: number
  interruptedPauseMs: (attempts: number) => number
}

type Settings = RunDeps & Tuning

/**
 * `isOnly`: no other process has workers on this database, so that leases found at the start are of
 * dead ones.
 */
export type WorkerDeps = { isOnly: boolean } & Pick<Settings, 'db' | 'handlers' | 'changes' | 'log' | 'now'> &
  Partial<Settings>

/**
 * Makes a worker. It looks at the queue when `changes` tells of a queued job, when a job is done,
 * and every `pollMs`.
 */
export function createWorker(given: WorkerDeps): CheckedWorker {
  const deps = { ...DEFAULTS, ...given }
  const { log, changes } = deps
  const bell = createSignal()
  const jobs = createRuns(deps, bell.notify)
  const stopping = new AbortController()
  let loop: Promise<void> | null = null
  let lookedMs = Number.NEGATIVE_INFINITY
  let unsubscribe = () => {}

  async function work(): Promise<void> {
    let dead: 'expired' | 'all' = deps.isOnly ? 'all' : 'expired'
    while (!stopping.signal.aborted) {
      try {
        await reap(deps, dead, jobs.running)
        dead = 'expired'
        await jobs.fill(stopping.signal)
        lookedMs = performance.now()
      } catch (err) {
        log.error({ err }, 'the queue cannot be read at the moment')
      }
      await bell.wait(deps.pollMs)
    }
  }

  function hear({ jobId, kind }: JobChange): void {
    if (kind === 'queued') bell.notify()
    if (kind === 'stop-asked') jobs.running.get(jobId)?.look()
  }

  return {
    start() {
      if (loop !== null) return
      unsubscribe = changes.subscribe(null, hear)
      lookedMs = performance.now()
      loop = work()
    },
    async check() {
      if (stopping.signal.aborted || performance.now() - lookedMs > STUCK_MS)
        throw new Error('the worker does not look at the queue')
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

/** The jobs in work; `ended` is called when one is over. */
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
    /** Claims jobs until as many are in work as may be, or none waits. */
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
 * Takes jobs from dead workers; one that cannot be taken keeps none of the others. What this worker
 * works on itself is not dead, whatever its lease says: a machine that slept, or whose clock was
 * set, finds its own leases ended.
 */
async function reap(deps: Settings, which: 'expired' | 'all', own: ReadonlyMap<string, JobRun>): Promise<void> {
  const { db, handlers, log, now, changes } = deps
  const dead = await listExpiredJobs(db, { which, now: now(), limit: MAX_REAPED })
  for (const job of dead.filter(({ id }) => !own.has(id))) {
    try {
      const wasDead = await reapJob(db, job, {
        pauseMs: deps.interruptedPauseMs(job.attempts),
        now: now(),
        failed: async (...failure) => handlers[job.job_type]?.failed(...failure),
      })
      if (!wasDead) continue
      log.warn({ jobId: job.id, jobType: job.job_type, attempt: job.attempts }, 'job taken from a dead worker')
      changes.publish({ jobId: job.id, kind: 'changed' })
    } catch (err) {
      log.error({ err, jobId: job.id }, 'a job of a dead worker could not be taken')
    }
  }
}

const GIGABYTE = 1024 ** 3
/** What a child that reads a document may take (`parsers/child`). */
const MEMORY_A_JOB_BYTES = GIGABYTE
/** The service itself, with its models and caches open. */
const MEMORY_OF_SERVICE_BYTES = GIGABYTE / 2
/**
 * Beside requests two jobs at a time; a process that does nothing else has one a processor, up to
 * the children that read.
 */
const MOST_BESIDE_REQUESTS = 2
const MOST_ALONE = 4

/**
 * What a process has to work with: `memoryBytes` is what it may take, by its container or its
 * machine.
 */
type Means = { cores: number; memoryBytes: number; servesRequests: boolean }

/** Jobs a process works on at a time: as many as the memory has room for, at least one. */
export function chooseConcurrency({ cores, memoryBytes, servesRequests }: Means): number {
  const most = servesRequests ? MOST_BESIDE_REQUESTS : Math.min(Math.max(cores, MOST_BESIDE_REQUESTS), MOST_ALONE)
  const room = Math.floor((memoryBytes - MEMORY_OF_SERVICE_BYTES) / MEMORY_A_JOB_BYTES)
  return Math.max(1, Math.min(most, room))
}
