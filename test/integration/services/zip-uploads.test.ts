import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { AcceptedDocuments, AddedDocuments } from '../../../src/api/ingest.ts'
import type { ArchiveMember } from '../../../src/api/job.ts'
import { PLANS, type PlanId } from '../../../src/limits.ts'
import type { IngestOptions } from '../../../src/services/ingest/ingest.ts'
import { createIngestService } from '../../../src/services/ingest/ingest-service.ts'
import { type ArchiveMemberSpec, buildArchive } from '../../support/build-archive.ts'
import { buildZip } from '../../support/build-zip.ts'
import { OPTIONS } from './ingest-fixture.ts'
import { openScanFixture } from './scan-fixture.ts'
import { HEAD, type ScriptedPage } from './scan-tasks.ts'

const PUMP = 'The green pump moves forty litres of water every minute of the day.'
const CRANE = 'A red crane lifted twelve containers from the ship in the old harbour.'
const FREE_BYTES = PLANS.free.limits.storageBytes ?? 0
const LEDGER = 'Ledger of the ship, with all goods that it carried in the year.'

async function openZipFixture(t: TestContext, plan: PlanId = 'unlimited') {
  const fixture = await openScanFixture(t, plan)
  const { parts, caller, memory } = fixture
  let files = 0
  const addZip = async (content: Buffer, options: Partial<IngestOptions> = {}, given: Partial<typeof parts> = {}) => {
    const path = join(parts.temporaryDirectory, `upload-${++files}`)
    await writeFile(path, content)
    const file = { path, bytes: content.length, filename: 'documents.zip', declaredType: null }
    const work = { signal: new AbortController().signal }
    const ingest = createIngestService({ ...parts, ...given })
    return ingest.addFile(caller, memory.id, { file, options: { ...OPTIONS, ...options }, work })
  }
  const endOf = async (added: AddedDocuments | AcceptedDocuments) => {
    assert.equal(added.status, 'pending')
    return fixture.endOfJob((added as AcceptedDocuments).jobId)
  }
  const remove = (id: string) => fixture.documents.delete(caller, memory.id, id)
  return { ...fixture, addZip, endOf, remove }
}

function pdf(...pages: readonly ScriptedPage[]): string {
  return HEAD + JSON.stringify(pages)
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isDone()); tries++) {
    assert.ok(tries < 200)
    await pause(20)
  }
}

function states(members: readonly ArchiveMember[] = []): Record<string, string> {
  return Object.fromEntries(members.map(({ filename, status }) => [filename, status]))
}

function idOf(members: readonly ArchiveMember[] | undefined, filename: string): string {
  return (
    members?.find((member) => member.filename === filename)?.documentId ?? assert.fail(`${filename} has no document`)
  )
}

/** Members of all kinds, with their results. */
const MIXED: readonly ArchiveMemberSpec[] = [
  { name: 'notes/' },
  { name: 'notes/pump.txt', content: PUMP },
  { name: 'notes/locked.txt', content: 'x', flags: 1 },
  { name: 'crane.md', content: `# Cranes\n\n${CRANE}` },
  { name: 'blank.txt', content: ' \n ' },
  { name: 'program.exe', content: 'MZ\0\0\x01\x02\x03' },
  { name: 'inner.zip', content: buildZip({ 'a.txt': PUMP }) },
  { name: 'wrong.txt', content: PUMP, crc: 1 },
]
const MIXED_STATES = {
  notes: 'skipped',
  'notes/pump.txt': 'ready',
  'notes/locked.txt': 'failed',
  'crane.md': 'ready',
  'blank.txt': 'failed',
  'program.exe': 'unsupported',
  'inner.zip': 'unsupported',
  'wrong.txt': 'failed',
}

test('a small archive is added within the request, with a result for each member', async (t) => {
  const { addZip, readDocument, readText, find, parts } = await openZipFixture(t)
  const added = (await addZip(buildArchive(MIXED), { storeSource: true })) as AddedDocuments
  assert.deepEqual([added.status, added.documentsAdded, added.documents.length], ['completed', 2, 2])
  assert.deepEqual(states(added.members), MIXED_STATES)
  const messages = added.members?.map(({ message }) => message)
  assert.deepEqual(messages?.slice(5, 7), [
    'The file type is not supported: Windows executable.',
    'An archive in an archive is not opened.',
  ])
  assert.ok(added.warnings.some(({ message }) => /5 of 8 members were not added/.test(message)))
  const id = idOf(added.members, 'notes/pump.txt')
  const document = await readDocument(id)
  assert.deepEqual([document.filename, document.title, document.sizeBytes], ['notes/pump.txt', 'pump', PUMP.length])
  assert.deepEqual([document.hasSource, document.jobId, await readText(id)], [true, null, PUMP])
  assert.equal((await readDocument(idOf(added.members, 'crane.md'))).title, 'Cranes')
  assert.equal((await find('forty litres')).hits[0]?.documentId, id)
  assert.deepEqual(await parts.db.selectFrom('intents').selectAll().execute(), [])
})

test('a job adds the members, and tells of each', async (t) => {
  const { addZip, endOf, startWorker, readDocument, listObjects } = await openZipFixture(t)
  const accepted = (await addZip(buildArchive(MIXED), { async: true })) as AcceptedDocuments
  assert.equal(accepted.reason, 'async_requested')
  assert.deepEqual(states(accepted.members), { ...MIXED_STATES, 'notes/pump.txt': 'pending', 'crane.md': 'pending' })
  assert.equal((await readDocument(accepted.documentIds[0] ?? '')).status, 'pending')
  startWorker()
  const job = await endOf(accepted)
  assert.deepEqual([job.status, job.message], ['partial', 'Failed: 3 of 8 members, see result.members.'])
  assert.deepEqual(states(job.result?.members), MIXED_STATES)
  assert.deepEqual(job.result?.documentIds, accepted.documentIds)
  await until(async () => (await listObjects()).length === 0)
})

test('an archive is large by its unpacked size, and by its scanned pages', async (t) => {
  const { addZip } = await openZipFixture(t)
  const large = buildZip({ 'a.txt': `${PUMP}\n`.repeat(20_000), 'b.txt': `${CRANE}\n`.repeat(20_000) })
  assert.ok(large.length < 100_000)
  assert.equal(((await addZip(large)) as AcceptedDocuments).reason, 'file_over_sync_threshold')
  const three = Array.from({ length: 3 }, (_, index) => ({ scan: `${LEDGER} ${index}` }))
  const scans = buildZip({ 'a.pdf': pdf(...three), 'b.pdf': pdf(...three) })
  assert.equal(((await addZip(scans)) as AcceptedDocuments).reason, 'scanned_pages')
})

test('an unreadable member becomes a failed document beside the others, in each kind of add', async (t) => {
  const { addZip, endOf, startWorker, readDocument, find, parts } = await openZipFixture(t)
  startWorker()
  const archive = buildZip({ 'a.txt': PUMP, 'dead.pdf': pdf('dies'), 'b.txt': CRANE })
  const expected = { 'a.txt': 'ready', 'dead.pdf': 'failed', 'b.txt': 'ready' }
  const added = (await addZip(archive)) as AddedDocuments
  assert.deepEqual(states(added.members), expected)
  const job = await endOf(await addZip(archive, { async: true }))
  assert.deepEqual(states(job.result?.members), expected)
  assert.deepEqual([job.status, job.isPartial, job.result?.documentsAdded], ['partial', true, 2])
  const failed = await readDocument(idOf(job.result?.members, 'dead.pdf'))
  assert.equal(failed.status, 'failed')
  assert.equal(failed.error, job.result?.members?.[1]?.message)
  const { hits } = await find('forty litres', { limit: 50 })
  assert.equal(hits.filter(({ text }) => text.includes('forty litres')).length, 1)
  assert.deepEqual(await parts.db.selectFrom('intents').selectAll().execute(), [])
})

test('an archive without any file to add is refused, and a job without any fails', async (t) => {
  const { addZip, endOf, startWorker, readDocument, documents, caller, memory } = await openZipFixture(t)
  const refuse = (archive: Buffer, message: RegExp, options: Partial<IngestOptions> = {}) =>
    assert.rejects(addZip(archive, options), { code: 'unprocessable_document', message })
  await refuse(buildZip({}), /contains no file that can be added\.$/)
  await refuse(buildZip({ 'a.exe': 'MZ\0\0', 'b.exe': 'MZ\0\0' }), /2 members: The file type is not supported: Windows/)
  await refuse(buildZip({ 'a.txt': 'x' }, { isEncrypted: true }), /1 member: The file is password protected/)
  await refuse(buildZip({ 'a.txt': 'x', 'b.txt': 'x' }, { isOverlapping: true }), /overlap/, { async: true })
  await refuse(buildZip({ 'a.pdf': pdf('dies') }), /1 member: /)
  const page = { limit: 10, cursor: null }
  const all = { status: null, tag: null, sourceType: null, page }
  assert.equal((await documents.list(caller, memory.id, all)).documents.length, 0)
  startWorker()
  const accepted = await addZip(buildZip({ 'a.pdf': pdf('dies'), 'b.pdf': pdf('dies') }), { async: true })
  const job = await endOf(accepted)
  assert.deepEqual([job.status, job.errorCode], ['failed', 'unprocessable_document'])
  assert.match(job.error ?? '', /^No member of the archive could be added\. The first: /)
  const [id = ''] = (accepted as AcceptedDocuments).documentIds
  assert.doesNotMatch((await readDocument(id)).error ?? '', /No member/)
})

test('deduplicate compares with the memory and with earlier members, in each kind of add', async (t) => {
  const { addZip, endOf, startWorker } = await openZipFixture(t)
  startWorker()
  const first = (await addZip(buildZip({ 'a.txt': PUMP }))) as AddedDocuments
  const archive = buildZip({ 'copy.txt': PUMP, 'b.txt': CRANE, 'c.txt': CRANE })
  const expected = { 'copy.txt': 'duplicate', 'b.txt': 'ready', 'c.txt': 'duplicate' }
  const job = await endOf(await addZip(archive, { deduplicate: true, async: true }))
  assert.deepEqual(states(job.result?.members), expected)
  const [copy, , again] = job.result?.members ?? []
  assert.deepEqual([copy?.documentId, copy?.duplicateOf], [null, first.documentIds[0]])
  assert.equal(again?.duplicateOf, job.result?.documentIds[0])
  assert.deepEqual([job.result?.documentsAdded, job.result?.documentsSkipped], [1, 2])
  const other = buildZip({ 'copy.txt': PUMP, 'd.txt': LEDGER, 'e.txt': LEDGER })
  const added = (await addZip(other, { deduplicate: true })) as AddedDocuments
  assert.deepEqual(states(added.members), { 'copy.txt': 'duplicate', 'd.txt': 'ready', 'e.txt': 'duplicate' })
})

test('a retry reads the remaining pages and the failed members, and keeps the others', async (t) => {
  const { addZip, endOf, startWorker, jobs, caller, readDocument, parts } = await openZipFixture(t)
  startWorker()
  const pages = Array.from({ length: 4 }, (_, index) => ({ scan: `The words of scan ${index + 1}.` }))
  const archive = buildZip({ 'a.txt': PUMP, 'scan.pdf': pdf(...pages), 'dead.pdf': pdf('dies') })
  const job = await endOf(await addZip(archive, { ocrMaxPages: 2, async: true }))
  assert.deepEqual(states(job.result?.members), { 'a.txt': 'ready', 'scan.pdf': 'partial', 'dead.pdf': 'failed' })
  assert.match(job.message, /^Incomplete: 1 of 3 members, see result\.members\. Failed: 1 of 3/)
  const before = await readDocument(idOf(job.result?.members, 'a.txt'))
  // The file exceeded no limit, so that it is read again.
  await jobs.retry(caller, job.id)
  const again = await jobs.wait(caller, job.id, { waitMs: 60_000, signal: new AbortController().signal })
  assert.deepEqual(states(again.result?.members), { 'a.txt': 'ready', 'scan.pdf': 'ready', 'dead.pdf': 'failed' })
  assert.equal((await readDocument(idOf(again.result?.members, 'scan.pdf'))).ocrPages, 4)
  assert.deepEqual(await readDocument(before.id), before)
  const rows = await parts.db.selectFrom('documents').select(['chunk_count', 'size_bytes', 'status']).execute()
  const live = rows.filter(({ status }) => status === 'ready')
  assert.equal(
    again.result?.chunksCreated,
    live.reduce((total, row) => total + row.chunk_count, 0),
  )
  assert.equal(
    again.result?.totalBytes,
    live.reduce((total, row) => total + row.size_bytes, 0),
  )
  assert.deepEqual(
    again.result?.warnings.filter(({ message }) => message.includes('ocrMaxPages')),
    [],
  )
})

test('deleting the document of a member leaves the others, and the job without its name', async (t) => {
  const { addZip, endOf, startWorker, remove, readDocument, jobs, caller, parts } = await openZipFixture(t)
  const accepted = (await addZip(buildZip({ 'a.txt': PUMP, 'b.txt': CRANE, 'c.txt': LEDGER }), {
    async: true,
  })) as AcceptedDocuments
  const [a = '', b = '', c = ''] = accepted.documentIds
  await remove(a)
  startWorker()
  const job = await endOf(accepted)
  assert.deepEqual([job.status, job.result?.documentIds], ['completed', [b, c]])
  assert.deepEqual(
    job.result?.members?.map(({ filename, status }) => [filename, status]),
    [
      ['', 'skipped'],
      ['b.txt', 'ready'],
      ['c.txt', 'ready'],
    ],
  )
  await remove(b)
  assert.equal((await readDocument(c)).status, 'ready')
  const names = async () => (await jobs.get(caller, job.id)).result?.members?.map(({ filename }) => filename)
  assert.deepEqual(await names(), ['', '', 'c.txt'])
  await remove(c)
  assert.deepEqual(await names(), ['', '', ''])
  const { payload } = await parts.db.selectFrom('jobs').select('payload').executeTakeFirstOrThrow()
  assert.doesNotMatch(payload, /\.txt/)
})

test('storage of the plan: nothing within a request, what fits by a job', async (t) => {
  const { addZip, endOf, startWorker, parts, readDocument } = await openZipFixture(t, 'free')
  const leave = (bytes: number) =>
    parts.db
      .updateTable('memories')
      .set({ storage_bytes: FREE_BYTES - bytes })
      .execute()
  await leave(PUMP.length + 20)
  const archive = buildZip({ 'a.txt': PUMP, 'b.txt': CRANE, 'c.txt': LEDGER })
  await assert.rejects(addZip(archive), { code: 'storage_quota_exceeded' })
  startWorker()
  const job = await endOf(await addZip(archive, { async: true }))
  assert.deepEqual([job.status, job.errorCode], ['partial', 'storage_quota_exceeded'])
  const members = job.result?.members
  assert.equal(members?.[0]?.status, 'ready')
  assert.deepEqual(
    members
      ?.slice(1)
      .map(({ status }) => status)
      .filter((status) => status === 'ready'),
    [],
  )
  assert.match((await readDocument(members?.[2]?.documentId ?? '')).error ?? '', /storage quota/)
})

test('limits of members and of unpacked bytes are settings', async (t) => {
  const { addZip } = await openZipFixture(t)
  const archive = buildZip({ 'a.txt': PUMP, 'b.txt': CRANE })
  const add = (maxMembers: number, maxBytes: number) => addZip(archive, {}, { zipLimits: { maxMembers, maxBytes } })
  await assert.rejects(add(1, 1000), { code: 'unprocessable_document', message: /2 members, more than the 1/ })
  await assert.rejects(add(2, 100), { code: 'unprocessable_document', message: /too large when unpacked/ })
  assert.equal((await add(2, 1000)).status, 'completed')
})

test('temporary files of an archive are removed after each kind of add', async (t) => {
  const { addZip, parts } = await openZipFixture(t)
  await addZip(buildArchive(MIXED))
  await addZip(buildArchive(MIXED), { async: true })
  await addZip(buildZip({ 'a.exe': 'MZ\0\0' })).catch(() => undefined)
  assert.deepEqual(
    (await readdir(parts.temporaryDirectory)).filter((name) => name.startsWith('zip-')),
    [],
  )
})
