import assert from 'node:assert/strict'
import { pbkdf2 } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { writeNewFile } from '../../../src/files/write-new-file.ts'

async function newPath(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-new-file-'))
  t.after(() => rm(folder, { recursive: true }))
  return join(folder, 'file')
}

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

// biome-ignore lint/correctness/useYield: it fails before it gives anything
async function* broken(): AsyncGenerator<Buffer> {
  throw new Error('broken')
}

test('content goes to a new file of its owner', async (t) => {
  const path = await newPath(t)
  await writeNewFile(path, pieces('one ', 'two'))
  assert.equal(await readFile(path, 'utf8'), 'one two')
  assert.equal((await stat(path)).mode & 0o777, 0o600)
})

test('an existing file is unchanged', async (t) => {
  const path = await newPath(t)
  await writeFile(path, 'mine')
  await assert.rejects(writeNewFile(path, pieces('other')), { code: 'EEXIST' })
  assert.equal(await readFile(path, 'utf8'), 'mine')
})

test('after a failed write the file is not created again, so its removal is final', async (t) => {
  const path = await newPath(t)
  // Keeps the threads that open files busy.
  for (let count = 0; count < 16; count++) pbkdf2('', '', 20_000, 64, 'sha512', () => undefined)
  await assert.rejects(writeNewFile(path, broken()), /broken/)
  assert.ok(existsSync(path))
})

async function* same(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* content
}

test('a stream of which nothing comes is ended by a file that cannot be written, and by the signal', async (t) => {
  const path = await newPath(t)
  const left = new AbortController()
  for (const [at, code] of [
    [join(path, 'nowhere'), 'ENOENT'],
    [path, 'ABORT_ERR'],
  ] as const) {
    const silent = new PassThrough()
    silent.write('x')
    const written = writeNewFile(at, silent, { through: same, signal: left.signal })
    setTimeout(() => code === 'ABORT_ERR' && left.abort(), 20)
    await assert.rejects(written, { code })
    assert.ok(silent.destroyed)
  }
})
