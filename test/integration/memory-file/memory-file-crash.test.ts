import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { cpSync, readdirSync, statSync, truncateSync } from 'node:fs'
import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { newId } from '../../../src/ids.ts'
import { createDiskSync, emptySyncState, syncCommit, syncFiles } from '../../../src/memory-file/durability.ts'
import type { FailpointName } from '../../../src/observability/failpoints.ts'
import { chunk, unit, withMemoryFile } from './memory-file-fixture.ts'

const WRITER = join(import.meta.dirname, 'memory-file-writer.ts')

test('a kill loses no acknowledged chunk, doubles none, and leaves a writable memory', () =>
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
      assert.equal(
        (await file.searchLexical(memory, ['word'], { limit: 10_000 })).length,
        [...counts.values()].length * 2,
      )
      await file.add(memory, [chunk({ terms: 'after' })])
      await file.deleteDocuments(memory, [
        (await file.searchLexical(memory, ['after'], { limit: 1 }))[0]?.documentId ?? '',
      ])
      await file.close()
    }
  }))

test('a latest version truncated by a power loss is set aside, and all earlier data remains', () =>
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
    assert.equal((await again.searchLexical(memory, ['word'], { limit: 5 }))[0]?.documentId, first.documentId)
    await again.add(memory, [chunk({})])
    assert.equal((await again.searchVector(memory, unit(0), { limit: 5 })).length, 2)
  }))

const isFile = () => true
const isNoManifest = (path: string) => !path.endsWith('.manifest')

for (const [what, isTorn] of [
  ['all that is new', isFile],
  ['the chunks and indexes of new versions', isNoManifest],
] as const) {
  test(`a loss of power that tears ${what} while a memory file of old is put in order costs nothing acknowledged`, () =>
    withMemoryFile(
      async ({ file, directory, reopen }) => {
        const memory = newId('mem')
        const gone = chunk({})
        for (const one of [gone, chunk({}), chunk({}), chunk({})]) await file.add(memory, [one], { areNew: true })
        await file.deleteDocuments(memory, [gone.documentId])
        const flushed = await readdir(directory, { recursive: true })
        const copy = join(directory, 'copy')
        const copyNow = () => cpSync(join(directory, 'memories'), join(copy, 'memories'), { recursive: true })
        subscribe('recollect:maintenance:compacted', copyNow)
        try {
          await file.maintain(memory)
        } finally {
          unsubscribe('recollect:maintenance:compacted', copyNow)
        }
        await tear(copy, (path) => isTorn(path) && !flushed.includes(path))
        const again = await reopen(copy)
        assert.equal((await again.searchLexical(memory, ['word'], { limit: 5 })).length, 3)
        assert.equal((await again.searchVector(memory, unit(0), { limit: 5 })).length, 3)
        await again.add(memory, [chunk({})])
        await again.maintain(memory)
        assert.equal((await again.searchLexical(memory, ['word'], { limit: 5 })).length, 4)
      },
      { now: () => new Date(Date.now() + 11 * 60_000) },
    ))
}

test('a power loss after an unacknowledged commit loses only this commit', () =>
  withMemoryFile(async ({ file, directory, reopen }) => {
    const memory = newId('mem')
    const [first, second] = [chunk({}), chunk({})]
    await file.add(memory, [first, second])
    const before = await readdir(directory, { recursive: true })
    for (const isAdd of [true, false]) {
      const writer = await reopen()
      await (isAdd ? writer.add(memory, [chunk({})]) : writer.deleteDocuments(memory, [second.documentId]))
      await tear(directory, (path) => isNoManifest(path) && !before.includes(path))
      const again = await reopen()
      assert.equal((await again.searchLexical(memory, ['word'], { limit: 5 })).length, 2)
      await again.close()
    }
  }))

test('a memory whose first chunks were lost is empty and accepts new ones', () =>
  withMemoryFile(async ({ file, directory, reopen }) => {
    const memory = newId('mem')
    await file.add(memory, [chunk({})])
    await file.close()
    await tear(directory, isFile)
    const again = await reopen()
    assert.deepEqual(await again.searchLexical(memory, ['word'], { limit: 5 }), [])
    await again.add(memory, [chunk({})])
    assert.equal((await again.searchLexical(memory, ['word'], { limit: 5 })).length, 1)
  }))

test('a damaged file of a version that was acknowledged long ago is no reason to go back', () =>
  withMemoryFile(async ({ file, directory, reopen }) => {
    const memory = newId('mem')
    await file.add(memory, [chunk({})])
    const before = await readdir(directory, { recursive: true })
    await file.add(memory, [chunk({})])
    await file.close()
    await tear(directory, (path) => path.includes('data') && before.includes(path))
    const again = await reopen()
    await assert.rejects(again.count(memory), { code: 'service_unavailable' })
  }))

test('a missing file is no reason to go back: no power loss removes a file and keeps its version', () =>
  withMemoryFile(async ({ file, directory, reopen }) => {
    const memory = newId('mem')
    await file.add(memory, [chunk({})])
    await file.close()
    await rm(join(directory, 'memories', `${memory}.lance`, 'data'), { recursive: true })
    const again = await reopen()
    await assert.rejects(again.count(memory), { code: 'service_unavailable' })
  }))

/** Truncates files under a folder to nothing, selected by relative path. */
async function tear(folder: string, isTorn: (path: string) => boolean): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && isTorn(relative(folder, path))) await truncate(path)
  }
}

const CUT = /^(?:data|_deletions|_indices)[\\/].*\.(?:lance|arrow)$/

/** Runs work while Lance's files of a step lose their last byte, as on a full disk. */
async function withoutRoom(step: FailpointName, folder: string, work: () => Promise<void>): Promise<void> {
  const before = new Set(readdirSync(folder, { recursive: true }).map(String))
  const cut = () => {
    for (const path of readdirSync(folder, { recursive: true }).map(String)) {
      const file = join(folder, path)
      if (!before.has(path) && CUT.test(path)) truncateSync(file, statSync(file).size - 1)
    }
  }
  subscribe(`recollect:${step}`, cut)
  try {
    await assert.rejects(work(), ({ code }) => code === 'insufficient_storage' || step === 'maintenance:compacted')
  } finally {
    unsubscribe(`recollect:${step}`, cut)
  }
}

test('an add and a removal of which a file found no room are refused, and are as if they had not been', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    const folder = join(directory, 'memories', `${memory}.lance`)
    const [gone, kept, refused, later] = ['gone', 'kept', 'refused', 'later'].map((terms) => chunk({ terms }))
    assert.ok(gone && kept && refused && later)
    const idsOf = async () => [...(await file.count(memory)).keys()].sort()
    // Added together, so a deletion file removes one of them.
    await file.add(memory, [gone, kept])
    await withoutRoom('memory-file:appended', folder, () => file.add(memory, [refused]))
    assert.deepEqual(await idsOf(), [gone.documentId, kept.documentId].sort())
    await file.add(memory, [later])
    await withoutRoom('memory-file:rows-removed', folder, () => file.deleteDocuments(memory, [gone.documentId]))
    for (const term of ['gone', 'kept', 'later'])
      assert.equal((await file.searchLexical(memory, [term], { limit: 9 })).length, 1)
    await file.deleteDocuments(memory, [gone.documentId])
    await file.maintain(memory)
    assert.deepEqual(await idsOf(), [kept.documentId, later.documentId].sort())
  }))

test('a maintenance run without space for a file is skipped until next time, despite later adds', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    const folder = join(directory, 'memories', `${memory}.lance`)
    const rows = Array.from({ length: 6 }, () => chunk({}))
    for (const row of rows) await file.add(memory, [row])
    await withoutRoom('maintenance:compacted', folder, () => file.maintain(memory))
    await file.add(memory, [chunk({})])
    assert.equal((await file.searchLexical(memory, ['word'], { limit: 20 })).length, 7)
    await file.maintain(memory)
    assert.equal((await file.searchLexical(memory, ['word'], { limit: 20 })).length, 7)
    assert.equal((await file.count(memory)).size, 7)
  }))

test('a version based on one without space for a file goes with it', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    const folder = join(directory, 'memories', `${memory}.lance`)
    await file.add(memory, [chunk({})])
    const whole = await newestVersion(folder)
    const forgotten: string[] = []
    const disk = createDiskSync(dirname(folder), (name) => void forgotten.push(name))
    await disk.all(memory, whole)
    const before = await readdir(join(folder, 'data'))
    await file.add(memory, [chunk({})])
    const short = (await readdir(join(folder, 'data'))).find((name) => !before.includes(name))
    await truncate(join(folder, 'data', short ?? ''), 100)
    await file.add(memory, [chunk({})], { areNew: true })
    await assert.rejects(disk.commit(memory, await newestVersion(folder)), /no space left/)
    assert.deepEqual([forgotten, await newestVersion(folder)], [[memory], whole])
  }))

test('a late flush of an older version keeps newer flush records', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    const folder = join(directory, 'memories', `${memory}.lance`)
    await file.add(memory, [chunk({})])
    const older = await newestVersion(folder)
    await file.add(memory, [chunk({})])
    const flushed = emptySyncState()
    await syncFiles(folder, flushed, older + 1)
    await syncFiles(folder, flushed, older)
    assert.equal(flushed.version, older + 1)
  }))

test('a file that was damaged before this process began refuses no add', () =>
  withMemoryFile(async ({ file, directory, reopen }) => {
    const memory = newId('mem')
    const folder = join(directory, 'memories', `${memory}.lance`)
    await file.add(memory, [chunk({})])
    const [damaged] = await readdir(join(folder, 'data'))
    await file.add(memory, [chunk({})])
    await truncate(join(folder, 'data', damaged ?? ''), 100)
    for (const next of [await reopen(), await reopen()]) await next.add(memory, [chunk({})], { areNew: true })
  }))

test('a flush covers the files of chunks, versions and indexes', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    await file.add(memory, [chunk({})])
    const folder = join(directory, 'memories', `${memory}.lance`)
    const flushed = emptySyncState()
    await syncFiles(folder, flushed, 1)
    const names = [...flushed.paths].map((path) => path.slice(folder.length + 1).split(/[\\/]/)[0])
    assert.deepEqual(new Set(names), new Set(['_indices', '_versions', 'data']))
  }))

test('a commit flushes its own files without reading older ones', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    const folder = join(directory, 'memories', `${memory}.lance`)
    const first = chunk({})
    await file.add(memory, [first])
    const flushed = emptySyncState()
    await syncFiles(folder, flushed, await newestVersion(folder))
    const stray = join(folder, 'data', 'stray.lance')
    await writeFile(stray, '')
    for (const row of [chunk({}), { ...first, text: 'Other words.' }, chunk({})]) {
      await file.add(memory, [row])
      await syncCommit(folder, flushed, await newestVersion(folder))
    }
    const all = emptySyncState()
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
    const flushed = emptySyncState()
    await syncFiles(folder, flushed, await newestVersion(folder))
    for (let add = 0; add < 2; add++) await file.add(memory, [chunk({})])
    await file.maintain(memory)
    await file.add(memory, [chunk({})])
    await syncCommit(folder, flushed, await newestVersion(folder))
    const all = emptySyncState()
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

/** Lance names manifests by the distance from the largest possible version. */
async function newestVersion(folder: string): Promise<number> {
  const [newest] = (await readdir(join(folder, '_versions'))).filter((name) => name.endsWith('.manifest')).sort()
  return Number(2n ** 64n - 1n - BigInt(newest?.replace('.manifest', '') ?? assert.fail()))
}
