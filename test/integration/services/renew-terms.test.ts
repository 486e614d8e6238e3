import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from '@lancedb/lancedb'
import { getTaskProgress } from '../../../src/database/process-tables.ts'
import { ApiError, outOfFiles } from '../../../src/errors.ts'
import type { Log } from '../../../src/observability/log.ts'
import { rebuildTerms } from '../../../src/services/doctor/rebuild-chunks.ts'
import { createTermsRenewal, type RenewalDeps } from '../../../src/services/doctor/renew-terms.ts'
import { openDoctor } from './doctor-fixture.ts'

const NEVER = new AbortController().signal

/**
 * A fixture whose short document is found by other words than its own, as indexed by an earlier
 * version; and the log.
 */
async function openOldFixture(t: TestContext) {
  const fixture = await openDoctor(t)
  const { memoryFile } = fixture.parts
  for await (const chunks of memoryFile.scan(fixture.memoryId, { documentIds: [fixture.shortId] }))
    await memoryFile.add(
      fixture.memoryId,
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
  const parts = { ...fixture.parts, memoryFile: { ...memoryFile, scan: counted }, log }
  return { ...fixture, parts, logged, countScans: () => scans }
}

const kinds = (found: readonly { kind: string }[]) => found.map(({ kind }) => kind)

test('the terms of an earlier version are made again behind the start, once', async (t) => {
  const { parts, examine, logged, countScans } = await openOldFixture(t)
  assert.deepEqual(kinds(await examine()), ['wrong_terms'])
  await createTermsRenewal(parts)(NEVER)
  assert.deepEqual(await examine(), [])
  assert.match(logged.join(), /rebuilt/)
  assert.equal((await getTaskProgress(parts.db, 'terms'))?.reached, null)
  const scans = countScans()
  await createTermsRenewal(parts)(NEVER)
  assert.equal(countScans(), scans)
  await createTermsRenewal(parts, 1000)(NEVER)
  assert.ok(countScans() > scans)
})

test('a stop leaves the rest for the next start', async (t) => {
  const { parts, examine } = await openOldFixture(t)
  await createTermsRenewal(parts)(AbortSignal.abort())
  assert.deepEqual(kinds(await examine()), ['wrong_terms'])
  await createTermsRenewal(parts)(NEVER)
  assert.deepEqual(await examine(), [])
})

test('a memory file of an older form is named in the log of each start and in answers, and the doctor rebuilds it', async (t) => {
  const { parts, folder, memoryId, examine, mend, logged, files } = await openOldFixture(t)
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
async function termsOf({ parts, memoryId, shortId }: Awaited<ReturnType<typeof openOldFixture>>): Promise<string[]> {
  const terms: string[] = []
  for await (const chunks of parts.memoryFile.scan(memoryId, { documentIds: [shortId] }))
    terms.push(...chunks.map((chunk) => chunk.terms))
  return terms
}

const reachedOf = async ({ parts }: Awaited<ReturnType<typeof openOldFixture>>) =>
  (await getTaskProgress(parts.db, 'terms'))?.reached

test('a document that is being added is left alone', async (t) => {
  const fixture = await openOldFixture(t)
  const { parts, shortId } = fixture
  await parts.db.updateTable('documents').set({ status: 'processing' }).where('id', '=', shortId).execute()
  await createTermsRenewal(parts)(NEVER)
  assert.equal(await rebuildTerms(parts, fixture.memoryId, shortId), true)
  assert.deepEqual(await termsOf(fixture), ['old'])
  assert.equal(await reachedOf(fixture), null)
})

test('a document being reread gets its terms afterwards', async (t) => {
  const fixture = await openOldFixture(t)
  const { parts, caller, memoryId, shortId } = fixture
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
  assert.deepEqual(await termsOf(fixture), ['old'])
  assert.notEqual(await reachedOf(fixture), null)
  await parts.db.updateTable('jobs').set({ status: 'failed' }).execute()
  await renew(NEVER)
  assert.notDeepEqual(await termsOf(fixture), ['old'])
  assert.equal(await reachedOf(fixture), null)
})

test('a memory being re-embedded gets its terms afterwards', async (t) => {
  const fixture = await openOldFixture(t)
  const { parts } = fixture
  const name = (next_file: string | null) => parts.db.updateTable('memories').set({ next_file }).execute()
  await name(`${fixture.memoryId}.01k00000000000000000000000`)
  const renew = createTermsRenewal(parts)
  await renew(NEVER)
  assert.deepEqual(await termsOf(fixture), ['old'])
  assert.notEqual(await reachedOf(fixture), null)
  await name(null)
  await renew(NEVER)
  assert.notDeepEqual(await termsOf(fixture), ['old'])
  assert.equal(await reachedOf(fixture), null)
})

/** The dependencies with writes that fail `times` times. */
function failing({ parts }: Awaited<ReturnType<typeof openOldFixture>>, error: Error, times: number): RenewalDeps {
  let left = times
  const add: typeof parts.memoryFile.add = async (...added) => {
    left -= 1
    if (left >= 0) throw error
    return parts.memoryFile.add(...added)
  }
  return { ...parts, memoryFile: { ...parts.memoryFile, add } }
}

test('a full disk or a limit of open files ends a round, and the next one continues', async (t) => {
  const fixture = await openOldFixture(t)
  for (const error of [new ApiError('insufficient_storage'), outOfFiles(new Error('EMFILE, too many open files'))]) {
    const renew = createTermsRenewal(failing(fixture, error, 1))
    await assert.rejects(renew(NEVER), error)
    assert.deepEqual(fixture.logged, [])
  }
  await createTermsRenewal(fixture.parts)(NEVER)
  assert.equal(await reachedOf(fixture), null)
})

test('a failing memory file is retried in further rounds, and named if it keeps failing', async (t) => {
  const fixture = await openOldFixture(t)
  const renew = createTermsRenewal(failing(fixture, new ApiError('service_unavailable'), 1))
  await renew(NEVER)
  assert.match(fixture.logged.join(), /next round/)
  await renew(NEVER)
  assert.equal(await reachedOf(fixture), null)
  fixture.logged.length = 0
  const again = createTermsRenewal(failing(fixture, new ApiError('service_unavailable'), Infinity), 1000)
  for await (const chunks of fixture.parts.memoryFile.scan(fixture.memoryId, { documentIds: [fixture.shortId] }))
    await fixture.parts.memoryFile.add(
      fixture.memoryId,
      chunks.map((chunk) => ({ ...chunk, terms: 'old' })),
    )
  for (let round = 0; round < 4; round += 1) await again(NEVER)
  assert.deepEqual(
    fixture.logged.map((line) => /recollect doctor --fix/.test(line)),
    [false, false, true],
  )
})

test('a memory deleted while its terms are rebuilt is not named', async (t) => {
  const fixture = await openOldFixture(t)
  const { parts, caller, memoryId } = fixture
  const scan: typeof parts.memoryFile.scan = async function* () {
    yield* []
    await fixture.memories.delete(caller, memoryId)
    throw new ApiError('memory_not_found')
  }
  await createTermsRenewal({ ...parts, memoryFile: { ...parts.memoryFile, scan } })(NEVER)
  assert.deepEqual(fixture.logged, [])
  assert.equal(await reachedOf(fixture), null)
})
