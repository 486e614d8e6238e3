import type { HealthCheck } from '../../api/health.ts'
import { isDamage } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'

/** Timeout of a check. Our choice: probes arrive every few seconds. */
const CHECK_TIMEOUT_MS = 2000

/**
 * Minimum interval between optional checks. The health endpoint is public, and a check may be a
 * billed request to another service.
 */
const OPTIONAL_CACHE_MS = 5000

/** Rejects if the dependency does not work. The signal aborts after the timeout. */
export type Check = (signal: AbortSignal) => Promise<void>

/** Checks and their timing. */
export type HealthDeps = {
  database: Check
  objectStore: Check
  /** Additional checks by name, required for readiness; reported only while they fail. */
  conditions?: Readonly<Record<string, Check>>
  /** Additional checks by name, reported but not required for readiness. Results are cached. */
  optional: Readonly<Record<string, Check>>
  log: Log
  timeoutMs?: number
  /** Cache time of the optional checks. */
  optionalCacheMs?: number
}

type ReadinessReport = Awaited<ReturnType<HealthService['ready']>>

/** {@link HealthService} of a process that can drain. */
export type DrainingHealthService = HealthService & {
  /** Reports the service as not ready, so that load balancers stop sending requests. */
  drain(): void
}

const DRAINING: HealthCheck = { status: 'down', error: 'stopping' }

/** Runs all checks concurrently; concurrent requests share a run. */
export function createHealthService({
  database,
  objectStore,
  conditions = {},
  optional,
  log,
  timeoutMs = CHECK_TIMEOUT_MS,
  optionalCacheMs = OPTIONAL_CACHE_MS,
}: HealthDeps): DrainingHealthService {
  const required = { database, objectStore }
  const known = new Map<string, { health: HealthCheck; freshUntilMs: number }>()
  let running: Promise<ReadinessReport> | null = null
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
    known.set(name, { health, freshUntilMs: performance.now() + optionalCacheMs })
    return health
  }

  async function runConditions(): Promise<(readonly [string, HealthCheck])[]> {
    const all = Object.entries(conditions).map(async ([name, check]) => [name, await runOne(name, check)] as const)
    return (await Promise.all(all)).filter(([, { status }]) => status === 'down')
  }

  async function runAll(): Promise<ReadinessReport> {
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

function withDraining({ checks }: ReadinessReport): ReadinessReport {
  return { status: 'degraded', checks: { ...checks, process: DRAINING } }
}

/**
 * Callers only see `timeout`, `unavailable` or the damage message: the cause may contain paths and
 * hosts.
 */
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

/** Reports readiness. */
export type HealthService = {
  /** Results of `database`, `objectStore` and the other checks by name. */
  ready(): Promise<{ status: 'ready' | 'degraded'; checks: Record<string, HealthCheck> }>
}
