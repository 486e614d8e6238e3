import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from '@lancedb/lancedb'
import { getTaskProgress } from '../../../src/database/process-tables.ts'
import { ApiError, outOfFiles } from '../../../src/errors.ts'
import type { Log } from '../../../src/observability/log.ts'
import { rebuildTerms } from '../../../src/services/doctor/rebuild-chunks.ts'
import { createTermsRenewal, type RenewalDeps } from '../../../src/services/doctor/renew-terms.ts'
import { openDoctor } from './doctor-house.ts'

const NEVER = new AbortController().signal

/**
 * A fixture whose short document is found by other words than its own, as indexed by an earlier
 * version; and the log.
 */
async function openOldHouse(t: TestContext) {
  const house = await openDoctor(t)
  const { memoryFile } = house.parts
  for await (const chunks of memoryFile.scan(house.memoryId, { documentIds: [house.shortId] }))
    await memoryFile.add(
      house.memoryId,
      chunks.map((chunk) => ({ ...chunk, terms: 'old' })),
    )
  const logged: string[] = []
  const note = ((_facts: unknown, message: string) => void logged.push(message)) as Log['info']
  const log = { info: note, warn: note, error: note }
  let scans = 0
  const counted: typeof memoryFile.scan = (...asked) => {
    scans += 1
    return memoryFile.scan(...asked)
  }
  const parts = { ...house.parts, memoryFile: { ...memoryFile, scan: counted }, log }
  return { ...house, parts, logged, countScans: () => scans }
}

const kinds = (found: readonly { kind: string }[]) => found.map(({ kind }) => kind)

test('the terms of an earlier version are made again behind the start, once', async (t) => {
  const { parts, examine, logged, countScans } = await openOldHouse(t)
  assert.deepEqual(kinds(await examine()), ['wrong_terms'])
  await createTermsRenewal(parts)(NEVER)
  assert.deepEqual(await examine(), [])
  assert.match(logged.join(), /made again/)
  assert.equal((await getTaskProgress(parts.db, 'terms'))?.reached, null)
  const scans = countScans()
  await createTermsRenewal(parts)(NEVER)
  assert.equal(countScans(), scans)
  await createTermsRenewal(parts, 1000)(NEVER)
  assert.ok(countScans() > scans)
})

test('a stop leaves the rest for the next start', async (t) => {
  const { parts, examine } = await openOldHouse(t)
  await createTermsRenewal(parts)(AbortSignal.abort())
  assert.deepEqual(kinds(await examine()), ['wrong_terms'])
  await createTermsRenewal(parts)(NEVER)
  assert.deepEqual(await examine(), [])
})

test('a memory file of an older form is named in the log of each start and in answers, and the doctor rebuilds it', async (t) => {
  const { parts, folder, memoryId, examine, mend, logged, files } = await openOldHouse(t)
  await files.drop(memoryId)
  const connection = await connect(join(folder, '..'))
  await connection.createTable(memoryId, [{ id: 'a', document_id: 'b', text: 'as an older version wrote it' }])
  connection.close()
  for (const start of [1, 2]) {
    const renew = createTermsRenewal(parts)
    await renew(NEVER)
    await renew(NEVER)
    assert.equal(logged.filter((line) => /recollect doctor --fix/.test(line)).length, start)
  }
  const reading = parts.memoryFile.read(memoryId, 'doc_01k00000000000000000000000')
  await assert.rejects(reading, { code: 'internal_error', remedy: /recollect doctor --fix/ })
  const damage = (await examine()).find(({ kind }) => kind === 'broken_memory_file')
  assert.ok(damage !== undefined)
  assert.match(damage.detail, /older version of Recollect/)
  assert.equal(await mend(damage), true)
  assert.deepEqual(await examine(), [])
  await createTermsRenewal(parts)(NEVER)
  assert.equal((await getTaskProgress(parts.db, 'terms'))?.reached, null)
})

/** The terms of the short document's chunks. */
async function termsOf({ parts, memoryId, shortId }: Awaited<ReturnType<typeof openOldHouse>>): Promise<string[]> {
  const terms: string[] = []
  for await (const chunks of parts.memoryFile.scan(memoryId, { documentIds: [shortId] }))
    terms.push(...chunks.map((chunk) => chunk.terms))
  return terms
}

const reachedOf = async ({ parts }: Awaited<ReturnType<typeof openOldHouse>>) =>
  (await getTaskProgress(parts.db, 'terms'))?.reached

test('a document that is being added is left alone', async (t) => {
  const house = await openOldHouse(t)
  const { parts, shortId } = house
  await parts.db.updateTable('documents').set({ status: 'processing' }).where('id', '=', shortId).execute()
  await createTermsRenewal(parts)(NEVER)
  assert.equal(await rebuildTerms(parts, house.memoryId, shortId), true)
  assert.deepEqual(await termsOf(house), ['old'])
  assert.equal(await reachedOf(house), null)
})

test('a document being reread gets its terms afterwards', async (t) => {
  const house = await openOldHouse(t)
  const { parts, caller, memoryId, shortId } = house
  const job = {
    ...{ id: 'job_1', organization_id: caller.organizationId, memory_id: memoryId, job_type: 'document_ingestion' },
    ...{ status: 'processing' as const, progress: 0, message: '', payload: '{}', is_partial: 0, cancel_requested: 0 },
    ...{ attempts: 1, max_attempts: 3, run_after: '', created_at: '' },
  }
  await parts.db.insertInto('jobs').values(job).execute()
  const change = { status: 'partial', job_id: job.id } as const
  await parts.db.updateTable('documents').set(change).where('id', '=', shortId).execute()
  const renew = createTermsRenewal(parts)
  await renew(NEVER)
  assert.equal(await rebuildTerms(parts, memoryId, shortId), false)
  assert.deepEqual(await termsOf(house), ['old'])
  assert.notEqual(await reachedOf(house), null)
  await parts.db.updateTable('jobs').set({ status: 'failed' }).execute()
  await renew(NEVER)
  assert.notDeepEqual(await termsOf(house), ['old'])
  assert.equal(await reachedOf(house), null)
})

test('a memory being re-embedded gets its terms afterwards', async (t) => {
  const house = await openOldHouse(t)
  const { parts } = house
  const name = (next_file: string | null) => parts.db.updateTable('memories').set({ next_file }).execute()
  await name(`${house.memoryId}.01k00000000000000000000000`)
  const renew = createTermsRenewal(parts)
  await renew(NEVER)
  assert.deepEqual(await termsOf(house), ['old'])
  assert.notEqual(await reachedOf(house), null)
  await name(null)
  await renew(NEVER)
  assert.notDeepEqual(await termsOf(house), ['old'])
  assert.equal(await reachedOf(house), null)
})

/** The dependencies with writes that fail `times` times. */
function failing({ parts }: Awaited<ReturnType<typeof openOldHouse>>, error: Error, times: number): RenewalDeps {
  let left = times
  const add: typeof parts.memoryFile.add = async (...added) => {
    left -= 1
    if (left >= 0) throw error
    return parts.memoryFile.add(...added)
  }
  return { ...parts, memoryFile: { ...parts.memoryFile, add } }
}

test('a full disk or a limit of open files ends a round, and the next one continues', async (t) => {
  const house = await openOldHouse(t)
  for (const error of [new ApiError('insufficient_storage'), outOfFiles(new Error('EMFILE, too many open files'))]) {
    const renew = createTermsRenewal(failing(house, error, 1))
    await assert.rejects(renew(NEVER), error)
    assert.deepEqual(house.logged, [])
  }
  await createTermsRenewal(house.parts)(NEVER)
  assert.equal(await reachedOf(house), null)
})

test('a failing memory file is retried in further rounds, and named if it keeps failing', async (t) => {
  const house = await openOldHouse(t)
  const renew = createTermsRenewal(failing(house, new ApiError('service_unavailable'), 1))
  await renew(NEVER)
  assert.match(house.logged.join(), /next round/)
  await renew(NEVER)
  assert.equal(await reachedOf(house), null)
  house.logged.length = 0
  const again = createTermsRenewal(failing(house, new ApiError('service_unavailable'), Infinity), 1000)
  for await (const chunks of house.parts.memoryFile.scan(house.memoryId, { documentIds: [house.shortId] }))
    await house.parts.memoryFile.add(
      house.memoryId,
      chunks.map((chunk) => ({ ...chunk, terms: 'old' })),
    )
  for (let round = 0; round < 4; round += 1) await again(NEVER)
  assert.deepEqual(
    house.logged.map((line) => /recollect doctor --fix/.test(line)),
    [false, false, true],
  )
})

test('a memory deleted while its terms are rebuilt is not named', async (t) => {
  const house = await openOldHouse(t)
  const { parts, caller, memoryId } = house
  const scan: typeof parts.memoryFile.scan = async function* () {
    yield* []
    await house.memories.delete(caller, memoryId)
    throw new ApiError('memory_not_found')
  }
  await createTermsRenewal({ ...parts, memoryFile: { ...parts.memoryFile, scan } })(NEVER)
  assert.deepEqual(house.logged, [])
  assert.equal(await reachedOf(house), null)
})
