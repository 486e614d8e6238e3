/**
 * Reasons that prevent a start: the service exits immediately with a status other than 0 and one
 * sentence on what to do.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrateMetadata } from '../../../src/cli/installation/open-metadata.ts'
import { openSqlite } from '../../../src/database/sqlite/open-sqlite.ts'
import { dataFolder } from '../../../src/files/data-folder.ts'
import { type Ended, hasSmallDisks, PROGRAMS, spawnProduct } from '../../spec/product.ts'
import { silent } from '../services/fixtures.ts'

const PATIENCE_MS = 60_000
const root = await mkdtemp(join(tmpdir(), 'recollect-refused-'))
after(() => rm(root, { recursive: true, force: true }))

/**
 * Starts the service with these settings; a start that does not end is killed, without a status.
 */
async function start(settings: Readonly<Record<string, string>>): Promise<Ended> {
  const child = spawnProduct({ RECOLLECT_PORT: '0', ...settings })
  const late = setTimeout(() => child.end('SIGKILL'), PATIENCE_MS)
  const ended = await child.ended()
  clearTimeout(late)
  return ended
}

async function assertRefused(settings: Readonly<Record<string, string>>, sentence: RegExp): Promise<string> {
  const { code, output } = await start(settings)
  assert.equal(code, 1, output)
  const [line = ''] = output.split('\n').filter((text) => text.startsWith('Recollect cannot start: '))
  assert.match(line, sentence)
  assert.doesNotMatch(output, /\n\s+at /, 'no trace of calls')
  return output
}

test('a data folder that is a file, or lies below one', async () => {
  const file = join(root, 'file')
  await writeFile(file, '')
  await assertRefused({ RECOLLECT_DATA_DIR: file }, /file is not a folder .* set RECOLLECT_DATA_DIR/)
  await assertRefused({ RECOLLECT_DATA_DIR: join(file, 'data') }, /data is not a folder .* set RECOLLECT_DATA_DIR/)
})

test('a data folder that can be nowhere does not keep the start busy for ever', {
  skip: process.platform !== 'linux',
}, async () => {
  await assertRefused(
    { RECOLLECT_DATA_DIR: '/proc/recollect' },
    /\/proc\/recollect is not a folder .* RECOLLECT_DATA_DIR/,
  )
})

test('a data folder on a disk that is mounted to be read only', { skip: !hasSmallDisks() }, () => {
  const folder = join(root, 'disk')
  const mount = `mkdir '${folder}' && mount -t tmpfs tmpfs '${folder}' && mkdir '${folder}/there' && mount -o remount,ro '${folder}'`
  for (const name of ['there', 'new']) {
    const env = { PATH: process.env['PATH'], RECOLLECT_PORT: '0', RECOLLECT_DATA_DIR: join(folder, name) }
    const script = `${mount} && exec '${process.execPath}' '${PROGRAMS.service}'`
    const { status, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script], { env, timeout: PATIENCE_MS })
    assert.equal(status, 1, stderr.toString())
    assert.match(stderr.toString(), /cannot start: the disk of .*(there|new) is mounted to be read only; mount it/)
    spawnSync('rmdir', [folder])
  }
})

test('memory files without their database, which stay unchanged', async () => {
  const folder = join(root, 'bereft')
  await mkdir(join(folder, 'memories', 'mem_01h455vb4pex5vsknk084sn02q.lance'), { recursive: true })
  const missing = /recollect\.sqlite is missing beside 1 memory file; restore it from a backup/
  await assertRefused({ RECOLLECT_DATA_DIR: folder }, missing)
  await assert.rejects(migrateMetadata({ environment: { RECOLLECT_DATA_DIR: folder }, log: silent }), missing)
  assert.ok(!(await readdir(folder)).includes('recollect.sqlite'))
  await rm(join(folder, 'memories'), { recursive: true })
  await migrateMetadata({ environment: { RECOLLECT_DATA_DIR: folder }, log: silent })
})

test('a database of a newer version, which stays unchanged, and a file that is not a database', async () => {
  const [newer, none] = [join(root, 'newer'), join(root, 'none')]
  await migrateMetadata({ environment: { RECOLLECT_DATA_DIR: newer }, log: silent })
  const store = await openSqlite({ path: dataFolder(newer).database })
  await store.db
    .insertInto('migrations' as never)
    .values({ name: '9999-later', applied_at: '' } as never)
    .execute()
  await store.close()
  await assertRefused({ RECOLLECT_DATA_DIR: newer }, /newer version of Recollect \(9999-later\); start that version/)
  await mkdir(none)
  await writeFile(dataFolder(none).database, 'not a database, and longer than the head of one: '.repeat(20))
  await assertRefused({ RECOLLECT_DATA_DIR: none }, /database in .* is damaged \(.*\); restore a backup/)
  assert.ok((await readdir(none)).includes('recollect.sqlite'))
})

const KEY = /\brcl_\w{46}\b/

test('an address that is not of this machine, and a port that is taken, where no key is made', async () => {
  const folder = join(root, 'first')
  const elsewhere = { RECOLLECT_DATA_DIR: join(root, 'elsewhere'), RECOLLECT_HOST: '192.0.2.1' }
  await assertRefused(elsewhere, /no address 192\.0\.2\.1; set RECOLLECT_HOST/)
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const output = await assertRefused(
    { RECOLLECT_DATA_DIR: folder, RECOLLECT_PORT: String(port) },
    new RegExp(`port ${port} of 127\\.0\\.0\\.1 is taken; set RECOLLECT_PORT`),
  )
  other.close()
  assert.doesNotMatch(output, KEY)
  const child = spawnProduct({ RECOLLECT_DATA_DIR: folder, RECOLLECT_PORT: '0' })
  const address = await child.address(PATIENCE_MS)
  const key = await child.printed(KEY, PATIENCE_MS)
  const { status } = await fetch(`${address}/v1/account`, { headers: { authorization: `Bearer ${key}` } })
  await child.end('SIGTERM')
  assert.equal(status, 200)
})
