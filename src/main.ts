/** `npm start`: the service on this machine. Exits with 78 for wrong settings, 1 when it cannot start, 0 when it was stopped. */

import { explainStart } from './compose/explain-start.ts'
import { compose, type Recollect } from './compose.ts'
import { readVersion } from './config/version.ts'
import { CONFIG_EXIT_STATUS, type Config, ConfigError, readConfig } from './config.ts'
import { createLog, createWorkContext } from './observability/log.ts'
import { openTracing } from './observability/tracing/open-tracing.ts'

/** A stop that takes longer is cut off: what was acknowledged is durable, and what was not will be cleared. */
const STOP_TIMEOUT_MS = 30_000
/** A signal that comes so soon after the first is the same stop: who ends a whole group of processes sends it to this one, and to the one that hands it on. */
const SAME_STOP_MS = 1000

await main()

async function main(): Promise<void> {
  const config = readSettings()
  if (config === null) return
  // Whatever the libraries write is for this user alone.
  process.umask(0o077)
  const context = createWorkContext()
  const version = readVersion()
  const tracing = await openTracing(config.tracing, { version, warn: (facts, message) => log.warn(facts, message) })
  const facts = () => ({ ...context.facts(), ...tracing.facts() })
  const log = createLog({ ...config.log, pretty: process.stdout.isTTY, facts })
  let firstKey: string | null = null
  const takeFirstKey = (key: string) => {
    firstKey = key
  }
  try {
    const recollect = await compose(config, { log, version, context, tracing, takeFirstKey })
    const address = await recollect.server.listen({ host: config.http.host, port: config.http.port })
    await recollect.start()
    const stop = () => recollect.stop().finally(tracing.close)
    stopOnSignal({ stop }, { mayTakeMs: STOP_TIMEOUT_MS + config.drainMs, say: (message) => log.info({}, message) })
    announce({ address, version, firstKey, isTerminal: process.stdout.isTTY })
  } catch (error) {
    // The next start finds it made, and nobody would have seen it.
    showKey(firstKey)
    if (error instanceof ConfigError) {
      refuseSettings(error)
      // Connections that stand already, as to a database, would keep it alive.
      process.exit()
    }
    process.stderr.write(`Recollect cannot start: ${explainStart(error, config)}\n`)
    log.debug({ err: error }, 'the start failed')
    process.exit(1)
  }
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
 * Both lines go to standard output itself: at a log level of `warn` the address must show, too (with port 0 nobody could
 * know it), and the log would scrub the key.
 */
function announce({ address, version, firstKey, isTerminal }: Announcement): void {
  // Where it goes there may be no room: the service runs on, as it does without its log.
  process.stdout.on('error', () => undefined)
  const msg = `Recollect ${version} is ready on ${address}`
  const line = isTerminal ? msg : JSON.stringify({ level: 'info', time: new Date().toISOString(), msg })
  process.stdout.write(`${line}\n`)
  showKey(firstKey)
}

function showKey(firstKey: string | null): void {
  if (firstKey === null) return
  process.stdout.write(`\nYour first API key, shown only this once:\n\n  ${firstKey}\n\n`)
}

type Stopping = { mayTakeMs: number; say: (message: string) => void }

function stopOnSignal(recollect: Pick<Recollect, 'stop'>, { mayTakeMs, say }: Stopping): void {
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
