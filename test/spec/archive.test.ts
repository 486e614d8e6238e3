import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { type Answer, assertError, assertStatus, type ErrorAnswer } from './answer.ts'
import { createService, type Service, useService } from './service.ts'
import type { Accepted, Memory } from './shapes.ts'
import { addText, endOfJob, find, listDocuments, makeKey, makeMemory, readMemory, readText, upload } from './steps.ts'
import { verifies } from './verifies.ts'

const QUESTIONS = ['How fast is a P1 acknowledged?', 'Kündigungsfrist', 'which drawer has the key', 'price of a bolt']

let memoryId = ''
const service = useService({}, async (started) => {
  memoryId = await makeMemory(started)
  await addText(started, memoryId, 'P1 incidents are acknowledged within 10 minutes.', {
    title: 'P1 Playbook',
    tags: ['ops'],
    metadata: { owner: 'Ann', level: 1 },
    externalId: 'playbook',
  })
  await addText(started, memoryId, 'Die Kündigungsfrist beträgt drei Monate zum Quartalsende.', {
    title: 'Mietvertrag',
  })
  for (const text of ['Where is the key?', 'In the drawer.', 'The blue one.']) await addText(started, memoryId, text)
  const options = { storeSource: true }
  await upload(started, memoryId, { filename: 'prices.csv', content: 'part,price\nbolt,3 EUR\nnut,1 EUR\n', options })
  await started.post(`/v1/memories/${memoryId}/correct`, {
    statement: 'P1 incidents are acknowledged within 5 minutes.',
    topics: ['P1'],
  })
})

/** The archive of a memory, with its response headers. */
async function download(from: Service, id: string, key = from.bootstrapKey) {
  const response = await fetch(`${from.url}/v1/memories/${id}/export`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(response.status, 200)
  return { archive: Buffer.from(await response.arrayBuffer()), headers: response.headers }
}

function send<Body = Memory>(
  to: Service,
  archive: Uint8Array,
  fields: Readonly<Record<string, string>> = {},
  key?: string,
): Promise<Answer<Body>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(archive)]), 'memory.tar.gz')
  return to.call<Body>('POST', '/v1/memories/import', { body: form, ...(key === undefined ? {} : { key }) })
}

async function unpack(archive: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const entries = extract()
  Readable.from([gunzipSync(archive)]).pipe(entries as never)
  for await (const entry of entries) files.set(entry.header.name, await buffer(entry as never))
  return files
}

/**
 * The archive with one entry changed and a matching manifest, which marks the `incomplete`
 * documents as damaged.
 */
async function forge(archive: Buffer, change: (name: string, content: string) => string, incomplete: number[] = []) {
  const files = await unpack(archive)
  const manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '')
  files.delete('manifest.json')
  const tar = pack()
  const entries = [...files].map(([name, content]) => {
    const text = name.startsWith('vectors/') || name.startsWith('windows/') ? content : change(name, content.toString())
    const written = Buffer.from(text)
    tar.entry({ name, size: written.length }, written)
    return { name, bytes: written.length, sha256: createHash('sha256').update(written).digest('hex') }
  })
  tar.entry({ name: 'manifest.json' }, JSON.stringify({ ...manifest, entries, incomplete }))
  tar.finalize()
  return gzipSync(await buffer(tar as never))
}

test('an export is one .tar.gz readable by any tar, with all content and a manifest of hashes', async () => {
  verifies('beyond.export', 'beyond.export.manifest')
  const { archive, headers } = await download(service, memoryId)
  assert.equal(headers.get('content-type'), 'application/gzip')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="Support KB.tar.gz"')
  const files = await unpack(archive)
  const read = (name: string) => JSON.parse(files.get(name)?.toString() ?? '')
  const manifest = read('manifest.json')
  assert.equal(manifest.version, 1)
  assert.deepEqual(manifest.counts, { documents: 6, corrections: 1, chunks: 7 })
  const entries = [...files].filter(([name]) => name !== 'manifest.json')
  const hashes = entries.map(([name, content]) => {
    return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
  })
  assert.deepEqual(manifest.entries, hashes)
  assert.equal(read('memory.json').memory.name, 'Support KB')
  assert.equal(read('memory.json').embedder.model, (await readMemory(service, memoryId)).embeddingModel)
  const documents = [...files].filter(([name]) => name.startsWith('documents/'))
  const lines = documents.flatMap(([, content]) =>
    content
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  )
  assert.equal(lines.length, 7)
  assert.deepEqual(lines[0].metadata, { owner: 'Ann', level: 1 })
  assert.equal(files.get('originals/00000006')?.toString(), 'part,price\nbolt,3 EUR\nnut,1 EUR\n')
  const { dimensions } = manifest.embedder
  assert.equal(files.get('vectors/00000001.f32')?.length, 7 * dimensions * 4)
})

test('an archive holds no key and no identifier of the installation', async () => {
  verifies('beyond.export.nothing-else')
  const { archive } = await download(service, memoryId)
  const all = Buffer.concat([...(await unpack(archive)).values()]).toString('latin1')
  assert.doesNotMatch(all, /(org|key|mem|doc|job|prj)_[0-7][0-9a-z]{25}|rcl_/)
  assert.ok(!all.includes(service.bootstrapKey))
})

test('another installation recreates the memory: the same hits, texts, facts and originals under new identifiers', async (t) => {
  verifies('beyond.import', 'beyond.import.same', 'beyond.import.hashes')
  const other = createService()
  t.after(() => other.dispose())
  await other.start()
  const { archive } = await download(service, memoryId)
  const answer = await send<Memory & { warnings: unknown[] }>(other, archive)
  assertStatus(answer, 201)
  const { id, warnings } = answer.json
  assert.equal(answer.headers.get('location'), `/v1/memories/${id}`)
  assert.deepEqual(warnings, [])
  const [before, after] = [await readMemory(service, memoryId), await readMemory(other, id)]
  for (const field of [
    'name',
    'documentCount',
    'chunkCount',
    'correctionCount',
    'sizeBytes',
    'embeddingModel',
  ] as const)
    assert.equal(after[field], before[field], field)
  for (const query of QUESTIONS) {
    const [first, second] = [await find(service, memoryId, query), await find(other, id, query)]
    const told = ({ hits }: typeof first) => hits.map(({ text, title, kind }) => `${kind} ${title}: ${text}`)
    assert.deepEqual(told(second), told(first))
    for (const [rank, { score }] of first.hits.entries()) {
      assert.ok(Math.abs(score - (second.hits[rank]?.score ?? 0)) < 0.001, query)
    }
  }
  const [mine, theirs] = [await listDocuments(service, memoryId), await listDocuments(other, id)]
  assert.deepEqual(
    theirs.documents.map(({ title }) => title),
    mine.documents.map(({ title }) => title),
  )
  for (const [index, document] of mine.documents.entries()) {
    const copy = theirs.documents[index]?.id ?? ''
    assert.notEqual(copy, document.id)
    assert.equal(await readText(other, id, copy), await readText(service, memoryId, document.id))
  }
})

test('name and project are the caller’s to choose, and what is unknown is said', async () => {
  verifies('beyond.import.options')
  const { archive } = await download(service, memoryId)
  const { json: project } = await service.post<{ id: string }>('/v1/projects', { name: 'Restored' })
  const answer = await send(service, archive, { name: 'Support KB, restored', projectId: project.id })
  assertStatus(answer, 201)
  assert.deepEqual([answer.json.name, answer.json.projectName], ['Support KB, restored', 'Restored'])
  assertError(await send(service, archive, { projectId: 'prj_nowhere' }), 404, 'project_not_found')
  assertError(await send(service, archive, { name: '' }), 400, 'validation_failed')
})

test('on request, and from 2 MB on, a job imports, and its memory is there when it has ended', async () => {
  verifies('beyond.import.job', 'beyond.import.job.memory')
  const { archive } = await download(service, memoryId)
  const answer = await send<Accepted>(service, archive, { options: '{"async":true}' })
  assertStatus(answer, 202)
  assert.equal(answer.json.reason, 'async_requested')
  assert.equal(answer.json.job.memoryId, null)
  const job = await endOfJob(service, answer.json.jobId)
  assert.deepEqual([job.jobType, job.status, job.result?.documentsAdded], ['memoryimport', 'completed', 7])
  assert.equal((await readMemory(service, job.memoryId)).documentCount, 6)
  const large = Buffer.concat([archive, Buffer.alloc(3 * 1024 * 1024)])
  const refused = await send<Accepted>(service, large)
  assertStatus(refused, 202)
  assert.equal(refused.json.reason, 'file_over_sync_threshold')
  const failed = await endOfJob(service, refused.json.jobId)
  assert.deepEqual([failed.status, failed.errorCode, failed.memoryId], ['failed', 'invalid_archive', null])
  verifies('beyond.import.retry')
  const retried = await service.post<ErrorAnswer>(`/v1/jobs/${refused.json.jobId}/retry`, {})
  assertError(retried, 409, 'job_not_cancellable')
  assert.match(retried.json.error.message, /Archives of failed imports are deleted/)
  assert.match(retried.json.error.remedy, /POST \/v1\/memories\/import/)
})

test('a damaged, cut, foreign or newer archive is 422 with what is wrong, and nothing is there afterwards', async () => {
  verifies('beyond.import.invalid', 'errors.422.invalid_archive')
  const { archive } = await download(service, memoryId)
  const before = (await service.get<{ total: number }>('/v1/memories')).json.total
  const flipped = Buffer.from(archive)
  flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 1
  const damaged = [flipped, archive.subarray(0, archive.length - 9), Buffer.concat([archive, Buffer.from('x')])]
  for (const content of [...damaged, Buffer.from('no archive'), Buffer.alloc(0)]) {
    const answer = await send<ErrorAnswer>(service, content)
    assertError(answer, 422, 'invalid_archive')
    assert.ok(answer.json.error.message.length > 20 && answer.json.error.remedy.length > 0)
  }
  assert.equal((await service.get<{ total: number }>('/v1/memories')).json.total, before)
})

test('texts, chunks and originals that differ from the archive are refused, unless marked as damaged', async () => {
  verifies('beyond.import.as-added')
  const { archive } = await download(service, memoryId)
  const before = (await service.get<{ total: number }>('/v1/memories')).json.total
  const change = (folder: string, from: string, to: string) => (name: string, content: string) =>
    name.startsWith(folder) ? content.replace(from, to) : content
  const changes = [
    change('documents/', '"text":"P1 incidents', '"text":"P9 incidents'),
    change('chunks/', '"text":"P1 incidents', '"text":"P9 incidents'),
    change('chunks/', '"startOffset":0', '"startOffset":1'),
    change('originals/', '3 EUR', '9 EUR'),
  ]
  for (const [index, each] of changes.entries()) {
    const answer = await send<ErrorAnswer>(service, await forge(archive, each))
    assert.equal(answer.status, 422, `change ${index}: ${answer.text}`)
    assertError(answer, 422, 'invalid_archive')
    assert.match(answer.json.error.message, /ocument \d/)
  }
  assert.equal((await service.get<{ total: number }>('/v1/memories')).json.total, before)
  const all = [1, 2, 3, 4, 5, 6, 7]
  for (const each of changes) {
    const answer = await send<Memory & { warnings: { code: string }[] }>(service, await forge(archive, each, all))
    assertStatus(answer, 201)
    assert.deepEqual(
      answer.json.warnings.map(({ code }) => code),
      ['documents_incomplete'],
    )
    const { ok } = (await service.get<{ ok: boolean }>(`/v1/memories/${answer.json.id}/verify`)).json
    assert.equal(ok, false)
  }
})

test('an archive is held to the limits of requests, and the names of its files are cleaned', async () => {
  verifies('beyond.import.fields')
  const { archive } = await download(service, memoryId)
  const changed = (from: string, to: string) =>
    forge(archive, (name, content) => (name.startsWith('documents/') ? content.replace(from, to) : content))
  const refused = await send<ErrorAnswer>(service, await changed('"tags":["ops"]', '"tags":[" "]'))
  assertError(refused, 422, 'invalid_archive')
  assert.match(refused.json.error.message, /^documents\/00000001\.ndjson .*\/tags\/0/)
  const cleaned = await send(service, await changed('"filename":"prices.csv"', '"filename":"../a\u202eb.csv"'))
  assertStatus(cleaned, 201)
  const { documents } = await listDocuments(service, cleaned.json.id)
  assert.ok(documents.some(({ filename }) => filename === 'ab.csv'))
})

test('a memory key exports its memory, no other, and imports none', async () => {
  verifies('beyond.export.scope')
  const { key = '' } = await makeKey(service, memoryId)
  const { archive } = await download(service, memoryId, key)
  const other = await makeMemory(service, 'Other')
  assertError(await service.get(`/v1/memories/${other}/export`, { key }), 404, 'memory_not_found')
  assertError(await send(service, archive, {}, key), 403, 'scope_forbidden')
})

test('a process killed during an import leaves nothing, and continues the job after its restart', async (t) => {
  verifies('beyond.import.whole')
  const own = createService()
  t.after(() => own.dispose())
  await own.start()
  const id = await makeMemory(own)
  const line = (at: number) => `Paragraph ${at} tells of pump ${at % 17}, valve ${at % 29} and pipe ${at % 97}.`
  const text = Array.from({ length: 4000 }, (_, at) => line(at)).join('\n\n')
  await addText(own, id, text.slice(0, 200_000))
  const { archive } = await download(own, id)
  const answer = await send<Accepted>(own, archive, { options: '{"async":true}', name: 'Killed' })
  assertStatus(answer, 202)
  await own.kill()
  await own.start()
  const job = await endOfJob(own, answer.json.jobId)
  assert.equal(job.status, 'completed', job.message)
  assert.equal((await readMemory(own, job.memoryId)).chunkCount, (await readMemory(own, id)).chunkCount)
  assert.equal((await own.get<{ total: number }>('/v1/memories')).json.total, 2)
})
