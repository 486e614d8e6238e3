import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { runProgram } from '../../../src/cli/program.ts'
import { useService } from '../../spec/service.ts'
import { documentsByKey } from '../../spec/source-steps.ts'
import { addText, makeMemory } from '../../spec/steps.ts'
import { fakeCliContext } from '../../support/fake-cli-context.ts'

const service = useService({ RECOLLECT_SOURCE_FOLDERS: tmpdir() })

async function makeFolder(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-sync-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

function start(args: readonly string[], signal?: AbortSignal) {
  const environment = { RECOLLECT_URL: service.url, RECOLLECT_API_KEY: service.bootstrapKey }
  const { context, written } = fakeCliContext({ environment, fetch: globalThis.fetch, ...(signal && { signal }) })
  return { written, ended: runProgram(args, context) }
}

async function run(...args: string[]) {
  const { written, ended } = start(args)
  return { status: await ended, ...written }
}

const keysOf = async (memory: string) => [...(await documentsByKey(service, memory)).keys()].sort()

test('a folder is synchronized: new, changed and missing files, by path, and nothing twice', async (t) => {
  const memory = await makeMemory(service)
  const files = {
    'a.md': 'Gate at nine.',
    'sub/b.txt': 'Cats sleep.',
    'c.md': 'Rain.',
    'tool.exe': 'x',
    '.env.md': 'hidden',
  }
  const folder = await makeFolder(t, { ...files, 'old/x.md': 'old', '.recollectignore': 'old/\n' })
  await symlink('/etc/hostname', join(folder, 'host.txt'))
  const dry = await run('sync', '-m', memory, folder, '--dry-run')
  assert.match(dry.error, /^Dry run: 3 added, 0 replaced, 0 deleted, 0 unchanged, 2 skipped\.$/m)
  assert.deepEqual(await keysOf(memory), [])
  const first = await run('sync', '-m', memory, folder, '--tag', 'docs')
  assert.equal(first.status, 0, first.error)
  assert.match(first.error, /^3 added, 0 replaced, 0 deleted, 0 unchanged, 2 skipped\.$/m)
  assert.deepEqual(await keysOf(memory), ['a.md', 'c.md', 'sub/b.txt'])
  const before = await documentsByKey(service, memory)
  assert.deepEqual(before.get('a.md')?.tags, ['docs'])
  await writeFile(join(folder, 'a.md'), 'Gate at ten.')
  await rm(join(folder, 'c.md'))
  await writeFile(join(folder, 'd.md'), 'Snow.')
  const second = await run('sync', '-m', memory, folder, '--json')
  assert.match(second.error, /^1 added, 1 replaced, 1 deleted, 1 unchanged, 2 skipped\.$/m)
  const lines = second.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { path: string; status: string })
  assert.deepEqual(
    lines.filter(({ status }) => status === 'deleted').map(({ path }) => path),
    ['c.md'],
  )
  const later = await documentsByKey(service, memory)
  assert.deepEqual([...later.keys()].sort(), ['a.md', 'd.md', 'sub/b.txt'])
  assert.equal(later.get('sub/b.txt')?.id, before.get('sub/b.txt')?.id)
})

test('documents from elsewhere are left alone, and a name keeps folders apart', async (t) => {
  const memory = await makeMemory(service)
  const own = await addText(service, memory, 'By hand.', { externalId: 'a.md' })
  const [one, other] = [
    await makeFolder(t, { 'a.md': 'One.' }),
    await makeFolder(t, { 'a.md': 'Other.', 'b.md': 'B.' }),
  ]
  const refused = await run('sync', '-m', memory, one)
  assert.equal(refused.status, 1)
  assert.match(refused.out, /^failed +a\.md +The memory has a document of this name/m)
  assert.equal((await run('sync', '-m', memory, one, '--as', 'one')).status, 0)
  assert.equal((await run('sync', '-m', memory, other, '--as', 'other')).status, 0)
  assert.deepEqual(await keysOf(memory), ['a.md', 'one/a.md', 'other/a.md', 'other/b.md'])
  await rm(join(other, 'b.md'))
  await run('sync', '-m', memory, other, '--as', 'other')
  assert.deepEqual(await keysOf(memory), ['a.md', 'one/a.md', 'other/a.md'])
  assert.equal((await documentsByKey(service, memory)).get('a.md')?.id, own)
})

test('an empty or missing folder deletes nothing, and an unreadable file fails alone', async (t) => {
  const memory = await makeMemory(service)
  const folder = await makeFolder(t, { 'a.md': 'A.', 'b.pdf': 'no PDF at all' })
  const first = await run('sync', '-m', memory, folder)
  assert.equal(first.status, 1)
  assert.match(first.error, /^1 added, .* 1 failed\.$/m)
  for (const name of await readdir(folder)) await rm(join(folder, name))
  const empty = await run('sync', '-m', memory, folder)
  assert.deepEqual([empty.status, /kept/.test(empty.error)], [2, true], empty.error)
  assert.equal((await run('sync', '-m', memory, join(folder, 'none'))).status, 2)
  assert.equal((await run('sync', '-m', memory, folder, '--watch', '--dry-run')).status, 2)
  assert.deepEqual(await keysOf(memory), ['a.md'])
})

test('with --watch the memory follows the folder until ^C', { timeout: 60_000 }, async (t) => {
  const memory = await makeMemory(service)
  const folder = await makeFolder(t, { 'a.md': 'A.' })
  const ending = new AbortController()
  const { ended, written } = start(['sync', '-m', memory, folder, '--watch'], ending.signal)
  const until = async (keys: readonly string[]) => {
    while (String(await keysOf(memory)) !== String(keys)) await pause(50)
  }
  await until(['a.md'])
  await writeFile(join(folder, 'b.md'), 'B.')
  await until(['a.md', 'b.md'])
  await rm(join(folder, 'a.md'))
  await until(['b.md'])
  ending.abort()
  assert.equal(await ended, 0, written.error)
})

test('sources are managed from the shell', { timeout: 60_000 }, async (t) => {
  const memory = await makeMemory(service)
  const folder = await makeFolder(t, { 'a.md': 'A.' })
  const added = await run('sources', 'add', '-m', memory, folder, '--name', 'Shelf', '--every', '60')
  const id = added.out.trim()
  assert.match(id, /^src_/)
  while (!/completed/.test((await run('sources', 'list', '-m', memory)).out)) await pause(50)
  assert.match((await run('sources', 'list', '-m', memory)).out, /scheduled +1 .*completed +Shelf/)
  assert.match((await run('sources', 'pause', '-m', memory, id)).error, /is paused/)
  assert.equal((await run('sources', 'run', '-m', memory, id)).status, 1)
  assert.match((await run('sources', 'resume', '-m', memory, id)).error, /is scheduled/)
  const bucket = await run('sources', 'add', '-m', memory, 's3://shelf/docs/', '--json')
  const { s3 } = JSON.parse(bucket.out) as { s3: { bucket: string; prefix: string } }
  assert.deepEqual([s3.bucket, s3.prefix], ['shelf', 'docs/'])
  assert.equal((await run('sources', 'add', '-m', memory, 'ftp://host/x')).status, 2)
  assert.equal((await run('sources', 'remove', '-m', memory, id, '--documents', 'delete')).status, 0)
  assert.deepEqual(await keysOf(memory), [])
})
