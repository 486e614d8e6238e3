import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { createDiskRoom, toBlobError } from './disk-space.ts'

const MB = 1024 * 1024

test('the disk is short of room where one is refused who needs little, not where one asks for much', async () => {
  const large = createDiskRoom('/', async () => 500 * MB)
  await assert.rejects(large.require(520 * MB), { code: 'insufficient_storage' })
  assert.equal(await large.isShort(), false)
  await large.require(400 * MB)

  const small = createDiskRoom('/', async () => 60 * MB)
  await assert.rejects(small.require(64 * MB), { code: 'insufficient_storage' })
  assert.equal(await small.isShort(), true)
})

test('a disk with next to nothing free is short of it, whoever asks for what, and for some time behind', async () => {
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

test('a full disk becomes insufficient_storage, other trouble of the disk may pass, anything else stays as it is', () => {
  const systemError = (code: string) => Object.assign(new Error(code), { code, syscall: 'open' })
  const codeOf = (error: unknown) => error instanceof ApiError && error.code
  assert.equal(codeOf(toBlobError(systemError('ENOSPC'))), 'insufficient_storage')
  assert.equal(codeOf(toBlobError(systemError('EIO'))), 'service_unavailable')
  const other = new Error('of ours')
  assert.equal(toBlobError(other), other)
})
