import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import type { FailpointName } from '../../../src/observability/failpoints.ts'
import { createMortalService, type Death, type MortalService } from '../mortal-service.ts'
import { type CephServer, startCeph, whyNoCeph } from './ceph-server.ts'
import { unlessLacking } from './installed-programs.ts'
import { type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.ts'

/** PostgreSQL, an S3 store and the service processes of a test. */
export type ScaledInstallation = {
  ceph: CephServer
  postgres: PostgresServer
  /** The URL of the database. */
  database: string
  /** A folder for further files of the tests, removed with the installation. */
  folder: string
  /** The settings of every process and of the command line. */
  settings: Readonly<Record<string, string>>
  /** A process with this role, not yet started, and stopped with the installation. */
  createNode(role: Role, parts?: NodeParts): MortalService
  /** The same, started. */
  startNode(role: Role, parts?: NodeParts): Promise<MortalService>
  /** The latest log lines of each process other than requests, to diagnose a failure. */
  tails(): string
  stop(): Promise<void>
}

/** The role of a process. */
export type Role = 'api' | 'worker' | 'all'

/** The planned death, the reported steps and further settings. */
type NodeParts = { death?: Death; say?: readonly FailpointName[]; settings?: Readonly<Record<string, string>> }

const TAIL_LINES = 15

/**
 * The reason why this machine cannot run an installation; `null` where possible. Installs missing
 * programs where allowed.
 */
function whyNoInstallation(): string | null {
  return whyNoPostgres() ?? whyNoCeph()
}

/**
 * Tests over an installation that exists from the first hook to the last test. Skipped where
 * impossible, or with the reason in `lacking`. `name` is the name of the database and of the
 * prefix.
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
