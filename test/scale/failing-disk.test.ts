/**
 * The service on a disk that fails under writers: every flush fails, or some flushes, or others
 * fill the disk. Acknowledged data remains, refused data leaves nothing, and no restart is needed.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { spawnProduct } from '../spec/product.ts'
import { createService, type Service } from '../spec/service.ts'
import { auditDataFolder } from './audit.ts'
import { checkEverything } from './checker.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { makeMemories } from './make-memories.ts'
import { createRandom } from './random.ts'
import { makeFailingFsync, whyNoFailingFsync } from './support/failing-fsync.ts'
import { unlessLacking } from './support/installed-programs.ts'
import { mountSmallDisk } from './support/small-disk.ts'
import { type Written, write } from './writer.ts'

const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000)
const WRITERS = 4
const DISK_MB = 96
/** The length of the alternating working and failing phases. */
const PHASE_MS = 2500
/** The limit for a start that must fail. */
const START_MS = 60_000
/** Questions with a key, asked while nothing can be forced to the disk. */
const KEYED = 5
/** Log lines shown by a failure. */
const LAST_LINES = 15
const FULL = 'the disk is full; make room and start it again'
const NO_COMPILER = whyNoFailingFsync()

// In parallel: each test waits for the sweep, which runs every minute.
describe('the service on a disk that fails', { concurrency: 3 }, () => {
  const folders: string[] = []
  const services: Service[] = []
  after(async () => {
    await Promise.allSettled(services.map((service) => service.dispose()))
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  async function makeFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-disk-'))
    folders.push(folder)
    return folder
  }

  function create(settings: Readonly<Record<string, string>>): Service {
    const service = createService({ RECOLLECT_LOG_LEVEL: 'info', ...settings })
    services.push(service)
    return service
  }

  /** Runs writers through all phases in sequence; returns the sum of their work. */
  async function writeThrough(
    { service, ledger, refusals }: { service: Service; ledger: Ledger; refusals: readonly number[] },
    phases: readonly (() => unknown)[],
  ): Promise<Written> {
    const random = createRandom(SEED + ledger.entries.size)
    const [memory] = await makeMemories(service, ledger, 1)
    assert.ok(memory)
    let isOver = false
    const writers = Array.from({ length: WRITERS }, (_, index) =>
      write({ service, ledger, random: random.fork(), memory, index, refusals }, () => isOver),
    )
    const all = Promise.all(writers)
    for (const begin of phases) {
      await begin()
      await Promise.race([all, pause(PHASE_MS)])
    }
    isOver = true
    return (await all).reduce((one, other) => ({
      acknowledged: one.acknowledged + other.acknowledged,
      refused: one.refused + other.refused,
      found: one.found + other.found,
    }))
  }

  test('refuses writes it cannot flush with 503, and recovers', unlessLacking(NO_COMPILER), async (context) => {
    context.diagnostic(`SOAK_SEED=${SEED}`)
    const { settings, set } = makeFailingFsync(await makeFolder())
    const service = create(settings)
    await service.start()
    const ledger = createLedger(createRandom(SEED))
    const held = { nodes: [service], ledger, auditStorage: () => auditDataFolder(service.dataDirectory) }
    const phases = [0, 100, 0, 30, 5].map((percent) => () => set(percent))
    const written = await writeThrough({ service, ledger, refusals: [503] }, phases)
    context.diagnostic(JSON.stringify(written))
    assert.ok(written.refused > 0 && written.found > 0, 'nothing failed, or everything')
    set(100)
    const memoryId = [...ledger.memories][0]?.id
    const refused = await service.post(`/v1/memories/${memoryId}/documents`, {
      documents: [{ title: 'refused', text: 'It is never to be seen.' }],
    })
    assert.equal(refused.status, 503)
    // Clients send a key with every POST; the first commits may fit into a log without a flush.
    for (let times = 0; times < KEYED; times += 1) {
      const headers = { 'idempotency-key': randomUUID() }
      const asked = await service.post(`/v1/memories/${memoryId}/find`, { query: 'refused' }, { headers })
      assert.equal(asked.status, 200, JSON.stringify(asked.json))
    }
    set(0)
    assert.deepEqual(await checkEverything(held), [], 'in the same process')
    await service.crash()
    assert.deepEqual(await checkEverything(held), [], 'after a kill')
  })

  test('refuses writes without space with 507, keeps reading, and recovers, also after a kill and a failed start', async (context) => {
    const disk = await mountSmallDisk(join(await makeFolder(), 'disk'), DISK_MB)
    if (disk === null) return context.skip('this process may not mount a disk')
    context.diagnostic(`SOAK_SEED=${SEED}`)
    const dataDirectory = join(disk.path, 'data')
    const service = create({ RECOLLECT_DATA_DIR: dataDirectory })
    try {
      await service.start()
      const ledger = createLedger(createRandom(SEED))
      const held = { nodes: [service], ledger, auditStorage: () => auditDataFolder(dataDirectory) }
      const written = await writeThrough({ service, ledger, refusals: [507] }, [
        disk.free,
        disk.fill,
        disk.free,
        disk.fill,
        disk.free,
      ])
      context.diagnostic(JSON.stringify(written))
      assert.ok(written.refused > 0 && written.found > 0, 'nothing failed, or everything')
      assert.deepEqual(await checkEverything(held), [], 'in the same process')
      await disk.fill()
      await service.kill()
      // A start takes the reserve for deletions. Leftovers of refused adds go as well.
      await rm(join(dataDirectory, 'objects', 'reserve'), { force: true })
      await disk.fill()
      await refuseToStart(dataDirectory)
      await disk.free()
      await service.start()
      assert.deepEqual(await checkEverything(held), [], 'after a kill on the full disk')
      await service.stop()
    } catch (error) {
      for (const line of lastComplaints(service)) context.diagnostic(line)
      throw error
    } finally {
      await service.kill()
      await disk.remove()
    }
  })

  test('starts on no full disk, says why, and starts there when there is room', async (context) => {
    const disk = await mountSmallDisk(join(await makeFolder(), 'disk'), DISK_MB)
    if (disk === null) return context.skip('this process may not mount a disk')
    const dataDirectory = join(disk.path, 'data')
    const service = create({ RECOLLECT_DATA_DIR: dataDirectory })
    try {
      await disk.fill()
      await refuseToStart(dataDirectory)
      await disk.free()
      await service.start()
      const ledger = createLedger(createRandom(SEED))
      await makeMemories(service, ledger, 1)
      const auditStorage = () => auditDataFolder(dataDirectory)
      assert.deepEqual(await checkEverything({ nodes: [service], ledger, auditStorage }), [])
      await service.stop()
    } finally {
      await service.kill()
      await disk.remove()
    }
  })
})

/** The latest errors in the log. */
function lastComplaints(service: Service): string[] {
  const lines = service.output().split('\n')
  return lines.filter((line) => /"level":"(?:warn|error)"/.test(line)).slice(-LAST_LINES)
}

async function refuseToStart(dataDirectory: string): Promise<void> {
  const child = spawnProduct({ RECOLLECT_DATA_DIR: dataDirectory, RECOLLECT_PORT: '0' })
  const late = setTimeout(() => void child.end('SIGKILL'), START_MS)
  const { code, output } = await child.ended()
  clearTimeout(late)
  assert.deepEqual([code, output], [1, `Recollect cannot start: ${FULL} (data folder: ${dataDirectory}).\n`])
}
