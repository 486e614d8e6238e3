import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { buildZip } from '../support/build-zip.ts'
import { makeSamplePictures } from '../support/sample-pictures.ts'
import { type Answer, assertError, assertStatus } from './answer.ts'
import { MULTIPART_TYPE, multipart, type Part } from './multipart.ts'
import { useService } from './service.ts'
import type { Accepted, Added, RecognizedImage } from './shapes.ts'
import { addText, endOfJob, find, listDocuments, makeMemory, readDocument, readText } from './steps.ts'
import { verifies } from './verifies.ts'
import { openWebServer } from './web-server.ts'

const page = { headers: { 'content-type': 'text/html' }, body: '<h1>Rates</h1><p>A night costs 80 euros.</p>' }
const web = await openWebServer({ '/rates': page })
const service = useService({ RECOLLECT_URL_ALLOW_PRIVATE: web.host })
after(() => web.close())
const PICTURE = (await makeSamplePictures())['PNG']
assert.ok(PICTURE)

const METADATA = { year: 2026, draft: false, owner: null, city: 'Köln' }
const FILE: Part = { name: 'file', filename: 'rates.md', content: '# Rates\n\nA night costs 80 euros.\n' }

function send<Body = Added>(memoryId: string, parts: readonly Part[], path = 'documents'): Promise<Answer<Body>> {
  const body = multipart(parts)
  return service.call<Body>('POST', `/v1/memories/${memoryId}/${path}`, { headers: MULTIPART_TYPE, body })
}

const toParts = (fields: Readonly<Record<string, string>>): Part[] =>
  Object.entries(fields).map(([name, content]) => ({ name, content }))

/** The fields of the first document of an answer. */
async function fieldsOf(memoryId: string, { json }: Answer<{ documentIds: string[] }>) {
  const { title, tags, metadata, externalId } = await readDocument(service, memoryId, json.documentIds[0] ?? '')
  return { title, tags, metadata, externalId }
}

test('an upload carries a title, tags, metadata and an externalId, and searches filter by them', async () => {
  verifies('changes.fields.form')
  const memoryId = await makeMemory(service)
  const given = { title: 'Prices 2026', metadata: JSON.stringify(METADATA), externalId: 'rates' }
  const tagged = [
    [{ name: 'tags', content: 'prices, hotel' }],
    [{ name: 'tags', content: '["prices","hotel"]' }],
    toParts({ tags: 'prices' }).concat(toParts({ tags: 'hotel' })),
    [{ name: 'tags', content: '["prices","hotel"]', type: 'application/json', filename: 'tags.json' }],
  ]
  for (const tags of tagged) {
    const answer = await send(memoryId, [...toParts(given), FILE, ...tags])
    assertStatus(answer, 200)
    assert.equal(answer.json.documents[0]?.title, 'Prices 2026')
    const wanted = { title: 'Prices 2026', tags: ['prices', 'hotel'], metadata: METADATA, externalId: 'rates' }
    assert.deepEqual(await fieldsOf(memoryId, answer), wanted)
  }
  assert.equal((await listDocuments(service, memoryId)).total, 1)
  const filter = { tags: ['hotel'], metadata: { year: 2026 } }
  const [hit] = (await find(service, memoryId, 'prices of a night', { options: { filter } })).hits
  assert.deepEqual([hit?.title, hit?.tags, hit?.metadata], ['Prices 2026', ['prices', 'hotel'], METADATA])
  const none = await find(service, memoryId, 'prices of a night', {
    options: { filter: { metadata: { year: '2026' } } },
  })
  assert.equal(none.totalHits, 0)
})

test('the fields stand beside a URL and in options, which count first', async () => {
  verifies('changes.fields.url', 'changes.fields.options')
  const memoryId = await makeMemory(service)
  const url = `${web.url}/rates`
  const beside = { url, title: 'Beside', tags: ['web'], metadata: METADATA, externalId: 'rates' }
  const answer = await service.post<Added>(`/v1/memories/${memoryId}/documents`, beside)
  assertStatus(answer, 200)
  assert.deepEqual(answer.json.warnings, [])
  const { url: _, ...fields } = beside
  assert.deepEqual(await fieldsOf(memoryId, answer), fields)
  const options = { title: 'Inside', metadata: {} }
  const inside = await service.post<Added>(`/v1/memories/${memoryId}/documents`, { ...beside, options })
  assert.deepEqual(await fieldsOf(memoryId, inside), { ...fields, ...options })
  const form = await send(memoryId, [FILE, ...toParts({ title: 'Beside', options: '{"title":"Inside","tags":["a"]}' })])
  assert.deepEqual(await fieldsOf(memoryId, form), { title: 'Inside', tags: ['a'], metadata: {}, externalId: null })
  assert.equal((await listDocuments(service, memoryId)).total, 2)
})

test('an empty title is none', async () => {
  verifies('changes.fields.empty-title')
  const memoryId = await makeMemory(service)
  for (const title of ['', ' ', '\u200b']) {
    assert.equal((await fieldsOf(memoryId, await send(memoryId, [FILE, ...toParts({ title })]))).title, 'Rates')
    const answer = await service.post<Added>(`/v1/memories/${memoryId}/documents`, { url: `${web.url}/rates`, title })
    assert.equal((await fieldsOf(memoryId, answer)).title, 'Rates')
  }
})

test('a file replaces the document of its externalId, also by a job and under deduplicate', async () => {
  verifies('changes.fields.replaces', 'changes.fields.job')
  const memoryId = await makeMemory(service)
  const first = await addText(service, memoryId, 'A night costs 70 euros.', { externalId: 'rates' })
  const given = { title: 'Prices', tags: 'hotel', externalId: 'rates' }
  const second = await send(memoryId, [FILE, ...toParts({ ...given, options: '{"deduplicate":true}' })])
  assertStatus(second, 200)
  const [secondId = ''] = second.json.documentIds
  assertError(await service.get(`/v1/memories/${memoryId}/documents/${first}`), 404, 'document_not_found')
  // The same content: without the externalId, it would be skipped as a duplicate.
  const options = '{"deduplicate":true,"async":true,"storeSource":true}'
  const third = await send<Accepted>(memoryId, [FILE, ...toParts({ ...given, options })])
  assertStatus(third, 202)
  assert.equal((await endOfJob(service, third.json.jobId)).result?.documentsAdded, 1)
  assert.deepEqual(await fieldsOf(memoryId, third), { ...given, tags: ['hotel'], metadata: {} })
  assertError(await service.get(`/v1/memories/${memoryId}/documents/${secondId}`), 404, 'document_not_found')
  assert.equal((await listDocuments(service, memoryId)).total, 1)
  const found = await find(service, memoryId, 'prices of a night', { options: { filter: { tags: ['hotel'] } } })
  assert.deepEqual(
    found.hits.map(({ documentId }) => documentId),
    third.json.documentIds,
  )
})

test('the members of an archive share tags and metadata', async () => {
  verifies('changes.fields.archive')
  const memoryId = await makeMemory(service)
  const content = buildZip({ 'a.txt': 'A night costs 80 euros.', 'b.txt': 'Breakfast costs 9 euros.' })
  const archive = { name: 'file', filename: 'rates.zip', content: Uint8Array.from(content) }
  for (const name of ['title', 'externalId'])
    assertError(await send(memoryId, [archive, ...toParts({ [name]: 'x' })]), 400, 'validation_failed', name)
  assert.equal((await listDocuments(service, memoryId)).total, 0)
  const options = { tags: ['zip'], metadata: METADATA, async: true }
  const answer = await send<Accepted>(memoryId, [archive, ...toParts({ options: JSON.stringify(options) })])
  assertStatus(answer, 202)
  assert.equal((await endOfJob(service, answer.json.jobId)).status, 'completed')
  const { documents } = await listDocuments(service, memoryId, '?tag=zip')
  assert.deepEqual(
    documents.map(({ title, metadata }) => [title, metadata]),
    [
      ['b', METADATA],
      ['a', METADATA],
    ],
  )
})

test('a wrong field is 400 and named, and nothing is kept', async () => {
  verifies('changes.fields.wrong', 'changes.fields.texts')
  const memoryId = await makeMemory(service)
  const long = 'x'.repeat(1001)
  const wrong: readonly (readonly [Record<string, string>, string])[] = [
    [{ title: long }, 'title'],
    [{ tags: '[7]' }, 'tags[0]'],
    [{ tags: '["a"' }, 'tags'],
    [{ tags: '["\u200b"]' }, 'tags[0]'],
    [{ metadata: 'year=2026' }, 'metadata'],
    [{ metadata: '[]' }, 'metadata'],
    [{ metadata: '{"a":{"b":1}}' }, 'metadata.a'],
    [
      { metadata: JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at, 'x'.repeat(2000)]))) },
      'metadata',
    ],
    [{ externalId: '' }, 'externalId'],
    [{ externalId: long }, 'externalId'],
    [{ options: JSON.stringify({ title: long }) }, 'options.title'],
    [{ options: '{"tags":"a"}' }, 'options.tags'],
    [{ options: '{"externalId":7}' }, 'options.externalId'],
  ]
  for (const [fields, param] of wrong)
    assertError(await send(memoryId, [FILE, ...toParts(fields)]), 400, 'validation_failed', param)
  const twice = [FILE, ...toParts({ title: 'a' }), ...toParts({ title: 'b' })]
  assertError(await send(memoryId, twice), 400, 'validation_failed', 'title')
  const url = `${web.url}/rates`
  const path = `/v1/memories/${memoryId}/documents`
  assertError(await service.post(path, { url, metadata: { a: [] } }), 400, 'validation_failed', 'metadata.a')
  assertError(await service.post(path, { url, tags: 'a' }), 400, 'validation_failed', 'tags')
  assert.equal((await listDocuments(service, memoryId)).total, 0)
  const documents = [{ text: 'A night costs 80 euros.' }]
  const beside = await service.post<Added>(path, { documents, title: 'T', options: { tags: ['a'] } })
  assertStatus(beside, 200)
  assert.deepEqual(
    beside.json.warnings.map(({ code, param }) => [code, param]),
    [
      ['unknown_field', 'title'],
      ['unknown_field', 'options.tags'],
    ],
  )
})

test('a picture carries the fields, and the result of its job has its text', async () => {
  verifies('changes.fields.ocr', 'changes.job-text')
  const memoryId = await makeMemory(service)
  const file = { name: 'file', filename: 'hall.png', content: PICTURE.content }
  const given = { title: 'The hall', tags: 'a,b', metadata: JSON.stringify(METADATA), externalId: 'hall' }
  const sent = await send<RecognizedImage>(memoryId, [file, ...toParts(given)], 'ocr')
  assertStatus(sent, 200)
  const wanted = { title: 'The hall', tags: ['a', 'b'], metadata: METADATA, externalId: 'hall' }
  assert.deepEqual(await fieldsOf(memoryId, sent), wanted)
  const imageBase64 = Buffer.from(PICTURE.content).toString('base64')
  const options = { async: true, tags: ['c'] }
  const body = { imageBase64, ...wanted, options }
  const later = await service.post<Accepted>(`/v1/memories/${memoryId}/ocr`, body)
  assertStatus(later, 202)
  const { result } = await endOfJob(service, later.json.jobId)
  const [id = ''] = later.json.documentIds
  assert.equal(result?.text, await readText(service, memoryId, id))
  assert.match(result?.text ?? '', /hangs in\s+the hall/)
  assert.deepEqual(await fieldsOf(memoryId, later), { ...wanted, tags: ['c'] })
  assert.equal((await listDocuments(service, memoryId)).total, 1)
  await service.delete(`/v1/memories/${memoryId}/documents/${id}`)
  assert.equal((await endOfJob(service, later.json.jobId)).result?.text, undefined)
})
