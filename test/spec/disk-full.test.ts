import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Answer, assertError, assertStatus } from './answer.ts'
import { hasSmallDisks, spawnOnSmallDisk } from './product.ts'
import { prose } from './prose.ts'
import { createService, type Service } from './service.ts'
import type { Accepted, Added, Job } from './shapes.ts'
import { addText, addTexts, endOfJob, find, listDocuments, makeMemory, readMemory, readText, upload } from './steps.ts'
import { verifies } from './verifies.ts'

const MB = 1024 * 1024
/** Room for twice the reserved bytes and a memory file. */
const DISK_MB = 40
/** Per request. */
const TEXTS = 20
/** Per request. */
const CORRECTIONS = 200
/** The promised limit; a test file has less time. */
const PROMISED_MS = 8 * 60_000
/** Requests of each kind. */
const ASKED = 10
/** Together more requests than the log of the database has room for. */
const KEYED = 300
const FIRST = 'The first heron was here before the flood.'
const UNABLE = 'needs "unshare -rm" with a tmpfs: this machine lets no process mount a disk of its own'

test('a disk filled by adds: 507, reads and deletions work, and writes resume without a restart', async (context) => {
  verifies('errors.507.insufficient_storage')
  if (!hasSmallDisks()) return context.skip(UNABLE)
  await withSmallDisk(async (service) => {
    const kept = await makeMemory(service, 'Kept')
    const filling = await makeMemory(service, 'Filling')
    const first = await addText(service, kept, FIRST)
    // At this point the service holds the reserve for deletions.
    const empty = await freeBytes(service)
    const added = await addUntilFull((index) => uploadProse(service, filling, index))
    const fillUp = async () => {
      added.push(
        ...(await addUntilFull((index) => addTexts(service, filling, [{ title: 'n', text: prose(30_000, index) }]))),
      )
    }
    await fillUp()
    assert.ok(added.length > 1, 'the disk holds some documents')
    let refused = await uploadProse<Accepted>(service, filling, 99, { async: true })
    // Compaction may have freed space for this document meanwhile.
    while (refused.status === 202) {
      for (const id of refused.json.documentIds) await service.delete(`/v1/memories/${filling}/documents/${id}`)
      await fillUp()
      refused = await uploadProse<Accepted>(service, filling, 99, { async: true })
    }
    assertError(refused, 507, 'insufficient_storage')
    await correctUntilFull(service, filling)

    await assertReading(service, kept, first)
    assert.equal((await listDocuments(service, filling, '?limit=100')).total, added.length)
    const { documentCount } = await readMemory(service, filling)
    assert.equal(documentCount, added.length)
    for (const id of added) assertStatus(await service.delete(`/v1/memories/${filling}/documents/${id}`), 204)
    assertStatus(await service.delete(`/v1/memories/${filling}`), 204)

    assertStatus(await uploadProse(service, kept, 7), 200)
    assert.equal((await listDocuments(service, kept)).total, 2)
    assertStatus(await service.delete(`/v1/memories/${kept}`), 204)
    // The database's write-ahead log stays; a single document that was forgotten takes more than
    // the rest.
    await untilFree(service, empty - 6 * MB, 'what was refused and what was deleted take no room')
  })
})

test('a disk filled by others: reads and deletions work, jobs wait, and writes resume without a restart', async (context) => {
  verifies('errors.507.insufficient_storage', 'jobs.state.completed', 'documents.delete', 'keys.revoked')
  if (!hasSmallDisks()) return context.skip(UNABLE)
  await withSmallDisk(async (service) => {
    const memoryId = await makeMemory(service)
    const first = await addText(service, memoryId, FIRST)
    const doomed = await addText(service, memoryId, 'The third heron has to go.')
    const doomedMemory = await makeMemory(service)
    const leaked = await service.post<{ id: string }>('/v1/keys', { name: 'leaked' })
    const project = await service.post<{ id: string }>('/v1/projects', { name: 'over' })
    const job = await uploadProse<Accepted>(service, memoryId, 1, { async: true })
    assertStatus(job, 202)
    const ballast = join(diskOf(service), 'ballast')
    await fill(ballast)
    await waitUntilTried(service, job.json.jobId)

    const adding = await addTexts(service, memoryId, [{ title: 'n', text: 'The second heron came too late.' }])
    assertError(adding, 507, 'insufficient_storage')
    assertError(await uploadProse(service, memoryId, 2), 507, 'insufficient_storage')
    await assertReading(service, memoryId, first)
    // Deletions find room, even if the reads filled the remaining space of the database log.
    assertStatus(await service.delete(`/v1/keys/${leaked.json.id}`), 204)
    assertStatus(await service.delete(`/v1/projects/${project.json.id}`), 204)
    assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${doomed}`), 204)
    assertStatus(await service.delete(`/v1/memories/${doomedMemory}`), 204)
    assertError(await service.get(`/v1/memories/${memoryId}/documents/${doomed}`), 404, 'document_not_found')

    await rm(ballast)
    await addText(service, memoryId, 'The last heron came after the flood.')
    assert.equal((await endOfJob(service, job.json.jobId)).status, 'completed')
    assert.equal((await listDocuments(service, memoryId, '?status=ready')).total, 3)
  })
})

test('a disk filled by one memory: deleting two thirds of its documents makes room, and the others are found', async (context) => {
  verifies('beyond.deleted-bytes.full-disk')
  if (!hasSmallDisks()) return context.skip(UNABLE)
  await withSmallDisk(async (service) => {
    const memoryId = await makeMemory(service)
    const texts = (seed: number) =>
      Array.from({ length: TEXTS }, (_, i) => ({
        title: 'n',
        text: `mark${seed}x${i} ${prose(10_000, seed * TEXTS + i)}`,
      }))
    const added = await addUntilFull((seed) => addTexts(service, memoryId, texts(seed)))
    const full = await freeBytes(service)
    await fill(join(diskOf(service), 'ballast'))
    // Of every request some stay, so no part of the file goes as a whole.
    const gone = added.filter((_, index) => index % 3 !== 0)
    for (const id of gone) assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${id}`), 204)
    const untilMs = Date.now() + PROMISED_MS
    for (let status = 507; status !== 200; ) {
      assert.ok(Date.now() < untilMs, `adds are answered ${status} for too long`)
      ;({ status } = await addTexts(service, memoryId, [{ title: 'n', text: 'The heron is back.' }]))
      if (status !== 200) await setTimeout(500)
    }
    await untilFree(service, full, 'more is free than others took')
    const { hits } = await find(service, memoryId, `mark1x${TEXTS - (TEXTS % 3)}`, { options: { mode: 'lexical' } })
    assert.equal(hits[0]?.documentId, added[TEXTS - (TEXTS % 3)])
  })
})

async function withSmallDisk(work: (service: Service) => Promise<void>): Promise<void> {
  const service = createService({}, (settings) => spawnOnSmallDisk(settings, DISK_MB))
  await service.start()
  try {
    await work(service)
  } finally {
    await service.dispose()
  }
}

function uploadProse<Body = Added>(service: Service, memoryId: string, seed: number, options = {}) {
  const file = { content: prose(1.5 * MB, seed), filename: `${seed}.txt`, options: { storeSource: true, ...options } }
  return upload<Body>(service, memoryId, file)
}

/**
 * Corrections are small and fit where a document does not. Removed versions of the memory file free
 * space for many corrections in turn.
 */
async function correctUntilFull(service: Service, memoryId: string): Promise<void> {
  for (let count = 1; ; count += 1) {
    const corrections = Array.from({ length: CORRECTIONS }, (_, i) => ({ statement: `Heron ${count}.${i} came late.` }))
    const answer = await service.post(`/v1/memories/${memoryId}/corrections`, { corrections })
    if (answer.status !== 201) return assertError(answer, 507, 'insufficient_storage')
  }
}

/** Adds until the disk is full; returns the ids of acknowledged documents. */
async function addUntilFull(add: (index: number) => Promise<Answer<Added>>): Promise<string[]> {
  const ids: string[] = []
  for (let index = 1; ; index += 1) {
    const answer = await add(index)
    if (answer.status !== 200) {
      assertError(answer, 507, 'insufficient_storage')
      return ids
    }
    ids.push(...answer.json.documentIds)
  }
}

async function assertReading(service: Service, memoryId: string, first: string): Promise<void> {
  assert.equal(await readText(service, memoryId, first), FIRST)
  for (const mode of ['lexical', 'semantic', 'hybrid']) {
    const { hits } = await find(service, memoryId, 'heron before the flood', { options: { mode } })
    assert.equal(hits[0]?.documentId, first, mode)
  }
  assert.ok((await listDocuments(service, memoryId)).total > 0)
  const memory = `/v1/memories/${memoryId}`
  const sections = [{ id: 's', name: 'Birds', fields: [{ key: 'k', label: 'when the heron was here' }] }]
  const asked = {
    find: { query: 'heron' },
    search: { query: 'heron' },
    ask: { question: 'When was the heron here?' },
    extract: { sections },
    evaluate: { questions: [{ query: 'heron', documentIds: [first] }] },
  }
  // Clients send a key with every POST. The stored responses use the remaining space of the
  // database log.
  const requests = Object.entries(asked).flatMap((request) => Array.from({ length: ASKED }, () => request))
  while (requests.length < KEYED) requests.push(['find', asked.find])
  for (const [name, body] of requests) await assertAsked(service, `${memory}/${name}`, body)
  const read = ['/v1/account', '/v1/jobs', '/v1/keys', '/v1/webhooks', '/v1/projects', '/v1/memories', memory]
  const under = [
    'documents',
    `documents/${first}`,
    `documents/${first}/text`,
    'corrections',
    'pages',
    'verify',
    'export',
  ]
  for (const path of [...read, ...under.map((name) => `${memory}/${name}`)]) {
    assert.equal((await service.get(path)).status, 200, path)
  }
}

/**
 * Asserts that a question is answered, at the latest on the second attempt: cleanup may remove the
 * version in use. Prints the log lines of a first 503.
 */
async function assertAsked(service: Service, path: string, body: object): Promise<void> {
  const ask = () => service.post(path, body, { headers: { 'idempotency-key': randomUUID() } })
  const first = await ask()
  if (first.status !== 503) return assertStatus(first, 200)
  const { requestId } = (first.json as { error: { requestId: string } }).error
  console.log(
    service
      .output()
      .split('\n')
      .filter((line) => line.includes(requestId))
      .join('\n'),
  )
  await setTimeout(1000 * Number(first.headers.get('retry-after') ?? 1))
  assertStatus(await ask(), 200)
}

/** Waits until an attempt of the job has failed for want of room, or it was done before. */
async function waitUntilTried(service: Service, jobId: string): Promise<void> {
  for (;;) {
    const { status, message } = (await service.get<Job>(`/v1/jobs/${jobId}`)).json
    if (status === 'completed' || (status === 'pending' && message.startsWith('waiting'))) return
    assert.notEqual(status, 'failed', message)
    await setTimeout(50)
  }
}

/** The disk of the service process, as seen from this process. */
function diskOf(service: Service): string {
  return `/proc/${service.pid}/root${dirname(service.dataDirectory)}`
}

async function freeBytes(service: Service): Promise<number> {
  const { bavail, bsize } = await statfs(diskOf(service))
  return bavail * bsize
}

/**
 * Waits until more than so many bytes are free: what is deleted, and the database's free pages,
 * leave the disk in rounds.
 */
async function untilFree(service: Service, bytes: number, promise: string): Promise<void> {
  const untilMs = Date.now() + PROMISED_MS / 4
  while ((await freeBytes(service)) <= bytes) {
    assert.ok(Date.now() < untilMs, `${promise}: ${await freeBytes(service)} bytes are free, not ${bytes}`)
    await setTimeout(500)
  }
}

/** Fills the remaining disk to the last byte. */
async function fill(path: string): Promise<void> {
  const full = await writeFile(path, Buffer.alloc(DISK_MB * MB)).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code,
  )
  assert.equal(full, 'ENOSPC')
}
