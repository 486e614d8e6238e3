import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { createService, useService } from './service.ts'
import type { List, Source } from './shapes.ts'
import { assertRun, documentsByKey, endOfRun, makeSource, readSource, runAgain } from './source-steps.ts'
import { find, makeKey, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const root = await realpath(await mkdtemp(join(tmpdir(), 'recollect-sources-')))
after(() => rm(root, { recursive: true, force: true }))
const allowed = join(root, 'allowed')
await mkdir(allowed)
await mkdir(join(root, 'secret'))
await writeFile(join(root, 'secret', 'plan.txt'), 'The plan of the bank is secret.')

const service = useService({ RECOLLECT_SOURCE_FOLDERS: allowed })
const closed = createService()
after(() => closed.dispose())

/** A new folder with these files below the allowed one. */
async function makeFolder(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(allowed, name)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

const folderSource = (path: string, more: object = {}) => ({ type: 'folder', folder: { path }, ...more })

test('a folder is followed: new, changed and missing files become new, replaced and removed documents', async () => {
  verifies('sources.create', 'sources.folder', 'sources.folder.unchanged')
  const memory = await makeMemory(service)
  const files = { 'a.md': '# Gate\n\nThe gate opens at nine.', 'sub/b.txt': 'Cats sleep all day.', 'c.txt': 'Rain.' }
  const folder = await makeFolder('followed', files)
  const id = await makeSource(service, memory, folderSource(folder, { tags: ['house'], metadata: { floor: 2 } }))
  const first = await endOfRun(service, memory, id)
  assertRun(first, 'completed', { added: 3 })
  assert.deepEqual([first.documentCount, first.status, first.nextRunAt], [3, 'idle', null])
  const before = await documentsByKey(service, memory)
  assert.deepEqual([...before.keys()].sort(), ['a.md', 'c.txt', 'sub/b.txt'])
  const { tags, metadata } = before.get('a.md') ?? {}
  assert.deepEqual([tags, metadata], [['house'], { floor: 2, sourceId: id }])
  assertRun(await runAgain(service, memory, id), 'completed', { unchanged: 3 })
  await writeFile(join(folder, 'a.md'), '# Gate\n\nThe gate opens at ten.')
  await utimes(join(folder, 'sub/b.txt'), new Date(), new Date())
  await rm(join(folder, 'c.txt'))
  await writeFile(join(folder, 'd.txt'), 'Snow falls.')
  assertRun(await runAgain(service, memory, id), 'completed', { added: 1, changed: 1, removed: 1, unchanged: 1 })
  const later = await documentsByKey(service, memory)
  assert.deepEqual([...later.keys()].sort(), ['a.md', 'd.txt', 'sub/b.txt'])
  assert.equal(later.get('sub/b.txt')?.id, before.get('sub/b.txt')?.id)
  assert.notEqual(later.get('a.md')?.id, before.get('a.md')?.id)
  const { hits } = await find(service, memory, 'When does the gate open?')
  assert.match(hits[0]?.text ?? '', /at ten/)
  const list = await service.get<List<'sources', Source>>(`/v1/memories/${memory}/sources`)
  assert.deepEqual([list.json.total, list.json.sources[0]?.id], [1, id])
})

test('files are left out by name, ignore file, exclude and type, and no link leads out', async () => {
  verifies('sources.folder.ignored', 'sources.folder.links')
  const memory = await makeMemory(service)
  const files = {
    'a.md': 'A.',
    '.env.txt': 'hidden',
    'old/x.md': 'old',
    'draft.md': 'draft',
    'tool.exe': 'binary',
    'all.zip': 'PK',
    [`${'d/'.repeat(41)}deep.txt`]: 'Deep.',
  }
  const folder = await makeFolder('ignored', {
    ...files,
    '.recollectignore': '# a/**/b/**/c/**/d\nold/\n',
    'keep.md': 'K.',
  })
  await symlink(join(root, 'secret', 'plan.txt'), join(folder, 'plan.txt'))
  await symlink(join(root, 'secret'), join(folder, 'plans'))
  await symlink('/', join(folder, 'machine'))
  await symlink('keep.md', join(folder, 'link.md'))
  await symlink('loop.md', join(folder, 'loop.md'))
  const sent = { type: 'folder', folder: { path: folder, exclude: ['draft.*'] } }
  const source = await endOfRun(service, memory, await makeSource(service, memory, sent))
  assert.deepEqual([...(await documentsByKey(service, memory)).keys()].sort(), ['a.md', 'keep.md', 'link.md'])
  assertRun(source, 'partial', { added: 3, skipped: 6, failed: 1 })
  const reasons = new Map(source.lastRun?.problems.map(({ item, reason }) => [item, reason]))
  for (const link of ['plan.txt', 'plans', 'machine']) assert.match(reasons.get(link) ?? '', /leads out/)
  assert.match(reasons.get('tool.exe') ?? '', /file type/)
  assert.match(reasons.get('all.zip') ?? '', /Unpack/)
  assert.match(reasons.get('loop.md') ?? '', /itself/)
})

test('a slow pattern of an ignore file is named as the reason', async () => {
  verifies('sources.folder.ignored')
  const memory = await makeMemory(service)
  const folder = await makeFolder('slow', { 'a.md': 'A.', '.recollectignore': 'a/**/b/**/c/**/d\n' })
  const source = await endOfRun(service, memory, await makeSource(service, memory, folderSource(folder)))
  assertRun(source, 'failed', {})
  assert.match(source.lastRun?.reason ?? '', /The pattern a\/\*\*\/b\/\*\*\/c\/\*\*\/d has/)
})

test('only allowed folders are sources', async () => {
  verifies('sources.folder.allowed', 'errors.403.source_not_allowed')
  const memory = await makeMemory(service)
  await symlink(join(root, 'secret'), join(allowed, 'door'))
  const path = `/v1/memories/${memory}/sources`
  for (const folder of [join(root, 'secret'), '/etc', join(allowed, '../secret'), join(allowed, 'door'), `${allowed}x`])
    assertError(await service.post(path, folderSource(folder)), 403, 'source_not_allowed')
  assertError(await service.post(path, folderSource('relative')), 400, 'validation_failed', 'folder.path')
  assertError(await service.post(path, folderSource(join(allowed, 'none'))), 400, 'validation_failed', 'folder.path')
  await closed.start()
  const other = await makeMemory(closed)
  const refused = await closed.post(`/v1/memories/${other}/sources`, folderSource(allowed))
  assertError(refused, 403, 'source_not_allowed')
  assert.match(refused.text, /RECOLLECT_SOURCE_FOLDERS/)
})

test('an unreadable file is reported in each run, without being read again, and read when it changes', async () => {
  verifies('sources.folder.unchanged')
  const memory = await makeMemory(service)
  const folder = await makeFolder('damaged', { 'a.pdf': 'no PDF at all', 'b.md': 'B.' })
  const id = await makeSource(service, memory, folderSource(folder))
  assertRun(await endOfRun(service, memory, id), 'partial', { added: 1, failed: 1 })
  const second = await runAgain(service, memory, id)
  assertRun(second, 'partial', { unchanged: 1, failed: 1 })
  assert.equal(second.lastRun?.problems[0]?.item, 'a.pdf')
  await rm(join(folder, 'a.pdf'))
  assertRun(await runAgain(service, memory, id), 'completed', { unchanged: 1 })
})

test('a folder that is missing or empty keeps its documents', async () => {
  verifies('sources.folder.empty')
  const memory = await makeMemory(service)
  const folder = await makeFolder('mounted', { 'a.md': 'A.', 'b.md': 'B.' })
  const id = await makeSource(service, memory, folderSource(folder))
  await endOfRun(service, memory, id)
  await rename(folder, `${folder}-away`)
  const missing = await runAgain(service, memory, id)
  assertRun(missing, 'failed', {})
  assert.match(missing.lastRun?.reason ?? '', /does not exist/)
  await mkdir(folder)
  const empty = await runAgain(service, memory, id)
  assertRun(empty, 'failed', {})
  assert.match(empty.lastRun?.reason ?? '', /empty/)
  assert.equal((await documentsByKey(service, memory)).size, 2)
})

test('a source is changed, paused, resumed, run and deleted, with or without its documents', async () => {
  verifies('sources.change', 'sources.pause', 'sources.interval', 'sources.delete', 'errors.409.source_paused')
  const memory = await makeMemory(service)
  const folder = await makeFolder('managed', { 'a.md': 'A.' })
  const id = await makeSource(service, memory, folderSource(folder, { paused: true, name: 'Shelf' }))
  const path = `/v1/memories/${memory}/sources/${id}`
  assert.equal((await readSource(service, memory, id)).status, 'paused')
  assertError(await service.post(`${path}/run`, {}), 409, 'source_paused')
  assertStatus(await service.post(`${path}/resume`, {}), 200)
  assertRun(await endOfRun(service, memory, id), 'completed', { added: 1 })
  const changed = await service.call<Source>('PATCH', path, { body: { intervalMinutes: 60, tags: ['x'] } })
  assertStatus(changed, 200)
  const { name, tags, intervalMinutes, status, nextRunAt, lastRun } = changed.json
  assert.deepEqual([name, tags, intervalMinutes, status], ['Shelf', ['x'], 60, 'scheduled'])
  assert.equal(Date.parse(nextRunAt ?? '') - Date.parse(lastRun?.endedAt ?? ''), 3_600_000)
  assertStatus(await service.call('PATCH', path, { body: { intervalMinutes: null } }), 200)
  assert.equal((await readSource(service, memory, id)).status, 'idle')
  assertStatus(await service.delete(path), 204)
  assert.equal((await documentsByKey(service, memory)).size, 1)
  const second = await makeSource(service, memory, folderSource(folder))
  await endOfRun(service, memory, second)
  assertStatus(await service.delete(`/v1/memories/${memory}/sources/${second}?documents=delete`), 204)
  assert.equal((await documentsByKey(service, memory)).size, 0)
})

test('wrong sources are refused with their field, and a memory has at most twenty', async () => {
  verifies('sources.wrong', 'errors.403.source_limit_reached')
  const memory = await makeMemory(service)
  const path = `/v1/memories/${memory}/sources`
  const wrong: [object, string][] = [
    [{ type: 'ftp' }, 'type'],
    [{ type: 'folder' }, 'folder.path'],
    [{ type: 'website' }, 'website'],
    [{ type: 's3' }, 's3.bucket'],
    [{ type: 's3', s3: { bucket: 'Not a bucket' } }, 's3.bucket'],
    [{ type: 's3', s3: { bucket: 'bucket', region: 'a.example/' } }, 's3.region'],
    [{ type: 'folder', website: { startUrls: ['https://example.com/'] } }, 'website'],
    [folderSource(allowed, { intervalMinutes: 0 }), 'intervalMinutes'],
    [{ type: 's3', s3: { bucket: 'bucket', exclude: ['*.tmp', 'a/**/a/**/a/**/b'] } }, 's3.exclude[1]'],
    [{ type: 'folder', folder: { path: allowed, exclude: ['a/**/a/**/a/**/b'] } }, 'folder.exclude[0]'],
  ]
  for (const [body, param] of wrong) assertError(await service.post(path, body), 400, 'validation_failed', param)
  const body = folderSource(allowed, { paused: true })
  const id = await makeSource(service, memory, body)
  assertError(await service.call('PATCH', `${path}/${id}`, { body: {} }), 400, 'validation_failed')
  for (let count = 1; count < 20; count += 1) assertStatus(await service.post(path, body), 201)
  assertError(await service.post(path, body), 403, 'source_limit_reached')
})

test('the sources of a memory are for its keys, and end with it', async () => {
  verifies('sources.access', 'sources.memory', 'errors.404.source_not_found')
  const [memory, other] = [await makeMemory(service), await makeMemory(service)]
  const own = await makeKey(service, memory)
  const id = await makeSource(service, memory, folderSource(allowed, { paused: true }))
  const path = `/v1/memories/${memory}/sources/${id}`
  assertStatus(await service.get(path, { key: own.key }), 200)
  assertError(await service.get(`/v1/memories/${other}/sources/${id}`), 404, 'source_not_found')
  assertError(await service.get(`/v1/memories/${memory}/sources/src_none`), 404, 'source_not_found')
  const foreign = await makeKey(service, other)
  for (const [method, place] of [
    ['GET', path],
    ['PATCH', path],
    ['DELETE', path],
    ['POST', `${path}/run`],
    ['POST', `${path}/pause`],
  ] as const) {
    const request = method === 'PATCH' ? { key: foreign.key, body: { name: 'x' } } : { key: foreign.key }
    assertError(await service.call(method, place, request), 404, 'memory_not_found')
  }
  assertStatus(await service.delete(`/v1/memories/${memory}`), 204)
  assertError(await service.get(path), 404, 'memory_not_found')
})
