import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { createDiskRoom, toBlobError } from './disk-space.ts'

const MB = 1024 * 1024

test('reports a shortage after refusing a small write, but not a large one', async () => {
  const large = createDiskRoom('/', async () => 500 * MB)
  await assert.rejects(large.require(520 * MB), { code: 'insufficient_storage' })
  assert.equal(await large.isShort(), false)
  await large.require(400 * MB)

  const small = createDiskRoom('/', async () => 60 * MB)
  await assert.rejects(small.require(64 * MB), { code: 'insufficient_storage' })
  assert.equal(await small.isShort(), true)
})

test('reports a shortage on a nearly full disk, and for some time after', async () => {
  let free = 15 * MB
  const room = createDiskRoom('/', async () => free)
  assert.equal(await room.isShort(), true)
  free = 500 * MB
  assert.equal(await room.isShort(), true)

  free = 15 * MB
  const asked = createDiskRoom('/', async () => free)
  await assert.rejects(asked.require(520 * MB), { code: 'insufficient_storage' })
  free = 500 * MB
  assert.equal(await asked.isShort(), true)
})

test('maps a full disk to insufficient_storage, other disk errors to service_unavailable, and nothing else', () => {
  const systemError = (code: string) => Object.assign(new Error(code), { code, syscall: 'open' })
  const codeOf = (error: unknown) => error instanceof ApiError && error.code
  assert.equal(codeOf(toBlobError(systemError('ENOSPC'))), 'insufficient_storage')
  assert.equal(codeOf(toBlobError(systemError('EIO'))), 'service_unavailable')
  const other = new Error('of ours')
  assert.equal(toBlobError(other), other)
})
