/** `npm start`: the service on this machine. Exits with 78 for wrong settings, 1 when it cannot start, 0 when it was stopped. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compose, type Recollect } from './compose.ts'
import { CONFIG_EXIT_STATUS, type Config, ConfigError, readConfig } from './config.ts'
import { createLog } from './log.ts'

/** A stop that takes longer is cut off: what was acknowledged is durable, and what was not will be cleared. */
const STOP_TIMEOUT_MS = 30_000

await main()

async function main(): Promise<void> {
  const config = readSettings()
  if (config === null) return
  // Whatever the libraries write is for this user alone.
  process.umask(0o077)
  const log = createLog({ ...config.log, pretty: process.stdout.isTTY })
  const version = readVersion()
  try {
    const recollect = await compose(config, { log, version })
    const address = await recollect.server.listen({ host: config.http.host, port: config.http.port })
    await recollect.start()
    stopOnSignal(recollect, (message) => log.info({}, message))
    announce({ address, version, recollect, isTerminal: process.stdout.isTTY, say: (text) => log.info({}, text) })
  } catch (error) {
    process.stderr.write(`Recollect cannot start: ${explain(error, config)}\n`)
    log.debug({ err: error }, 'the start failed')
    process.exit(1)
  }
}

function readSettings(): Config | null {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = CONFIG_EXIT_STATUS
    return null
  }
}

function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

type Announcement = {
  address: string
  version: string
  recollect: Recollect
  isTerminal: boolean
  say: (text: string) => void
}

/** The key goes to the terminal or the pipe itself, never through the log, which would scrub it. */
function announce({ address, version, recollect, isTerminal, say }: Announcement): void {
  const ready = `Recollect ${version} is ready on ${address}`
  if (isTerminal) process.stdout.write(`${ready}\n`)
  else say(ready)
  if (recollect.firstKey === null) return
  process.stdout.write(`\nYour first API key, shown only this once:\n\n  ${recollect.firstKey}\n\n`)
}

function stopOnSignal(recollect: Recollect, say: (message: string) => void): void {
  let isStopping = false
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) process.exit(1)
    isStopping = true
    say(`${signal}: ending what runs`)
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    await recollect.stop()
    say('stopped')
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name))
}

function explain(error: unknown, { http, dataDir }: Config): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `port ${http.port} of ${http.host} is taken; set RECOLLECT_PORT to another.`
  if (code === 'EACCES' || code === 'EPERM')
    return `no access (${message}); check RECOLLECT_PORT and RECOLLECT_DATA_DIR.`
  if (code === 'EADDRNOTAVAIL') return `this machine has no address ${http.host}; set RECOLLECT_HOST.`
  return `${message} (data folder: ${dataDir})`
}
