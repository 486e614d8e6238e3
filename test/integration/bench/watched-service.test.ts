import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { startWatchedService } from '../../../bench/watched-service.ts'

const SLOW_DOWN = pathToFileURL(join(import.meta.dirname, '../../scale/slow-down.ts')).href
const BUSY_MS = 300

const skip = process.platform === 'linux' ? false : 'needs /proc'

it('a block of the event loop is reported once, in wall-clock and processor time', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-watched-'))
  const service = await startWatchedService(join(folder, 'data'), [`--import=${SLOW_DOWN}?path=/health&ms=${BUSY_MS}`])
  try {
    await service.takeBlock()
    await service.send('GET', '/health')
    const block = await service.takeBlock()
    assert.ok(block.longestMs >= BUSY_MS, `${block.longestMs} ms`)
    assert.ok(block.longestRunningMs >= BUSY_MS && block.longestRunningMs < 2 * BUSY_MS, `${block.longestRunningMs} ms`)
    const { longestRunningMs } = await service.takeBlock()
    assert.ok(longestRunningMs < BUSY_MS, `${longestRunningMs} ms`)
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
