/**
 * PgBouncer in transaction mode in front of PostgreSQL: each transaction may use a session with
 * leftover state.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requirePrograms } from './installed-programs.ts'
import { answering, freePort, ownerIds, USER } from './postgres-server.ts'

/** A running pooler on a loopback port. */
export type Pooler = { port: number; stop(): Promise<void> }

/** Fewer sessions than one process requests, so all processes share sessions. */
const SESSIONS = 4

/**
 * The reason why this machine cannot run a pooler; `null` where possible. Installs the pooler where
 * allowed.
 */
export function whyNoPooler(): string | null {
  return requirePrograms(['pgbouncer'], ['pgbouncer'])
}

/** Starts a pooler for the server at a loopback port. */
export async function startPooler(serverPort: number): Promise<Pooler> {
  const owner = ownerIds()
  const folder = await mkdtemp(join(tmpdir(), 'recollect-pooler-'))
  const port = await freePort()
  const configuration = join(folder, 'pgbouncer.ini')
  await writeFile(configuration, configure(port, serverPort))
  if (owner !== null) for (const path of [folder, configuration]) await chown(path, owner.uid, owner.gid)
  const child = spawn('/usr/sbin/pgbouncer', [configuration], { ...owner, stdio: 'ignore' })
  // A crashing test must not leave the pooler behind.
  process.once('exit', () => child.kill('SIGKILL'))
  await answering(`postgres://${USER}@127.0.0.1:${port}/postgres`)
  return {
    port,
    async stop() {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configure(port: number, serverPort: number): string {
  return `[databases]
* = host=127.0.0.1 port=${serverPort} user=${USER}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SESSIONS}
max_client_conn = 200
`
}
