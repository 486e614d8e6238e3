/**
 * The conditions for reclaiming space of a memory file, and the cost when nothing needs doing, on a
 * real dataset with a counted table.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Table } from '@lancedb/lancedb'
import { newId } from '../../../src/ids.ts'
import { createDiskSpace, type DiskSpaceDeps } from '../../../src/memory-file/maintenance/free-space.ts'
import { openVersionFolder } from '../../../src/memory-file/version-files.ts'
import { chunk, withMemoryFile } from './memory-file-fixture.ts'

type Told = { directory: string; lookInto: () => Promise<void> }

/**
 * The room of the memory files in a folder, on a disk without any; `count` has how often tables
 * were used.
 */
function openRoom({ directory, lookInto }: Told) {
  const count = { uses: 0 }
  const folder = join(directory, 'memories')
  const parts = {
    folder,
    versions: openVersionFolder(folder),
    tables: {
      use: async (_: string, work: (table: Table) => Promise<unknown>) => {
        count.uses += 1
        return work({} as Table)
      },
      forgetAndDrain: async () => undefined,
    },
    compaction: { forget: () => undefined, loadPending: lookInto },
    disk: { all: async () => undefined },
    freeBytes: async () => 0,
    inTurn: (_: string, work: () => Promise<void>) => work(),
    purgeDeletedRows: async () => assert.fail('there is no room for that'),
    useAndFlush: async () => assert.fail('there is no room for that'),
    recordOrphans: () => undefined,
  } as unknown as DiskSpaceDeps
  return { room: createDiskSpace(parts), count }
}

test('a memory file of which there is nothing to reclaim is not opened again until it is written to', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memoryId = newId('mem')
    await file.add(memoryId, [chunk({ terms: 'ebb' })])
    let fails = true
    const lookInto = async () => {
      if (fails) throw new Error('the table cannot be read')
    }
    const { room, count } = openRoom({ directory, lookInto })
    const version = await room.reclaimSpace(memoryId)
    assert.ok(Number(version) > 0)
    fails = false
    const { uses } = count
    await room.reclaimSpace(memoryId)
    assert.ok(count.uses > uses, 'upkeep looks again where it could not')
    const { uses: settled } = count
    assert.equal(await room.reclaimSpace(memoryId), version)
    assert.equal(count.uses, settled)
    await file.add(memoryId, [chunk({ terms: 'flow' })])
    assert.ok(Number(await room.reclaimSpace(memoryId)) > Number(version))
    room.forget(memoryId)
    const { uses: before } = count
    await room.reclaimSpace(memoryId)
    assert.ok(count.uses > before)
  }))

test('lack of space is reported even when maintenance cannot read the file, since that needs more space', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memoryId = newId('mem')
    const chunks = [chunk({ terms: 'ebb' }), chunk({ terms: 'flow' })]
    await file.add(memoryId, chunks)
    await file.deleteDocuments(memoryId, [chunks[0]?.documentId ?? assert.fail()])
    const lookInto = async () => assert.fail('the table cannot be read')
    await assert.rejects(openRoom({ directory, lookInto }).room.reclaimSpace(memoryId), {
      code: 'insufficient_storage',
    })
  }))
