/**
 * `npm start`: the service on this machine. Exits with 78 for invalid settings, 1 if it cannot
 * start, 0 after a stop.
 */

import { explainStart } from './compose/explain-start.ts'
import { compose, type Recollect } from './compose.ts'
import { readVersion } from './config/version.ts'
import { CONFIG_EXIT_STATUS, type Config, ConfigError, readConfig } from './config.ts'
import { createLog, createWorkContext } from './observability/log.ts'
import type { TracingDeps, TracingSetting } from './observability/tracing/otlp-tracing.ts'
import { NO_TRACING, type Tracing } from './observability/tracing/tracing.ts'

/** A longer stop is aborted: acknowledged data is durable, and the rest will be cleaned up. */
const STOP_TIMEOUT_MS = 30_000
/**
 * A second signal within this time belongs to the same stop: ending a process group signals this
 * process directly and through its parent.
 */
const SAME_STOP_MS = 1000

await main()

async function main(): Promise<void> {
  const config = readSettings()
  if (config === null) return
  // Files created by libraries are for this user only.
  process.umask(0o077)
  const context = createWorkContext()
  const version = readVersion()
  const tracing = await openTracing(config.tracing, { version, warn: (facts, message) => log.warn(facts, message) })
  const facts = () => ({ ...context.facts(), ...tracing.facts() })
  const showsRequests = process.argv.includes('--verbose')
  const log = createLog({ ...config.log, pretty: process.stdout.isTTY, showsRequests, facts })
  try {
    const recollect = await compose(config, { log, version, context, tracing })
    const address = await recollect.server.listen({ host: config.http.host, port: config.http.port })
    const firstKey = await recollect.start()
    const stop = () => recollect.stop().finally(tracing.close)
    stopOnSignal({ stop }, { mayTakeMs: STOP_TIMEOUT_MS + config.drainMs, say: (message) => log.info({}, message) })
    announce({ address, version, firstKey, isTerminal: process.stdout.isTTY })
  } catch (error) {
    if (error instanceof ConfigError) {
      refuseSettings(error)
      // Open connections, such as to a database, would keep the process alive.
      process.exit()
    }
    process.stderr.write(`Recollect cannot start: ${explainStart(error, config)}\n`)
    log.debug({ err: error }, 'the start failed')
    process.exit(1)
  }
}

/** Opens tracing as configured. Its code is loaded only with a configured endpoint. */
async function openTracing(setting: TracingSetting | null, deps: TracingDeps): Promise<Tracing> {
  if (setting === null) return NO_TRACING
  const { createOtlpTracing } = await import('./observability/tracing/otlp-tracing.ts')
  return createOtlpTracing(setting, deps)
}

function readSettings(): Config | null {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    refuseSettings(error)
    return null
  }
}

function refuseSettings({ message }: ConfigError): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = CONFIG_EXIT_STATUS
}

type Announcement = { address: string; version: string; firstKey: string | null; isTerminal: boolean }

/**
 * Both lines bypass the log. The address must appear even at log level `warn`, since port 0 picks
 * an unknown port, and the log would scrub the key.
 */
function announce({ address, version, firstKey, isTerminal }: Announcement): void {
  // A full disk behind standard output must not end the service.
  process.stdout.on('error', () => undefined)
  const msg = `Recollect ${version} is ready on ${address}`
  const line = isTerminal ? msg : JSON.stringify({ level: 'info', time: new Date().toISOString(), msg })
  process.stdout.write(`${line}\n`)
  if (firstKey === null) return
  process.stdout.write(`\nYour first API key, shown only this once:\n\n  ${firstKey}\n\n`)
}

type StopOptions = { mayTakeMs: number; say: (message: string) => void }

function stopOnSignal(recollect: Pick<Recollect, 'stop'>, { mayTakeMs, say }: StopOptions): void {
  let stoppingSince: number | null = null
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince >= SAME_STOP_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    say(`${signal}: ending what runs`)
    setTimeout(() => process.exit(1), mayTakeMs).unref()
    await recollect.stop()
    say('stopped')
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name))
}
