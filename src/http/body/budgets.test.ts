import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../../services/caller.ts'
import {
  type BodyBudget,
  createBodyBudget,
  createDiskBudget,
  type DiskBudget,
  type DiskShare,
  sizeBodyBudget,
} from './budgets.ts'

const MB = 1024 * 1024
const caller = (keyId: string, organizationId = 'org'): Caller => ({
  organizationId,
  keyId,
  keyName: null,
  scope: 'organization',
  memoryIds: null,
  role: 'admin',
  planId: 'unlimited',
})

/** Opens bodies of this size until a refusal; returns their number and the error code. */
function fill(budget: BodyBudget, by: Caller, bytes: number): { bodies: number; code: string } {
  for (let bodies = 0; ; bodies += 1) {
    const share = budget.open(by)
    try {
      for (let left = bytes; left > 0; left -= 64 * 1024) share.reserve(Math.min(left, 64 * 1024))
    } catch (error) {
      share.release()
      assert.ok(error instanceof ApiError)
      return { bodies, code: error.code }
    }
  }
}

test('a body of the maximum size fits beside small ones, and several fit with enough memory', () => {
  const sizes = [512 * MB, 4096 * MB, 2 ** 40].map(sizeBodyBudget)
  assert.deepEqual(
    sizes.map(({ largeBytes }) => largeBytes),
    [160 * MB, 256 * MB, 900 * MB],
  )
  assert.deepEqual(
    sizes.map(({ smallBytes }) => smallBytes),
    [32 * MB, 128 * MB, 256 * MB],
  )
})

test('bodies that never end use a bounded share, and small bodies of other keys fit', () => {
  for (const bytes of [1000, 200_000, 2_900_000, 100 * MB]) {
    const sizes = sizeBodyBudget(1536 * MB)
    const budget = createBodyBudget(sizes)
    const { code } = fill(budget, caller('greedy'), bytes)
    assert.equal(code, 'rate_limited')
    assert.ok(budget.reserved() <= sizes.smallBytes / 2 + sizes.largeBytes, `${bytes}: ${budget.reserved()}`)
    for (const other of ['a', 'b', 'c']) budget.open(caller(other)).reserve(100_000)
    budget.open(caller('d', 'other organization')).reserve(100_000)
  }
})

test('the keys of one organization leave room for other organizations', () => {
  const budget = createBodyBudget(sizeBodyBudget(1536 * MB))
  for (let key = 0; key < 100; key += 1) fill(budget, caller(`key ${key}`), 2_900_000)
  const other = fill(budget, caller('other', 'other organization'), 100_000)
  assert.ok(other.bodies >= 40, String(other.bodies))
})

test('announcing a body reserves nothing', () => {
  const budget = createBodyBudget({ smallBytes: MB, largeBytes: 5 * MB, keyBytes: 5 * MB })
  for (let count = 0; count < 700; count += 1) budget.open(caller('idle')).requireAvailable(4 * MB)
  assert.equal(budget.reserved(), 0)
  assert.throws(() => budget.open(caller('idle')).requireAvailable(6 * MB), { code: 'service_unavailable' })
})

test('a small body fits while large ones use their shares', () => {
  const budget = createBodyBudget({ smallBytes: 8 * MB, largeBytes: 12 * MB, keyBytes: MB })
  const [own, other] = [caller('own'), caller('other', 'other organization')]
  for (let count = 0; count < 5; count += 1) budget.open(own).reserve(MB)
  for (let count = 0; count < 3; count += 1) budget.open(other).reserve(MB)
  assert.throws(() => budget.open(own).requireAvailable(2 * MB), { code: 'rate_limited' })
  const small = budget.open(own)
  small.requireAvailable(1000)
  small.reserve(1000)
})

/** Disk of this size, used by uploads only. */
function createDisk(bytes: number): DiskBudget {
  const budget: DiskBudget = createDiskBudget(async () => bytes - budget.reserved())
  return budget
}

/** Reserves a megabyte at a time up to a limit or a refusal; returns the megabytes. */
async function takeUpTo(share: DiskShare, megabytes: number): Promise<number> {
  for (let taken = 0; taken < megabytes; taken += 1) {
    try {
      await share.reserve(MB)
    } catch (error) {
      assert.ok(error instanceof Error && 'code' in error && error.code === 'rate_limited')
      return taken
    }
  }
  return megabytes
}

test('uploads of one key leave half of the disk, uploads of one organization a quarter', async () => {
  const disk = createDisk(1000 * MB)
  await disk.open(caller('a')).reserve(1)
  for (let count = 0; count < 50; count += 1) await takeUpTo(disk.open(caller('a')), 20)
  assert.equal(Math.round(disk.reserved() / MB), 499)
  for (let key = 0; key < 50; key += 1) await takeUpTo(disk.open(caller(`key ${key}`)), 100)
  assert.equal(Math.round(disk.reserved() / MB), 749)
  const other = caller('b', 'other organization')
  const [first, second] = [disk.open(other), disk.open(other)]
  assert.deepEqual([await takeUpTo(first, 100), await takeUpTo(second, 50)], [100, 50])
})

test('the only upload of an organization may fill the disk', async () => {
  const disk = createDisk(100 * MB)
  assert.equal(await takeUpTo(disk.open(caller('a')), 120), 120)
  assert.equal(await takeUpTo(disk.open(caller('b', 'other organization')), 10), 10)
})

test('a second upload on a full disk fails on write, not here', async () => {
  const disk = createDisk(100 * MB)
  await takeUpTo(disk.open(caller('a')), 100)
  await disk.open(caller('a')).reserve(MB)
})

test('small uploads on a nearly full disk fail on write, not here', async () => {
  const disk = createDisk(MB)
  await disk.open(caller('a')).reserve(0.5 * MB)
  for (let count = 0; count < 4; count += 1) await disk.open(caller('a')).reserve(0.2 * MB)
})

test('a large upload continues beside small ones, which fit while there is room', async () => {
  const disk = createDisk(1000 * MB)
  const large = disk.open(caller('a'))
  await takeUpTo(large, 900)
  const small = Array.from({ length: 4 }, () => disk.open(caller('a')))
  for (const share of small) assert.equal(await takeUpTo(share, 5), 5)
  assert.equal(await takeUpTo(large, 80), 80)
})

test('the last remaining upload is never refused', async () => {
  const disk = createDisk(100 * MB)
  const [first, second] = [disk.open(caller('a')), disk.open(caller('a'))]
  await first.reserve(MB)
  assert.equal(await takeUpTo(second, 90), 49)
  first.release()
  assert.equal(await takeUpTo(second, 40), 40)
})

test('fifty parallel files of 100 MB fit on a disk of 20 GB', async () => {
  const disk = createDisk(20 * 1024 * MB)
  for (let count = 0; count < 50; count += 1) assert.equal(await takeUpTo(disk.open(caller('a')), 100), 100)
})

test('every upload measures the free space, and a long one repeatedly', async () => {
  let free = 1000 * MB
  const disk = createDiskBudget(async () => free)
  await disk.open(caller('a')).reserve(1)
  const second = disk.open(caller('a'))
  await second.reserve(300 * MB)
  free = 350 * MB
  await assert.rejects(disk.open(caller('a')).reserve(50 * MB), { code: 'rate_limited' })
  free = 1000 * MB
  await second.reserve(70 * MB)
})

test('released bytes can be reserved again, once', async () => {
  const measured = Promise.withResolvers<number>()
  const disk = createDiskBudget(() => measured.promise)
  const share = disk.open(caller('a'))
  const taken = share.reserve(MB)
  share.release()
  measured.resolve(100 * MB)
  await taken
  assert.equal(disk.reserved(), 0)
  const next = disk.open(caller('a'))
  await next.reserve(MB)
  next.release()
  next.release()
  assert.equal(disk.reserved(), 0)
})
