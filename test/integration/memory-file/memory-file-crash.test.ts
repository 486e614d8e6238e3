import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, readdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { newId } from '../../../src/ids.ts'
import { nothingSynced, syncCommit, syncFiles } from '../../../src/memory-file/sync-files.ts'
import { chunk, unit, withMemoryFile } from './memory-file-fixture.ts'

const WRITER = join(import.meta.dirname, 'memory-file-writer.ts')

test('a kill loses no acknowledged chunk, doubles none, and leaves a memory that takes more', () =>
  withMemoryFile(async ({ directory, reopen }) => {
    const memory = newId('mem')
    const acknowledged = new Set<string>()
    for (const killAfter of [1, 7, 20]) {
      const writer = spawn(process.execPath, [WRITER, directory, memory], { stdio: ['ignore', 'pipe', 'inherit'] })
      const gone = new Promise((resolve) => writer.once('exit', resolve))
      let seen = 0
      for await (const documentId of createInterface({ input: writer.stdout })) {
        acknowledged.add(documentId)
        seen += 1
        if (seen === killAfter) writer.kill('SIGKILL')
      }
      await gone
      const file = await reopen()
      const counts = await file.count(memory)
      for (const documentId of acknowledged) assert.equal(counts.get(documentId), 2)
      assert.equal((await file.searchLexical(memory, ['word'], 10_000)).length, [...counts.values()].length * 2)
      await file.add(memory, [chunk({ terms: 'after' })])
      await file.remove(memory, [(await file.searchLexical(memory, ['after'], 1))[0]?.documentId ?? ''])
      await file.close()
    }
  }))

test('a newest version torn by a loss of power is set aside, and everything before it stands', () =>
  withMemoryFile(async ({ file, directory, reopen }) => {
    const memory = newId('mem')
    const first = chunk({})
    await file.add(memory, [first])
    await file.add(memory, [chunk({})])
    await file.close()
    const versions = join(directory, 'memories', `${memory}.lance`, '_versions')
    const [newest] = (await readdir(versions)).sort()
    await truncate(join(versions, newest ?? assert.fail()), 0)
    const again = await reopen()
    assert.equal((await again.searchLexical(memory, ['word'], 5))[0]?.documentId, first.documentId)
    await again.add(memory, [chunk({})])
    assert.equal((await again.searchVector(memory, unit(0), 5)).length, 2)
  }))

test('what is flushed are the files of chunks, versions and indexes', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    await file.add(memory, [chunk({})])
    const folder = join(directory, 'memories', `${memory}.lance`)
    const flushed = nothingSynced()
    await syncFiles(folder, flushed, 1)
    const names = [...flushed.paths].map((path) => path.slice(folder.length + 1).split(/[\\/]/)[0])
    assert.deepEqual(new Set(names), new Set(['_indices', '_versions', 'data']))
  }))

test('a commit flushes all that it wrote, without looking at what was there', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    const folder = join(directory, 'memories', `${memory}.lance`)
    const first = chunk({})
    await file.add(memory, [first])
    const flushed = nothingSynced()
    await syncFiles(folder, flushed, await newestVersion(folder))
    const stray = join(folder, 'data', 'stray.lance')
    await writeFile(stray, '')
    for (const row of [chunk({}), { ...first, text: 'Other words.' }, chunk({})]) {
      await file.add(memory, [row])
      await syncCommit(folder, flushed, await newestVersion(folder))
    }
    const all = nothingSynced()
    await syncFiles(folder, all, 1)
    assert.deepEqual(
      [...all.paths].filter((path) => !flushed.paths.has(path)),
      [stray],
    )
  }))

test('a commit behind versions that were not seen flushes everything', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    const folder = join(directory, 'memories', `${memory}.lance`)
    await file.add(memory, [chunk({})])
    const flushed = nothingSynced()
    await syncFiles(folder, flushed, await newestVersion(folder))
    for (let add = 0; add < 2; add++) await file.add(memory, [chunk({})])
    await file.maintain(memory)
    await file.add(memory, [chunk({})])
    await syncCommit(folder, flushed, await newestVersion(folder))
    const all = nothingSynced()
    await syncFiles(folder, all, 1)
    assert.deepEqual([...all.paths].sort(), [...flushed.paths].sort())
  }))

test('files that vanished are forgotten', () =>
  withMemoryFile(async ({ directory }) => {
    const folder = join(directory, 'some')
    await mkdir(folder)
    const flushed = { paths: new Set([join(folder, 'gone')]), version: null }
    await syncFiles(folder, flushed, 1)
    assert.equal(flushed.paths.size, 0)
  }))

/** Lance names manifests by their distance from the last version there can be. */
async function newestVersion(folder: string): Promise<number> {
  const [newest] = (await readdir(join(folder, '_versions'))).sort()
  return Number(2n ** 64n - 1n - BigInt(newest?.replace('.manifest', '') ?? assert.fail()))
}
