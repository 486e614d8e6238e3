import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemoryFile, PendingMaintenance } from '../memory-file/memory-file.ts'
import type { Log } from '../observability/log.ts'
import { createAutoMaintenance } from './maintained-memory-file.ts'
import { withLayers } from './memory-files.ts'
import type { ExclusiveTasks } from './nodes/exclusive-tasks.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

function countingFile(maintain: (signal?: AbortSignal) => Promise<void> = async () => {}) {
  const done: string[] = []
  const prepared: string[] = []
  let isDue = true
  let isOverdue = false
  let isDueAtRest = false
  const file = {
    add: async () => {},
    deleteDocuments: async () => {},
    readRows: async () => [],
    loadPendingMaintenance: async (memoryId: string) => void done.push(`look into ${memoryId}`),
    needsMaintenance: (_memoryId: string, isAtRest = false) => isDue || (isAtRest && isDueAtRest),
    isOverdue: () => isOverdue,
    prepareSearches: (memoryId: string) => void prepared.push(memoryId),
    async maintain(memoryId: string, signal?: AbortSignal) {
      await maintain(signal)
      isDue = false
      isDueAtRest = false
      done.push(memoryId)
    },
  }
  const become = (due: boolean) => {
    isDue = due
  }
  const fallBehind = () => {
    isOverdue = true
  }
  const leaveRows = () => {
    isDue = false
    isDueAtRest = true
  }
  return { done, prepared, become, fallBehind, leaveRows, file: file as unknown as MemoryFile & PendingMaintenance }
}

function maintained(storage: MemoryFile & PendingMaintenance, log: Log, tasks?: ExclusiveTasks) {
  const { layer, ...maintenance } = createAutoMaintenance({ storage, log, ...(tasks && { tasks }) })
  return { ...withLayers(storage, [layer]), ...maintenance }
}

/** Lets everything that waits for nothing but other promises come to its end. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a burst of writes is followed by one maintenance, in the pause after it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { done, file } = countingFile()
  const kept = maintained(file, silent)
  for (let i = 0; i < 5; i++) {
    await kept.add('m', [])
    t.mock.timers.tick(900)
  }
  assert.deepEqual(done, [])
  t.mock.timers.tick(1000)
  await settled()
  assert.deepEqual(done, ['m'])
})

test('what a process before this one left undone is looked for once, behind the first search', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { done, file } = countingFile()
  const kept = maintained(file, silent)
  for (let i = 0; i < 3; i++) await kept.readRows('m', [])
  await settled()
  t.mock.timers.tick(1000)
  await settled()
  assert.deepEqual(done, ['look into m', 'm'])
})

test('a maintenance that is overdue waits for no pause', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { done, fallBehind, file } = countingFile()
  const kept = maintained(file, silent)
  await kept.add('m', [])
  fallBehind()
  await kept.add('m', [])
  t.mock.timers.tick(1)
  await settled()
  assert.deepEqual(done, ['m'])
})

test('what a bulk load leaves outside the index is put in order when the memory is at rest', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { done, leaveRows, file } = countingFile()
  leaveRows()
  const kept = maintained(file, silent)
  for (let i = 0; i < 3; i++) {
    await kept.add('m', [])
    t.mock.timers.tick(2900)
    await settled()
  }
  assert.deepEqual(done, [])
  t.mock.timers.tick(100)
  await settled()
  assert.deepEqual(done, ['m'])
})

test('what is written during a maintenance is put in order behind it, without a further write', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const first = Promise.withResolvers<void>()
  const { done, leaveRows, file } = countingFile(() => first.promise)
  const kept = maintained(file, silent)
  await kept.add('m', [])
  t.mock.timers.tick(1000)
  await settled()
  await kept.add('m', [])
  first.resolve()
  await settled()
  leaveRows()
  t.mock.timers.tick(3000)
  await settled()
  assert.deepEqual(done, ['m', 'm'])
})

test('a memory at rest is prepared for searches, after its maintenance', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { done, prepared, file } = countingFile()
  const kept = maintained(file, silent)
  await kept.add('m', [])
  t.mock.timers.tick(1000)
  await settled()
  assert.deepEqual([done, prepared], [['m'], []])
  t.mock.timers.tick(3000)
  await settled()
  assert.deepEqual([done, prepared], [['m'], ['m']])
})

test('a maintenance that fails is tried again after the next write', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let fails = true
  const { done, file } = countingFile(async () => {
    if (fails) throw new Error('busy')
  })
  const kept = maintained(file, silent)
  for (const failing of [true, false]) {
    fails = failing
    await kept.deleteDocuments('m', [])
    t.mock.timers.tick(1000)
    await settled()
  }
  assert.deepEqual(done, ['m'])
})

test('what falls due by time alone is seen when it is looked at again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { done, file, become } = countingFile()
  become(false)
  const kept = maintained(file, silent)
  await kept.add('m', [])
  t.mock.timers.tick(3000)
  await settled()
  assert.deepEqual(done, [])
  become(true)
  kept.rescheduleAll()
  t.mock.timers.tick(1000)
  await settled()
  assert.deepEqual(done, ['m'])
})

test('closing waits for the maintenance under way and begins no other', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { promise, resolve } = Promise.withResolvers<void>()
  const { done, file } = countingFile(() => promise)
  const kept = maintained(file, silent)
  await kept.add('m', [])
  t.mock.timers.tick(1000)
  await settled()
  await kept.add('n', [])
  const closed = kept.close()
  resolve()
  await closed
  assert.deepEqual(done, ['m'])
})

test('the maintenance under way is told of the end, and what waits for its turn is left for the next time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { done, file } = countingFile((signal) => new Promise((end) => signal?.addEventListener('abort', () => end())))
  const kept = maintained({ ...file, purgeDeletedRows: async () => 1 }, silent)
  await kept.add('m', [])
  t.mock.timers.tick(1000)
  await settled()
  const removal = kept.purgeDeletedRows('m')
  assert.deepEqual(done, [])
  kept.end()
  assert.equal(await removal, null)
  await kept.close()
  assert.deepEqual(done, ['m'])
})
