/** The command `recollect`, with the real terminal, environment, network and data folder. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { buffer } from 'node:stream/consumers'
import type { Log } from '../observability/log.ts'
import { EXIT } from './failures.ts'
import { runProgram } from './program.ts'

/** Time for stopped work to print its last message. */
const LAST_WORDS_MS = 2000

/** Programs that open a URL; other systems have xdg-open. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

const { env: environment, stdin, stdout, stderr } = process
const now = () => new Date()
const interruption = new AbortController()

process.on('SIGINT', interrupt)
stdout.on('error', endUnheard)
// Without a reader of standard error, the work continues.
stderr.on('error', () => undefined)

const status = await runProgram(process.argv.slice(2), {
  writeOut: (text) => stdout.write(text),
  writeError: (text) => stderr.write(text),
  isTerminal: stdout.isTTY,
  barStream: stderr.isTTY ? stderr : null,
  readInput: () => buffer(stdin),
  stdio: { input: stdin, output: stdout },
  confirm,
  environment,
  given: {},
  fetch,
  signal: interruption.signal,
  now,
  openUrl,
  serve: async () => {
    // The service handles signals itself, and continues when its log finds no space.
    process.removeListener('SIGINT', interrupt)
    stdout.removeListener('error', endUnheard)
    await import('../main.ts')
  },
  // Loading database code takes time, which client commands should not pay.
  migrate: async () => {
    const { migrateMetadata } = await import('./installation/open-metadata.ts')
    return migrateMetadata({ environment, log: await openLog() })
  },
  backup: async (folder) => {
    const { backUp } = await import('./installation/copy-data-folder.ts')
    return backUp(environment, folder)
  },
  openStorageDoctor: async () => {
    const { openStorageDoctor } = await import('./installation/open-storage-doctor.ts')
    return openStorageDoctor(environment, await openLog())
  },
  move: async ({ toDatabase, toObjects }) => {
    const { moveInstallation } = await import('./installation/move-installation.ts')
    const target = {
      ...environment,
      ...(toDatabase === undefined ? {} : { RECOLLECT_DATABASE_URL: toDatabase }),
      ...(toObjects === undefined ? {} : { RECOLLECT_OBJECT_STORE_URL: toObjects }),
    }
    const say = (text: string) => void stderr.write(`${text} …\n`)
    return moveInstallation({ environment: target, log: await openLog(), say })
  },
  openKeys: async (organizationId) => {
    const { openKeys } = await import('./installation/open-keys.ts')
    return openKeys({ environment, now, log: await openLog() }, organizationId)
  },
})
// The service reports the outcome of its start itself.
if (status !== 0) process.exitCode = status

async function openLog(): Promise<Log> {
  const { createLog } = await import('../observability/log.ts')
  // Standard output is for results.
  return createLog({ level: 'warn', secrets: [], pretty: stderr.isTTY, destination: stderr })
}

function endUnheard({ code, message }: NodeJS.ErrnoException): void {
  // `recollect find … | head -1`: the reader has seen enough.
  if (code === 'EPIPE') process.exit()
  stderr.write(`Standard output cannot be written: ${message}.\n`)
  process.exit(EXIT.failed)
}

function interrupt(): void {
  if (interruption.signal.aborted) process.exit(EXIT.interrupted)
  interruption.abort()
  setTimeout(() => process.exit(EXIT.interrupted), LAST_WORDS_MS).unref()
}

function openUrl(url: string): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const opener = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    opener.once('error', () => resolve(false))
    opener.once('spawn', () => {
      opener.unref()
      resolve(true)
    })
  })
}

async function confirm(question: string): Promise<boolean | null> {
  if (!stdin.isTTY || !stderr.isTTY) return null
  const terminal = createInterface({ input: stdin, output: stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
