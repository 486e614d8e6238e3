import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFiles, createFileGate, FILES_OPENED } from './file-gate.ts'

const outOfFiles = () => new Error('LanceError(IO): Too many open files (os error 24)')

test('limits the number of open files, first come, first served', async () => {
  const gate = createFileGate({ maxFiles: 10 })
  let open = 0
  let most = 0
  const order: number[] = []
  const work = (number: number, files: number) =>
    gate.run(files, async () => {
      order.push(number)
      open += files
      most = Math.max(most, open)
      await new Promise(setImmediate)
      open -= files
    })
  await Promise.all([work(0, 6), work(1, 6), work(2, 4), work(3, 1), work(4, 10)])
  assert.ok(most <= 10)
  assert.deepEqual(order, [0, 1, 2, 3, 4])
})

test('work that needs more files than the limit runs alone', async () => {
  const gate = createFileGate({ maxFiles: 10 })
  assert.equal(await gate.run(1000, async () => 'done'), 'done')
})

test('work that ran out of files runs again when nothing else is running', async () => {
  let told = 0
  let others = 0
  const gate = createFileGate({ maxFiles: 10, onOutOfFiles: () => (told += 1) })
  const other = gate.run(5, async () => {
    others += 1
    await new Promise(setImmediate)
    others -= 1
  })
  const repeated = await gate.run(1, async (isRepeated) => {
    if (!isRepeated) throw outOfFiles()
    assert.equal(others, 0)
    return isRepeated
  })
  await other
  assert.deepEqual([repeated, told], [true, 1])
})

test('other errors and a second failure reject', async () => {
  const gate = createFileGate({ maxFiles: 1 })
  let times = 0
  const failing = (error: Error) => () => {
    times += 1
    return Promise.reject(error)
  }
  await assert.rejects(gate.run(1, failing(new Error('no such column'))), /no such column/)
  await assert.rejects(gate.run(1, failing(outOfFiles())), /os error 24/)
  assert.equal(times, 3)
  assert.equal(await gate.run(1, async () => 'free again'), 'free again')
})

test('reading rows opens a file for each fragment', () => {
  const rows = [1n, 2n, (1n << 32n) | 1n, (7n << 32n) | 5n].map((row) => ({ row }))
  assert.equal(countFiles(rows), FILES_OPENED.search + 3)
})
