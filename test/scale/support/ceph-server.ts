/**
 * A single-machine Ceph cluster with S3 gateway on loopback and in memory: the store of the
 * multi-node tests. The daemons are children of the test in a temporary folder, and end with the
 * test.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { cephConfiguration } from './ceph-configuration.ts'
import { requirePrograms } from './installed-programs.ts'

/** A running cluster. */
export type CephServer = {
  endpoint: string
  port: number
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** The settings of a service with its objects under a prefix of this store. */
  settings(prefix: string, endpoint?: string): Record<string, string>
  /** Kills the gateway without warning; stored objects remain. */
  killGateway(): Promise<void>
  startGateway(): Promise<void>
  stop(): Promise<void>
}

const PROGRAMS = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph', 'ceph-authtool']
const PACKAGES = ['ceph-mon', 'ceph-osd', 'ceph-common', 'radosgw']
const POOLS = [
  '.rgw.root',
  'default.rgw.log',
  'default.rgw.control',
  'default.rgw.meta',
  'default.rgw.buckets.index',
  'default.rgw.buckets.data',
  'default.rgw.buckets.non-ec',
]
const CAPABILITIES = {
  'mon.': ['mon', 'allow *'],
  'client.admin': ['mon', 'allow *', 'osd', 'allow *', 'mgr', 'allow *'],
  'osd.0': ['mon', 'allow profile osd', 'osd', 'allow *'],
  'client.rgw.0': ['mon', 'allow rwx', 'osd', 'allow rwx'],
} as const
const START_MS = 90_000
const BUCKET = 'recollect-test'

/**
 * The reason why this machine cannot run a cluster; `null` where possible. Installs Ceph where
 * allowed.
 */
export function whyNoCeph(): string | null {
  return requirePrograms(PROGRAMS, PACKAGES)
}

/** Starts a cluster with an empty bucket; takes some five seconds and 300 MB. */
export async function startCeph(): Promise<CephServer> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-ceph-'))
  for (const name of ['mon', 'osd', 'rgw', 'run', 'log']) await mkdir(join(folder, name))
  const [monitor, gateway] = [await freePort(), await freePort()]
  const configuration = join(folder, 'ceph.conf')
  await writeFile(configuration, cephConfiguration(folder, randomUUID(), { monitor, gateway }))
  const daemons = createDaemons(configuration)
  const [accessKeyId, secretAccessKey] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')]
  const endpoint = `http://127.0.0.1:${gateway}`
  try {
    await startCluster(folder, daemons)
    const user = ['--uid', 'test', '--display-name', 'test', '--access-key', accessKeyId, '--secret', secretAccessKey]
    await daemons.run('radosgw-admin', ['user', 'create', ...user])
    daemons.start('radosgw', ['-n', 'client.rgw.0'])
    await answering(endpoint)
    await makeBucket(endpoint, { accessKeyId, secretAccessKey })
  } catch (error) {
    await daemons.stop()
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return {
    endpoint,
    port: gateway,
    bucket: BUCKET,
    accessKeyId,
    secretAccessKey,
    settings: (prefix, through = endpoint) => ({
      RECOLLECT_OBJECT_STORE_URL: `s3://${BUCKET}/${prefix}`,
      RECOLLECT_S3_ENDPOINT: through,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    }),
    killGateway: () => daemons.kill('radosgw'),
    async startGateway() {
      daemons.start('radosgw', ['-n', 'client.rgw.0'])
      await answering(endpoint)
    },
    async stop() {
      await daemons.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Daemons = ReturnType<typeof createDaemons>

/** The processes of the cluster: daemons in the foreground, and commands that end. */
function createDaemons(configuration: string) {
  const running = new Map<string, ChildProcess>()
  const env = { ...process.env, CEPH_CONF: configuration, CEPH_ARGS: `--conf ${configuration}` }
  const kill = async (program: string) => {
    const child = running.get(program)
    running.delete(program)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  // A crashing test must not leave daemons behind.
  process.once('exit', () => {
    for (const child of running.values()) child.kill('SIGKILL')
  })
  return {
    run: (program: string, args: readonly string[]) =>
      promisify(execFile)(program, [...args], { env, timeout: START_MS }),
    /**
     * Runs commands in the cluster with one start of the program, which takes most of the time.
     * Rejects with a refused command.
     */
    async tell(commands: readonly string[]): Promise<void> {
      const told = promisify(execFile)('ceph', [], { env, timeout: START_MS })
      told.child.stdin?.end(`${commands.join('\n')}\n`)
      const { stderr } = await told
      if (/^(Error|Invalid command|no valid command)/m.test(stderr)) throw new Error(`ceph: ${stderr}`)
    },
    start(program: string, args: readonly string[]) {
      running.set(program, spawn(program, ['-f', ...args], { env, stdio: 'ignore' }))
    },
    kill,
    async stop() {
      for (const program of ['radosgw', 'ceph-osd', 'ceph-mon']) await kill(program)
    },
  }
}

async function startCluster(folder: string, { run, tell, start }: Daemons): Promise<void> {
  const keyring = join(folder, 'keyring')
  for (const [name, capabilities] of Object.entries(CAPABILITIES)) {
    const create = name === 'mon.' ? ['-C'] : []
    const caps = Array.from({ length: capabilities.length / 2 }, (_, i) => [
      '--cap',
      ...capabilities.slice(2 * i, 2 * i + 2),
    ])
    await run('ceph-authtool', [...create, '-n', name, '--gen-key', ...caps.flat(), keyring])
  }
  await run('ceph-mon', ['-i', 'a', '--mkfs', '--keyring', keyring])
  start('ceph-mon', ['-i', 'a'])
  const store = randomUUID()
  await run('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', store])
  await tell([`osd new ${store} 0`, 'osd crush add osd.0 1 root=default host=localhost'])
  start('ceph-osd', ['-i', '0'])
  await tell(POOLS.map((pool) => `osd pool create ${pool} 4 4`))
}

async function answering(endpoint: string): Promise<void> {
  const until = Date.now() + START_MS
  for (;;) {
    const answered = await fetch(endpoint).then(
      (response) => response.ok,
      () => false,
    )
    if (answered) return
    if (Date.now() > until) throw new Error(`the S3 gateway did not answer within ${START_MS} ms`)
    await pause(50)
  }
}

async function makeBucket(endpoint: string, credentials: { accessKeyId: string; secretAccessKey: string }) {
  const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  client.destroy()
}

/** A currently free port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
