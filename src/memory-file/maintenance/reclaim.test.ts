/** Order in which a memory file frees space, on a simulated table. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Table } from '@lancedb/lancedb'
import type { Fragment, IndexPart, Manifest } from '../manifest.ts'
import { purgeWithinSpace, rowIdRange } from './reclaim.ts'

const MB = 1024 * 1024
/** Reserved for deletions. */
const LEFT = 3 * MB

type Told = { free: number; fragments: Fragment[]; indexes?: IndexPart[]; failFirst?: number }

/** A simulated disk: moved or dropped parts become free once old versions are deleted. */
function openDisk({ free, fragments, indexes = [], failFirst = 0 }: Told) {
  const disk = { free, fragments, indexes, freed: 0, done: [] as string[], failures: failFirst }
  const table = {
    async update({ where }: { where: string }) {
      if (disk.failures-- > 0) throw new Error('No space left on device (os error 28)')
      const moved = disk.fragments.filter(({ id }) => where.includes(rowIdRange(id)))
      const left = moved.reduce((sum, one) => sum + (one.bytes * (one.rows - one.deletedRows)) / one.rows, 0)
      assert.ok(left <= disk.free, 'what is written has room')
      disk.free -= left
      disk.freed += moved.reduce((sum, { bytes }) => sum + bytes, 0)
      const id = Math.max(...disk.fragments.map((one) => one.id)) + 1
      const fresh = left > 0 ? [{ ...part(id, 0, 0), rows: 1, bytes: left }] : []
      disk.fragments = [...disk.fragments.filter((one) => !moved.includes(one)), ...fresh]
      disk.done.push(`moved ${moved.map((one) => one.id).join(' ')}`)
    },
    createIndex: async (column: string, { train }: { train?: boolean }) => shed(`${column}_idx`, `emptied, ${train}`),
    dropIndex: async (name: string) => shed(name, 'dropped'),
  }
  function shed(name: string, how: string): void {
    disk.freed += disk.indexes.reduce((sum, one) => sum + (one.name === name ? one.bytes : 0), 0)
    disk.indexes = disk.indexes.filter((one) => one.name !== name)
    disk.done.push(`${name} ${how}`)
  }
  const readNewest = async (): Promise<Manifest> => ({
    version: disk.done.length + 1,
    writtenAt: new Date(0),
    fragments: disk.fragments,
    indexes: disk.indexes,
    files: new Map(),
  })
  const reclaiming = {
    readNewest,
    rewriteWithRoom: async () => {},
    async deleteOldVersions() {
      disk.free += disk.freed
      disk.freed = 0
    },
    freeBytes: async () => disk.free,
    change: (work: (table: Table) => Promise<void>) => work(table as unknown as Table),
  }
  return { disk, reclaiming }
}

const part = (id: number, megabytes: number, deletedRows: number): Fragment => ({
  id,
  path: `data/${id}.lance`,
  rows: 100,
  deletedRows,
  bytes: megabytes * MB,
})
const index = (name: string, fragmentIds: readonly number[]): IndexPart => ({
  name,
  fragmentIds: new Set(fragmentIds),
  folder: name,
  bytes: 2 * MB,
})

test('the smallest step runs first and frees space for larger ones', async () => {
  const fragments = [part(0, 60, 60), part(1, 10, 80), part(2, 9, 0), part(3, 40, 80)]
  const { disk, reclaiming } = openDisk({ free: LEFT + 3 * MB, fragments })
  await purgeWithinSpace(reclaiming)
  assert.deepEqual(disk.done, ['moved 1', 'moved 3', 'moved 0'])
  assert.ok(disk.fragments.every(({ deletedRows }) => deletedRows === 0))
  assert.ok(
    disk.fragments.some(({ id }) => id === 2),
    'what nothing was removed from stays where it is',
  )
})

test('indexes with deleted rows are dropped first; the term index is replaced by an empty one', async () => {
  const indexes = [index('terms_idx', [0]), index('vector_idx', [0, 1]), index('id_idx', [1])]
  const { disk, reclaiming } = openDisk({ free: LEFT + MB, fragments: [part(0, 2, 50), part(1, 2, 0)], indexes })
  assert.equal(await purgeWithinSpace(reclaiming), 4)
  assert.deepEqual(disk.done, ['terms_idx emptied, false', 'vector_idx dropped', 'moved 0'])
  assert.deepEqual(
    disk.indexes.map(({ name }) => name),
    ['id_idx'],
  )
})

test('indexes are kept if there is space for normal compaction', async () => {
  const indexes = [index('terms_idx', [0])]
  const { disk, reclaiming } = openDisk({ free: LEFT + 99 * MB, fragments: [part(0, 2, 50)], indexes })
  const rewriteWithRoom = async () => {
    disk.fragments = [part(1, 1, 0)]
    disk.indexes = [index('terms_idx', [1])]
    // More rows are deleted during the run, which the next run handles.
    disk.fragments.push(part(2, 2, 50))
  }
  await purgeWithinSpace({ ...reclaiming, rewriteWithRoom })
  assert.deepEqual(disk.done, [])
})

test('an index with deleted rows is dropped even if no fragment moves', async () => {
  const { disk, reclaiming } = openDisk({ free: 0, fragments: [part(1, 9, 0)], indexes: [index('terms_idx', [0])] })
  await purgeWithinSpace(reclaiming)
  assert.deepEqual(disk.done, ['terms_idx emptied, false'])
})

test('if one fragment does not fit, the others move, the term index stays, and the result reports it', async () => {
  const fragments = [part(0, 900, 10), part(1, 3, 50)]
  const { disk, reclaiming } = openDisk({ free: LEFT + 2 * MB, fragments, indexes: [index('terms_idx', [0, 1])] })
  await assert.rejects(purgeWithinSpace(reclaiming), { code: 'insufficient_storage' })
  assert.deepEqual(disk.done, ['moved 1'])
})

test('fragments that need more space than estimated are moved in smaller batches', async () => {
  const fragments = [part(0, 4, 50), part(1, 4, 50), part(2, 4, 50), part(3, 4, 50)]
  const { disk, reclaiming } = openDisk({ free: LEFT + 10 * MB, fragments, failFirst: 1 })
  await purgeWithinSpace(reclaiming)
  assert.deepEqual(disk.done, ['moved 0 1', 'moved 2 3'])
})
