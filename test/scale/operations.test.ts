/**
 * Operator tasks on real servers: move a data folder, back up under writes, restore, run the
 * doctor.
 */
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { moveInstallation } from '../../src/cli/installation/move-installation.ts'
import { openStorageDoctor } from '../../src/cli/installation/open-storage-doctor.ts'
import { mapConcurrent } from '../../src/concurrency/map-concurrent.ts'
import type { IntegrityIssue } from '../../src/services/doctor/integrity-issues.ts'
import { assertStatus } from '../spec/answer.ts'
import { createService, type Service } from '../spec/service.ts'
import { addText, find, listDocuments, makeMemory, readMemory, upload } from '../spec/steps.ts'
import { type CephServer, startCeph, whyNoCeph } from './support/ceph-server.ts'
import { unlessLacking } from './support/installed-programs.ts'
import { type PostgresServer, startPostgres, whyNoPostgres } from './support/postgres-server.ts'
import { s3Files } from './support/s3-place.ts'

const reason = whyNoPostgres() ?? whyNoCeph()
const log = { debug() {}, info() {}, warn() {}, error() {} }
const COMMAND = join(import.meta.dirname, '../../src/cli/main.ts')
const KEY = `operations-${randomUUID()}`
const LARGE = 'The tide comes and goes. '.repeat(1500)
const MAX_BYTES = 100_000_000

describe('an installation on PostgreSQL and S3', unlessLacking(reason), () => {
  let ceph: CephServer
  let postgres: PostgresServer
  let folder: string
  let moved: Service
  let memoryId: string
  const folderService = createService({ RECOLLECT_BOOTSTRAP_KEY: KEY })
  const documents = new Map<string, string>()
  const started: Service[] = [folderService]

  const settingsOf = (database: string, prefix: string) => ({
    ...ceph.settings(prefix),
    RECOLLECT_DATABASE_URL: database,
    RECOLLECT_BOOTSTRAP_KEY: KEY,
  })
  async function startOn(settings: Record<string, string>): Promise<Service> {
    const service = createService({ ...settings, RECOLLECT_LOG_LEVEL: 'info', RECOLLECT_DRAIN_SECONDS: '0' })
    started.push(service)
    await service.start()
    return service
  }
  async function assertAll(service: Service): Promise<void> {
    for (const [id, token] of documents) {
      const { hits } = await find(service, memoryId, token)
      assert.equal(hits[0]?.documentId, id, `${token} is not found`)
      assert.ok((await service.get(`/v1/memories/${memoryId}/documents/${id}/text`)).text.startsWith(token))
    }
  }
  async function examine(settings: Record<string, string>, fix = false): Promise<IntegrityIssue[]> {
    const doctor = await openStorageDoctor({ ...settings, RECOLLECT_DATA_DIR: join(folder, 'doctor') }, log)
    const found: IntegrityIssue[] = []
    for await (const damage of doctor.examine()) {
      found.push(damage)
      if (fix) assert.ok(await doctor.repair(damage), damage.kind)
    }
    await doctor.close()
    return found
  }

  before(async () => {
    assert.equal(reason, null)
    folder = await mkdtemp(join(tmpdir(), 'recollect-operations-'))
    ;[ceph, postgres] = await Promise.all([startCeph(), startPostgres(), folderService.start()])
    memoryId = await makeMemory(folderService)
    for (let count = 0; count < 12; count += 1) {
      const token = `token${randomUUID().slice(0, 8)}`
      documents.set(await addText(folderService, memoryId, `${token} ${count % 3 === 0 ? LARGE : 'is short.'}`), token)
    }
    const original = {
      content: `original${randomUUID().slice(0, 8)} is kept.`,
      filename: 'a.txt',
      options: { storeSource: true },
    }
    const added = await upload(folderService, memoryId, original)
    assertStatus(added, 200)
    documents.set(added.json.documentIds[0] ?? '', original.content.split(' ')[0] ?? '')
  })
  after(async () => {
    await Promise.allSettled(started.map((service) => service.dispose()))
    await postgres?.stop()
    await ceph?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('is made of a data folder, also when that is killed on the way, and the folder stays as it was', async () => {
    const target = settingsOf(await postgres.makeDatabase('moved'), 'moved')
    const environment = { ...target, RECOLLECT_DATA_DIR: folderService.dataDirectory }
    await assert.rejects(moveInstallation({ environment, log, say: () => undefined }), /Another Recollect process/)
    await folderService.stop()
    const before = await hashFolder(folderService.dataDirectory)
    await killWhileMoving(environment)
    const { files, rows, damages } = await moveInstallation({ environment, log, say: () => undefined })
    assert.deepEqual(damages, [])
    assert.equal(rows['documents'], documents.size)
    assert.ok(files > documents.size / 3)
    assert.deepEqual(await hashFolder(folderService.dataDirectory), before)
    moved = await startOn(target)
    await assertAll(moved)
    await folderService.start()
    const [there, here] = [await readMemory(moved, memoryId), await readMemory(folderService, memoryId)]
    assert.deepEqual(there, here)
    const list = ({ documents }: Awaited<ReturnType<typeof listDocuments>>) => documents.map(({ id }) => id)
    assert.deepEqual(list(await listDocuments(moved, memoryId)), list(await listDocuments(folderService, memoryId)))
    documents.set(await addText(moved, memoryId, 'tokenafterwards comes more'), 'tokenafterwards')
  })

  test('is not made where something is already', async () => {
    await folderService.stop()
    const say = () => undefined
    const source = { RECOLLECT_DATA_DIR: folderService.dataDirectory }
    const again = { ...settingsOf(postgres.url.replace(/[^/]+$/, 'moved'), 'moved'), ...source }
    await assert.rejects(moveInstallation({ environment: again, log, say }), /database is not empty/)
    const other = { ...settingsOf(await postgres.makeDatabase('other'), 'moved'), ...source }
    await assert.rejects(moveInstallation({ environment: other, log, say }), /bucket is not empty/)
  })

  test('is restored from a dump and a copy of the bucket that were made while it was written to', async (t) => {
    if (spawnSync('pg_dump', ['--version']).status !== 0) return t.skip('pg_dump is not installed')
    let isWriting = true
    const writing = (async () => {
      while (isWriting) await addText(moved, memoryId, `${randomUUID()} ${LARGE}`)
    })()
    const dump = join(folder, 'recollect.dump')
    const run = promisify(execFile)
    await run('pg_dump', ['--format=custom', '--file', dump, postgres.url.replace(/[^/]+$/, 'moved')])
    const isVersion = (key: string) => key.includes('/_versions/')
    await copyBucket('moved/', 'restored/', isVersion)
    await copyBucket('moved/', 'restored/', (key) => !isVersion(key))
    isWriting = false
    await writing
    const database = await postgres.makeDatabase('restored')
    await run('pg_restore', ['--no-owner', '--dbname', database, dump])
    const settings = settingsOf(database, 'restored')
    // Documents added after the dump exist without a row.
    for (const { kind } of await examine(settings, true)) assert.equal(kind, 'forgotten_document')
    assert.deepEqual(await examine(settings), [])
    const restored = await startOn(settings)
    await assertAll(restored)
    await addText(restored, memoryId, 'and goes on')
  })

  test('is checked and repaired while the service runs', async () => {
    const settings = settingsOf(postgres.url.replace(/[^/]+$/, 'moved'), 'moved')
    assert.deepEqual(await examine(settings), [])
    const lost = `memories/${memoryId}/documents/doc_01m7zc2beke06rnm39mae4yck6/text`
    await s3Files(ceph).putNew(`moved/objects/${lost}`, Buffer.from('lost'))
    assert.deepEqual(
      (await examine(settings, true)).map(({ kind }) => kind),
      ['forgotten_document'],
    )
    assert.deepEqual(await examine(settings), [])
    await assertAll(moved)
  })

  /** Moves with the command line and kills the process after the first write to the bucket. */
  async function killWhileMoving(environment: Record<string, string>): Promise<void> {
    const child = spawn(process.execPath, [COMMAND, 'move'], {
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    while (child.exitCode === null && (await s3Files(ceph).listKeys('moved/objects/')).length < 2);
    child.kill('SIGKILL')
    await ended
    assert.equal(child.signalCode, 'SIGKILL', 'it had ended before')
  }

  async function copyBucket(from: string, to: string, isChosen: (key: string) => boolean): Promise<void> {
    const files = s3Files(ceph)
    const keys = (await files.listKeys(from)).filter(isChosen)
    await mapConcurrent(keys, 8, async (key) => {
      const object = await files.readRange(key, 0, MAX_BYTES)
      if (object !== null) await files.putNew(to + key.slice(from.length), object.content)
    })
  }
})

/** Hashes every file except SQLite's log and shared memory, which readers create. */
async function hashFolder(folder: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || /-(wal|shm)$/.test(path)) continue
    hashes[path] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  }
  return hashes
}
