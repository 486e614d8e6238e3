import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyRoomBytes } from './body-room.ts'

const MB = 1024 * 1024

test('one body of the largest has room beside small ones wherever it is, and six where there is much memory', () => {
  assert.deepEqual([512 * MB, 4096 * MB, 2 ** 40].map(bodyRoomBytes), [160 * MB, 256 * MB, 900 * MB])
})
