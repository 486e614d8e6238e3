import type { HealthCheck } from '../../api/health.ts'
import { isDamage } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'

/** How long a check may take before what it checks counts as down. Our choice: probes ask every few seconds. */
const CHECK_TIMEOUT_MS = 2000

/** Whoever sees the service may ask for its health; what others answer, and may count, is asked no more often than this. */
const OPTIONAL_PAUSE_MS = 5000

/** Rejects when what it tries does not work. The signal is aborted when nobody waits for it any more. */
export type Check = (signal: AbortSignal) => Promise<void>

/** What is checked, and for how long. */
export type HealthDeps = {
  database: Check
  objectStore: Check
  /** Further checks by name, without which the service is not ready; each shows only while it fails. */
  conditions?: Readonly<Record<string, Check>>
  /** Further checks by name: they are shown, but the service is ready without them. What one found stands for a while. */
  optional: Readonly<Record<string, Check>>
  log: Log
  timeoutMs?: number
  /** How long that is. */
  optionalPauseMs?: number
}

type Ready = Awaited<ReturnType<HealthService['ready']>>

/** {@link HealthService} of a process that will stop. */
export type DrainingHealthService = HealthService & {
  /** From now on the service is not ready, so that whoever asks turns to others. */
  drain(): void
}

const DRAINING: HealthCheck = { status: 'down', error: 'stopping' }

/** Tries what the service stands on, all at once; requests that come meanwhile share the answer. */
export function createHealthService({
  database,
  objectStore,
  conditions = {},
  optional,
  log,
  timeoutMs = CHECK_TIMEOUT_MS,
  optionalPauseMs = OPTIONAL_PAUSE_MS,
}: HealthDeps): DrainingHealthService {
  const required = { database, objectStore }
  const known = new Map<string, { health: HealthCheck; freshUntilMs: number }>()
  let running: Promise<Ready> | null = null
  let isDraining = false

  async function runOne(name: string, check: Check): Promise<HealthCheck> {
    const { health, cause } = await runCheck(check, timeoutMs)
    if (cause !== undefined) log.warn({ err: cause, check: name }, 'a health check failed')
    return health
  }

  async function runOptional(name: string, check: Check): Promise<HealthCheck> {
    const last = known.get(name)
    if (last !== undefined && performance.now() < last.freshUntilMs) return last.health
    const health: HealthCheck = { ...(await runOne(name, check)), optional: true }
    known.set(name, { health, freshUntilMs: performance.now() + optionalPauseMs })
    return health
  }

  async function runConditions(): Promise<(readonly [string, HealthCheck])[]> {
    const all = Object.entries(conditions).map(async ([name, check]) => [name, await runOne(name, check)] as const)
    return (await Promise.all(all)).filter(([, { status }]) => status === 'down')
  }

  async function runAll(): Promise<Ready> {
    const all = [
      ...Object.entries(required).map(async ([name, check]) => [name, await runOne(name, check)] as const),
      ...Object.entries(optional).map(async ([name, check]) => [name, await runOptional(name, check)] as const),
    ]
    const checks = (await Promise.all([Promise.all(all), runConditions()])).flat()
    const isReady = checks.every(([, { status, optional }]) => status === 'up' || optional === true)
    return { status: isReady ? 'ready' : 'degraded', checks: Object.fromEntries(checks) }
  }

  return {
    ready() {
      running ??= runAll().finally(() => {
        running = null
      })
      return isDraining ? running.then(withDraining) : running
    },
    drain() {
      isDraining = true
    },
  }
}

function withDraining({ checks }: Ready): Ready {
  return { status: 'degraded', checks: { ...checks, process: DRAINING } }
}

/** What callers see says no more than `timeout`, `unavailable` or that data is damaged: the cause may name paths and hosts. */
async function runCheck(check: Check, timeoutMs: number): Promise<{ health: HealthCheck; cause?: unknown }> {
  const startedMs = performance.now()
  const timeout = Promise.withResolvers<'timeout'>()
  const leaving = new AbortController()
  const timer = setTimeout(() => {
    timeout.resolve('timeout')
    leaving.abort(new Error(`no answer within ${timeoutMs} ms`))
  }, timeoutMs)
  try {
    const outcome = await Promise.race([check(leaving.signal), timeout.promise])
    if (outcome !== 'timeout') return { health: { status: 'up', latencyMs: Math.round(performance.now() - startedMs) } }
    return { health: { status: 'down', error: 'timeout' }, cause: new Error(`no answer within ${timeoutMs} ms`) }
  } catch (cause) {
    return { health: { status: 'down', error: isDamage(cause) ? cause.message : 'unavailable' }, cause }
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the service can do its work. */
export type HealthService = {
  /** `database`, `objectStore` and the optional checks by name. */
  ready(): Promise<{ status: 'ready' | 'degraded'; checks: Record<string, HealthCheck> }>
}
