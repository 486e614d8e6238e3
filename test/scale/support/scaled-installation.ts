import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import type { Step } from '../../../src/observability/failpoints.ts'
import { createMortalService, type Death, type MortalService } from '../mortal-service.ts'
import { type CephServer, startCeph, whyNoCeph } from './ceph-server.ts'
import { unlessLacking } from './installed-programs.ts'
import { type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.ts'

/** A PostgreSQL, an S3 store, and the processes of the service that a test starts over them. */
export type ScaledInstallation = {
  ceph: CephServer
  postgres: PostgresServer
  /** The URL of the database. */
  database: string
  /** A folder for what the tests need beside it; it goes with the installation. */
  folder: string
  /** What every process of it is told, and the command line. */
  settings: Readonly<Record<string, string>>
  /** A process of this role, not started; it is stopped with the installation. */
  createNode(role: Role, parts?: NodeParts): MortalService
  /** The same, started. */
  startNode(role: Role, parts?: NodeParts): Promise<MortalService>
  /** What each process wrote last but of its requests, for whoever has to find out what went wrong. */
  tails(): string
  stop(): Promise<void>
}

/** What a process does. */
export type Role = 'api' | 'worker' | 'all'

/** Of what it dies, which steps it writes down, and further settings. */
type NodeParts = { death?: Death; say?: readonly Step[]; settings?: Readonly<Record<string, string>> }

const TAIL_LINES = 15

/** Why there can be none here, a sentence; `null` when there can. Installs what is missing where that is allowed. */
function whyNoInstallation(): string | null {
  return whyNoPostgres() ?? whyNoCeph()
}

/**
 * Tests over an installation of their own, which is there from their first hook on and goes after their last one. They are left out where there can be none,
 * and where `lacking` says what else is not here. `name` is that of the database and of the prefix.
 */
export function describeInstallation(
  title: string,
  { name, lacking = null }: { name: string; lacking?: string | null },
  defineTests: (installation: () => ScaledInstallation) => void,
): void {
  const reason = whyNoInstallation() ?? lacking
  describe(title, unlessLacking(reason), () => {
    let installation: ScaledInstallation | null = null
    before(async () => {
      assert.equal(reason, null)
      installation = await startInstallation(name)
    })
    defineTests(() => installation ?? assert.fail('the installation is not started'))
    after(() => installation?.stop())
  })
}

/** Starts both servers; takes some seven seconds. */
async function startInstallation(name: string): Promise<ScaledInstallation> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-scaled-'))
  const [ceph, postgres] = await Promise.all([startCeph(), startPostgres()])
  const database = await postgres.makeDatabase(name)
  const nodes: MortalService[] = []
  const shared = {
    RECOLLECT_DATABASE_URL: database,
    ...ceph.settings(name),
    RECOLLECT_BOOTSTRAP_KEY: `all of them have ${randomUUID()}`,
  }

  function createNode(role: Role, { death, say, settings }: NodeParts = {}): MortalService {
    const own = { RECOLLECT_ROLE: role, RECOLLECT_DRAIN_SECONDS: '1', RECOLLECT_LOG_LEVEL: 'info' }
    const node = createMortalService({ ...shared, ...own, ...settings }, say)
    node.destine(death ?? null)
    nodes.push(node)
    return node
  }

  return {
    ceph,
    postgres,
    database,
    folder,
    settings: { ...shared, RECOLLECT_DATA_DIR: join(folder, 'data') },
    createNode,
    async startNode(role, parts) {
      const node = createNode(role, parts)
      await node.start()
      return node
    },
    tails: () => nodes.map((node) => lastLines(node.output())).join('\n\n'),
    async stop() {
      await Promise.allSettled(nodes.map((node) => node.dispose()))
      await postgres.stop()
      await ceph.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function lastLines(output: string): string {
  const lines = output.split('\n').filter((line) => !line.includes('"route":'))
  return lines.slice(-TAIL_LINES).join('\n')
}
