import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../src/database/schema.ts'
import { createMemoryFilesCheck } from '../../../src/services/health/memory-files-check.ts'
import { temporaryStore } from '../database/temporary-store.ts'

const MEMORY = {
  ...{ id: 'mem_1', organization_id: 'org_1', name: 'Tides', document_count: 1, chunk_count: 1, correction_count: 0 },
  ...{ storage_bytes: 7, created_at: '2026-01-01', updated_at: '2026-01-01' },
} as const
const MISSING = { code: 'data_damaged', message: /1 memory file is missing/ }

async function addMemory(db: Kysely<Tables>): Promise<void> {
  await db.insertInto('organizations').values({ id: 'org_1', name: 'o', plan: 'free', created_at: '' }).execute()
  await db
    .insertInto('memories')
    .values(MEMORY as never)
    .execute()
}

test('callers share a slow check, and meanwhile get the previous result', {
  timeout: 60_000,
}, async (t) => {
  const { db } = await temporaryStore(t)
  await addMemory(db)
  const looks: PromiseWithResolvers<string[]>[] = []
  const listFiles = () => {
    const look = Promise.withResolvers<string[]>()
    looks.push(look)
    return look.promise
  }
  const until = async (count: number) => {
    for (; looks.length < count; await pause(2)) await check()
  }
  const check = createMemoryFilesCheck({ db, listFiles, intervalMs: 0, waitTimeoutMs: 1 }) as () => Promise<void>

  // Before the first result, callers wait and start no further check.
  const first = [check(), check(), check()]
  while (looks.length < 1) await pause(2)
  looks[0]?.resolve(['mem_1'])
  await Promise.all(first)
  assert.equal(looks.length, 1)

  await until(2)
  for (let times = 0; times < 5; times += 1) await check()
  assert.equal(looks.length, 2)
  looks[1]?.resolve([])
  // The check ends after one more query of the database.
  await assert.rejects(async () => {
    for (;;) {
      await check()
      await pause(2)
    }
  }, MISSING)
  for (let times = 0; times < 5; times += 1) await assert.rejects(check(), MISSING)
  looks.at(-1)?.resolve(['mem_1'])
  while (
    !(await check().then(
      () => true,
      () => false,
    ))
  )
    await pause(2)
})

test('with fast checks each probe gets the current state', async (t) => {
  const { db } = await temporaryStore(t)
  await addMemory(db)
  let files: string[] = []
  const check = createMemoryFilesCheck({
    db,
    listFiles: async () => files,
    intervalMs: 0,
    waitTimeoutMs: 60_000,
  }) as () => Promise<void>
  await assert.rejects(check(), MISSING)
  files = ['mem_1']
  await check()
})

test('a failed listing is reported and retried', async (t) => {
  const { db } = await temporaryStore(t)
  let isDown = true
  const listFiles = async () => {
    if (isDown) throw new Error('the store is down')
    return []
  }
  const check = createMemoryFilesCheck({ db, listFiles, intervalMs: 0, waitTimeoutMs: 60_000 }) as () => Promise<void>
  await assert.rejects(check(), /the store is down/)
  isDown = false
  await check()
})
