import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../services/caller.ts'
import { createDiskBudget, type DiskBudget, type DiskShare } from './budgets.ts'

const MB = 1024 * 1024
const callerOf = (keyId: string, organizationId = 'org') => ({ keyId, organizationId }) as Caller

/** A disk of this size on which nothing is but what uploads write. */
function createDisk(bytes: number): DiskBudget {
  const budget: DiskBudget = createDiskBudget(async () => bytes - budget.used())
  return budget
}

/** Takes a megabyte at a time until so much is taken or it is refused; gives the megabytes that it got. */
async function takeUpTo(share: DiskShare, megabytes: number): Promise<number> {
  for (let taken = 0; taken < megabytes; taken += 1) {
    try {
      await share.take(MB)
    } catch (error) {
      assert.ok(error instanceof Error && 'code' in error && error.code === 'rate_limited')
      return taken
    }
  }
  return megabytes
}

test('unfinished uploads of one key leave half of the disk, and those of one organization a quarter', async () => {
  const disk = createDisk(1000 * MB)
  await disk.open(callerOf('a')).take(1)
  for (let count = 0; count < 50; count += 1) await takeUpTo(disk.open(callerOf('a')), 20)
  assert.equal(Math.round(disk.used() / MB), 499)
  for (let key = 0; key < 50; key += 1) await takeUpTo(disk.open(callerOf(`key ${key}`)), 100)
  assert.equal(Math.round(disk.used() / MB), 749)
  const other = callerOf('b', 'other organization')
  const [first, second] = [disk.open(other), disk.open(other)]
  assert.deepEqual([await takeUpTo(first, 100), await takeUpTo(second, 50)], [100, 50])
})

test('the only upload of an organization may fill the disk, and is not refused on a full one', async () => {
  const disk = createDisk(100 * MB)
  assert.equal(await takeUpTo(disk.open(callerOf('a')), 120), 120)
  assert.equal(await takeUpTo(disk.open(callerOf('b', 'other organization')), 10), 10)
})

test('where everything is used a second upload is left to the disk, which says so itself', async () => {
  const disk = createDisk(100 * MB)
  await takeUpTo(disk.open(callerOf('a')), 100)
  await disk.open(callerOf('a')).take(MB)
})

test('a large upload goes on when small ones begin beside it, which get in as long as there is room', async () => {
  const disk = createDisk(1000 * MB)
  const large = disk.open(callerOf('a'))
  await takeUpTo(large, 900)
  const small = Array.from({ length: 4 }, () => disk.open(callerOf('a')))
  for (const share of small) assert.equal(await takeUpTo(share, 5), 5)
  assert.equal(await takeUpTo(large, 80), 80)
})

test('an upload that is left as the only one is refused no more', async () => {
  const disk = createDisk(100 * MB)
  const [first, second] = [disk.open(callerOf('a')), disk.open(callerOf('a'))]
  await first.take(MB)
  assert.equal(await takeUpTo(second, 90), 49)
  first.release()
  assert.equal(await takeUpTo(second, 40), 40)
})

test('fifty files of 100 MB at once fit on a disk of 20 GB', async () => {
  const disk = createDisk(20 * 1024 * MB)
  for (let count = 0; count < 50; count += 1) assert.equal(await takeUpTo(disk.open(callerOf('a')), 100), 100)
})

test('what is free is measured anew by every upload, and by one that goes on', async () => {
  let free = 1000 * MB
  const disk = createDiskBudget(async () => free)
  await disk.open(callerOf('a')).take(1)
  const second = disk.open(callerOf('a'))
  await second.take(300 * MB)
  free = 350 * MB
  await assert.rejects(disk.open(callerOf('a')).take(50 * MB), { code: 'rate_limited' })
  free = 1000 * MB
  await second.take(70 * MB)
})

test('what is given back can be taken again, once, and nothing is taken behind that', async () => {
  const measured = Promise.withResolvers<number>()
  const disk = createDiskBudget(() => measured.promise)
  const share = disk.open(callerOf('a'))
  const taken = share.take(MB)
  share.release()
  measured.resolve(100 * MB)
  await taken
  assert.equal(disk.used(), 0)
  const next = disk.open(callerOf('a'))
  await next.take(MB)
  next.release()
  next.release()
  assert.equal(disk.used(), 0)
})
