import type { Log } from '../log.ts'
import type { HealthCheck, HealthService } from './services.ts'

/** How long a check may take before what it checks counts as down. Our choice: probes ask every few seconds. */
const CHECK_TIMEOUT_MS = 2000

/** Rejects when what it tries does not work. */
export type Check = () => Promise<void>

/** What the service of health is made of: the checks by what they look at. */
/** What is checked, and for how long. */
export type HealthParts = {
  database: Check
  objectStore: Check
  /** Further checks by name: they are shown, but the service is ready without them. */
  optional: Readonly<Record<string, Check>>
  log: Log
  timeoutMs?: number
}

type Ready = Awaited<ReturnType<HealthService['ready']>>

/** Tries what the service stands on, all at once; requests that come meanwhile share the answer. */
export function createHealthService({
  database,
  objectStore,
  optional,
  log,
  timeoutMs = CHECK_TIMEOUT_MS,
}: HealthParts): HealthService {
  const required = { database, objectStore }
  let running: Promise<Ready> | null = null

  async function runAll(): Promise<Ready> {
    const all = Object.entries({ ...optional, ...required })
    const checks = await Promise.all(
      all.map(async ([name, check]): Promise<[string, HealthCheck]> => {
        const result = await runCheck(check, timeoutMs)
        if (result.cause !== undefined) log.warn({ err: result.cause, check: name }, 'a health check failed')
        return [name, Object.hasOwn(required, name) ? result.health : { ...result.health, optional: true }]
      }),
    )
    const isReady = checks.every(([, { status, optional }]) => status === 'up' || optional === true)
    return { status: isReady ? 'ready' : 'degraded', checks: Object.fromEntries(checks) }
  }

  return {
    ready() {
      running ??= runAll().finally(() => {
        running = null
      })
      return running
    },
  }
}

/** What callers see says no more than `timeout` or `unavailable`: the cause may name paths and hosts. */
async function runCheck(check: Check, timeoutMs: number): Promise<{ health: HealthCheck; cause?: unknown }> {
  const startedMs = performance.now()
  const timeout = Promise.withResolvers<'timeout'>()
  const timer = setTimeout(() => timeout.resolve('timeout'), timeoutMs)
  try {
    const outcome = await Promise.race([check(), timeout.promise])
    if (outcome !== 'timeout') return { health: { status: 'up', latencyMs: Math.round(performance.now() - startedMs) } }
    return { health: { status: 'down', error: 'timeout' }, cause: new Error(`no answer within ${timeoutMs} ms`) }
  } catch (cause) {
    return { health: { status: 'down', error: 'unavailable' }, cause }
  } finally {
    clearTimeout(timer)
  }
}
