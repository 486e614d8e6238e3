import assert from 'node:assert/strict'
import { type Answer, assertStatus } from './answer.ts'
import type { Service } from './service.ts'
import type { Accepted, Added, Asked, Document, DocumentWithPages, Found, Job, Key, List, Memory } from './shapes.ts'

/**
 * The limit for background work, far above the usual time, so a busy machine does not fail a
 * test.
 */
const PATIENCE_MS = 180_000

/** Creates a memory and returns its id. */
export async function makeMemory(service: Service, name = 'Support KB', key?: string): Promise<string> {
  const answer = await service.post<Memory>('/v1/memories', { name }, key === undefined ? {} : { key })
  assertStatus(answer, 201)
  return answer.json.id
}

/** The current state of the memory. */
export async function readMemory(service: Service, memoryId: string): Promise<Memory> {
  const answer = await service.get<Memory>(`/v1/memories/${memoryId}`)
  assertStatus(answer, 200)
  return answer.json
}

/**
 * Adds one JSON document synchronously and returns its id. `more` holds further fields of the
 * document.
 */
export async function addText(
  service: Service,
  memoryId: string,
  text: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const answer = await addTexts(service, memoryId, [{ title: 'Note', text, ...more }])
  assertStatus(answer, 200)
  const [id] = answer.json.documentIds
  assert.ok(id)
  return id
}

/** Adds JSON documents and returns the response. */
export function addTexts(
  service: Service,
  memoryId: string,
  documents: readonly unknown[],
  options?: Readonly<Record<string, unknown>>,
): Promise<Answer<Added>> {
  const body = options === undefined ? { documents } : { documents, options }
  return service.post<Added>(`/v1/memories/${memoryId}/documents`, body)
}

/** A file to upload; `type` is the content type declared by the client. */
export type Upload = {
  content: string | Uint8Array<ArrayBuffer>
  filename: string
  type?: string
  options?: Readonly<Record<string, unknown>>
  key?: string
  headers?: Readonly<Record<string, string>>
}

/** Uploads a file as multipart and returns the response. */
export function upload<Body = Added>(service: Service, memoryId: string, file: Upload): Promise<Answer<Body>> {
  const form = new FormData()
  form.append('file', new Blob([file.content], { type: file.type ?? '' }), file.filename)
  if (file.options !== undefined) form.append('options', JSON.stringify(file.options))
  const key = file.key === undefined ? {} : { key: file.key }
  const { headers = {} } = file
  return service.call<Body>('POST', `/v1/memories/${memoryId}/documents`, { body: form, headers, ...key })
}

/** Uploads a small valid file and returns the document id. */
export async function uploadReady(service: Service, memoryId: string, file: Upload): Promise<string> {
  const answer = await upload(service, memoryId, file)
  assertStatus(answer, 200)
  const [id] = answer.json.documentIds
  assert.ok(id)
  return id
}

/** Adds a document in the background and returns the 202. */
export function addInBackground(service: Service, memoryId: string, text: string): Promise<Answer<Accepted>> {
  const body = { documents: [{ title: 'Later', text }], options: { async: true } }
  return service.post<Accepted>(`/v1/memories/${memoryId}/documents`, body)
}

/** Waits until the job has ended. */
export async function endOfJob(service: Service, jobId: string): Promise<Job> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const answer = await service.get<Job>(`/v1/jobs/${jobId}?wait=20`)
    assertStatus(answer, 200)
    if (!['pending', 'processing'].includes(answer.json.status)) return answer.json
    assert.ok(Date.now() < until, `the job did not end: ${answer.text}`)
  }
}

/** Finds; fails unless the answer is 200. `more` are further fields of the request. */
export async function find(
  service: Service,
  memoryId: string,
  query: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Found> {
  const answer = await service.post<Found>(`/v1/memories/${memoryId}/find`, { query, ...more })
  assertStatus(answer, 200)
  return answer.json
}

/** A document with its report. */
export async function readDocument(service: Service, memoryId: string, id: string): Promise<DocumentWithPages> {
  const answer = await service.get<DocumentWithPages>(`/v1/memories/${memoryId}/documents/${id}`)
  assertStatus(answer, 200)
  return answer.json
}

/** The documents of a memory, first page; `query` is a query string such as `?tag=a`. */
export async function listDocuments(
  service: Service,
  memoryId: string,
  query = '',
): Promise<List<'documents', Document>> {
  const answer = await service.get<List<'documents', Document>>(`/v1/memories/${memoryId}/documents${query}`)
  assertStatus(answer, 200)
  return answer.json
}

/** The extracted text of a document. */
export async function readText(service: Service, memoryId: string, id: string): Promise<string> {
  const answer = await service.get(`/v1/memories/${memoryId}/documents/${id}/text`)
  assertStatus(answer, 200)
  return answer.text
}

/** A new key, memory-scoped when a memory is named. */
export async function makeKey(service: Service, memoryId?: string): Promise<Key> {
  const scope = memoryId === undefined ? {} : { memoryId }
  const answer = await service.post<Key>('/v1/keys', { name: 'Spec', ...scope })
  assertStatus(answer, 201)
  return answer.json
}

/** Asserts that the object has each of these fields; further fields are allowed. */
export function assertFields(value: object | undefined, ...fields: readonly string[]): void {
  assert.ok(value)
  for (const field of fields) assert.ok(field in value, `the field ${field} is missing: ${JSON.stringify(value)}`)
}

/** Asks a memory; fails unless the answer is 200. */
export async function ask(
  service: Service,
  memoryId: string,
  question: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Asked> {
  const answer = await service.post<Asked>(`/v1/memories/${memoryId}/ask`, { question, options })
  assertStatus(answer, 200)
  return answer.json
}

/**
 * Reads every citation of an answer: checks the marker in the answer, and slices the text of the
 * document.
 */
export async function readCitations(service: Service, memoryId: string, { answer, draft, citations }: Asked) {
  let last = 0
  const read = []
  for (const { index, documentId, startOffset, endOffset, answerStart, answerEnd, ...citation } of citations) {
    assert.ok(answerStart >= last, 'the citations stand in the order of the answer')
    last = answerStart
    assert.match((draft ?? answer).slice(answerStart, answerEnd), new RegExp(`^\\[(\\d+, )*${index}(, \\d+)*\\]$`))
    const words = (await readText(service, memoryId, documentId)).slice(startOffset, endOffset)
    assert.ok(words.length > 0, 'a citation has words')
    read.push({ index, documentId, words, page: citation.page })
  }
  return read
}
