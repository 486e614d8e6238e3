import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Client, createClient } from '../../../src/client/client.ts'
import {
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
} from '../../../src/client/client-errors.ts'
import { useService } from '../../spec/service.ts'
import { buildPdf, lines } from '../../support/build-pdf.ts'

let client: Client
let memoryId = ''
const service = useService({}, async ({ url, bootstrapKey }) => {
  client = createClient({ baseUrl: `${url}/`, apiKey: bootstrapKey })
  memoryId = (await client.memories.create({ name: 'Harbour' })).id
})

test('a file from a path, from bytes, from a text and from a stream is found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-client-'))
  try {
    const path = join(folder, 'tides, 1 März.txt')
    await writeFile(path, 'The tide table hangs beside the wheelhouse door.')
    const stream = () => new Blob(['The pilot boat leaves at dawn.']).stream()
    const answers = [
      await client.documents.addFile(memoryId, { path }, { storeSource: true }),
      await client.documents.addFile(memoryId, {
        content: Buffer.from('Ropes are kept in the loft.'),
        name: 'ropes.txt',
      }),
      await client.documents.addFile(memoryId, { content: 'Buoy nine is painted green.', name: 'buoys.md' }),
      await client.documents.addFile(memoryId, { stream: stream(), name: 'pilot.txt' }, { deduplicate: true }),
    ]
    for (const answer of answers) assert.ok('documentsAdded' in answer && answer.documentsAdded === 1)
    const { hits } = await client.find(memoryId, 'When does the pilot boat leave?', { highlight: true, limit: 1 })
    assert.equal(hits[0]?.filename, 'pilot.txt')
    assert.match(hits[0]?.snippet ?? '', /<mark>pilot<\/mark>/)
    const [first] = (await client.find(memoryId, 'tide table', { limit: 1 })).hits
    assert.equal(first?.filename, 'tides, 1 März.txt')
    const source = await client.documents.readSource(memoryId, first?.documentId ?? '')
    assert.equal(await source.text(), await client.documents.readText(memoryId, first?.documentId ?? ''))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('an address and a key may come straight from the environment, also where neither is set', () => {
  const { ABSENT_ADDRESS: baseUrl, ABSENT_KEY: apiKey } = process.env
  assert.equal(typeof createClient({ baseUrl, apiKey }).find, 'function')
})

test('an unreadable path rejects with the error of the file system, and the program continues', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-client-'))
  const unread = (path: string) => client.documents.addFile(memoryId, { path })
  try {
    await assert.rejects(unread(folder), { code: 'EISDIR' })
    await assert.rejects(unread(join(folder, 'absent.txt')), { code: 'ENOENT' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a file that grows between two attempts is sent in its current form', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-client-'))
  const path = join(folder, 'log.txt')
  await writeFile(path, 'The harbour opens.')
  let attempts = 0
  const failingFirst: typeof fetch = async (input, init) => {
    attempts += 1
    if (attempts > 1) return fetch(input, init)
    await writeFile(path, 'The harbour opens. The gantry is oiled on Mondays.')
    return new Response(null, { status: 503, headers: { 'retry-after': '0' } })
  }
  try {
    const retrying = createClient({ baseUrl: service.url, apiKey: service.bootstrapKey, fetch: failingFirst })
    const added = await retrying.documents.addFile(memoryId, { path })
    const [documentId = ''] = 'documentIds' in added ? added.documentIds : []
    assert.match(await client.documents.readText(memoryId, documentId), /gantry is oiled/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a list iterates over its pages', async () => {
  const { id } = await client.memories.create({ name: 'Many' })
  const texts = Array.from({ length: 7 }, (_, n) => ({ title: `Note ${n}`, text: `Note number ${n} of the quay.` }))
  await client.documents.addTexts(id, texts)
  const titles: string[] = []
  for await (const { title } of client.documents.list(id, { limit: 3 })) titles.push(title)
  assert.deepEqual(
    titles.toSorted(),
    texts.map(({ title }) => title),
  )
  const names: string[] = []
  for await (const { name } of client.memories.list({ limit: 1 })) names.push(name)
  assert.deepEqual(names, ['Many', 'Harbour'])
})

test('a job is awaited with progress', async () => {
  const accepted = await client.documents.addTexts(memoryId, [{ text: 'The crane lifts nine tonnes.' }], {
    async: true,
  })
  assert.ok('jobId' in accepted)
  const seen: string[] = []
  const job = await client.jobs.wait(accepted.jobId, { onProgress: ({ status }) => seen.push(status) })
  assert.equal(job.status, 'completed')
  assert.equal(seen.at(-1), 'completed')
  assert.equal((await client.jobs.wait(accepted.jobId)).result?.documentsAdded, 1)
})

test('an answer streams, and its end is the whole answer', async () => {
  let text = ''
  let last = ''
  for await (const event of client.askStream(memoryId, 'How much does the crane lift?')) {
    if (event.type === 'token') text += event.text
    if (event.type === 'done') last = event.answer.answer
  }
  assert.equal(text, last)
  assert.match(last, /nine tonnes/)
  const whole = await client.ask(memoryId, 'How much does the crane lift?', { includeSources: true })
  assert.equal(whole.answer, last)
  assert.ok(whole.sources.length > 0)
})

test('an answer over a text streams as well', async () => {
  const types = new Set<string>()
  for await (const { type } of client.askOnceStream({ question: 'Who rows?', content: 'Mara rows every day.' })) {
    types.add(type)
  }
  assert.deepEqual([...types], ['token', 'citation', 'done'])
})

test('a page of a stored original is drawn', async () => {
  const content = buildPdf([{ content: lines(['The crane stands on pier four.'], { x: 72, y: 700 }) }])
  const upload = { content, name: 'pier.pdf', type: 'application/pdf' }
  const added = await client.documents.addFile(memoryId, upload, { storeSource: true })
  const picture = await client.documents.readPage(memoryId, added.documentIds[0] ?? '', {
    page: 1,
    highlight: { start: 4, end: 9 },
  })
  assert.equal(picture.type, 'image/png')
  assert.ok(picture.size > 500)
  await client.documents.delete(memoryId, added.documentIds[0] ?? '')
})

test('every other operation works by its method', async () => {
  const { name } = await client.memories.get(memoryId)
  assert.equal(name, 'Harbour')
  assert.ok((await client.memories.countPages(memoryId)).pages > 0)
  const correction = await client.corrections.add(memoryId, {
    statement: 'The crane lifts ten tonnes.',
    topics: ['crane'],
  })
  assert.equal((await client.find(memoryId, 'crane')).hits[0]?.documentId, correction.id)
  assert.equal((await client.corrections.addMany(memoryId, [{ statement: 'The loft is dry.' }])).count, 1)
  assert.ok((await client.search(memoryId, 'ropes', { limit: 1 })).hits.length === 1)
  const once = await client.askOnce({ question: 'Who rows?', content: 'Mara rows every morning.' })
  assert.match(once.answer, /Mara/)
  const schema = { sections: [{ id: 's', name: 'Crane', fields: [{ key: 'lift', label: 'crane lifts' }] }] }
  assert.equal((await client.extract(memoryId, schema)).fieldsTotal, 1)
  const project = await client.projects.create('Port')
  assert.equal((await client.projects.rename(project.id, 'Ports')).name, 'Ports')
  const key = await client.keys.create({ name: 'reader', memoryId })
  const reader = createClient({ baseUrl: service.url, apiKey: key.key })
  assert.equal((await reader.account().catch((error: unknown) => error)) instanceof Error, true)
  await client.keys.revoke(key.id)
  await assert.rejects(reader.memories.get(memoryId), AuthenticationError)
  assert.equal((await client.account()).usage.memories, 2)
  await client.projects.delete(project.id)
  await client.documents.delete(memoryId, correction.id)
  await assert.rejects(client.documents.get(memoryId, correction.id), NotFoundError)
})

test('an error carries the message of the service, or says that the service is unreachable', async () => {
  await assert.rejects(client.find(memoryId, ''), (error) => {
    assert.ok(error instanceof InvalidRequestError)
    assert.equal(error.code, 'validation_failed')
    assert.equal(error.param, 'query')
    assert.ok(error.remedy.length > 0)
    return true
  })
  await assert.rejects(client.documents.addFile(memoryId, { path: '/nowhere/at/all' }), /ENOENT|Unable to open/)
  const nobody = createClient({ baseUrl: 'http://127.0.0.1:9', retries: 0 })
  await assert.rejects(nobody.account(), ConnectionError)
})
