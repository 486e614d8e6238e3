import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { newId } from '../../../src/ids.ts'
import { chunk, DIMENSIONS, unit, withMemoryFile } from './memory-file-fixture.ts'

const MAX_FILES = 16
const FRAGMENTS = 50
const READS = 24

/**
 * Counts open files of this process in a separate thread, since files are open only for moments;
 * `stop` returns the maximum.
 */
async function watchOpenFiles(): Promise<{ stop(): Promise<number> }> {
  const source = `
    const { readdirSync } = require('node:fs')
    const { parentPort } = require('node:worker_threads')
    let most = 0
    parentPort.once('message', () => (parentPort.postMessage(most), process.exit()))
    const look = () => ((most = Math.max(most, readdirSync('/proc/self/fd').length)), setImmediate(look))
    look()
    parentPort.postMessage('begun')`
  const worker = new Worker(source, { eval: true })
  await once(worker, 'message')
  return {
    async stop() {
      worker.postMessage('stop')
      const [most] = await once(worker, 'message')
      return Number(most)
    },
  }
}

test('concurrent reads and searches respect the limit of open files', {
  skip: process.platform !== 'linux',
}, async (t) => {
  await withMemoryFile(
    async ({ file }) => {
      const memoryId = newId('mem')
      for (let added = 0; added < FRAGMENTS; added += 1)
        await file.add(memoryId, [chunk({ terms: `word w${added}`, vector: unit(added % DIMENSIONS) })])
      const found = await file.found.searchLexical(memoryId, ['word'], { limit: FRAGMENTS })
      assert.equal(found.length, FRAGMENTS)
      const watching = await watchOpenFiles()
      const resting = readdirSync('/proc/self/fd').length
      const reads = Array.from({ length: READS }, (_, at) =>
        at % 3 === 0 ? file.found.searchVector(memoryId, unit(1), { limit: 20 }) : file.readRows(memoryId, found),
      )
      await Promise.all(reads)
      const most = (await watching.stop()) - resting
      t.diagnostic(`${most} files at most`)
      assert.ok(most <= MAX_FILES, `${most} files were open at once`)
    },
    { maxFiles: MAX_FILES },
  )
})
