import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import test from 'node:test'
import { type Answer, assertError, assertRulesOfEveryAnswer, assertStatus, readAnswer } from './answer.ts'
import { BOUNDARY, head, MULTIPART_TYPE } from './multipart.ts'
import { useSharedService } from './service.ts'
import type { Accepted } from './shapes.ts'
import { addTexts, endOfJob, listDocuments, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const MB = 1024 * 1024
const service = useSharedService()

/** One megabyte of almost blank lines, which cost next to nothing to parse. */
const BLANK = Buffer.from(`${' '.repeat(1023)}\n`.repeat(1024))

function* filled(before: string, bytes: number, after: string): Generator<Buffer> {
  yield Buffer.from(before)
  for (let left = bytes; left > 0; left -= MB) yield left >= MB ? BLANK : BLANK.subarray(0, left)
  yield Buffer.from(after)
}

/**
 * Posts a generated body of this many filler bytes; the response may arrive before the end of the
 * body.
 */
function postLarge<Body>(
  path: string,
  headers: Record<string, string>,
  [before, bytes, after]: [string, number, string],
): Promise<Answer<Body>> {
  const length = Buffer.byteLength(before) + bytes + Buffer.byteLength(after)
  const all = { ...headers, authorization: `Bearer ${service.bootstrapKey}`, 'content-length': String(length) }
  return new Promise((resolve, reject) => {
    const request = httpRequest(service.url + path, { method: 'POST', headers: all })
    let answered = false
    request.on('response', (response) => {
      answered = true
      const fields = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)])
      response.toArray().then((pieces) => {
        const status = response.statusCode ?? 0
        resolve(readAnswer<Body>(new Response(Buffer.concat(pieces as Buffer[]), { status, headers: fields })))
      }, reject)
    })
    // The service may stop reading after a refusal, so errors after the response do not count.
    request.on('error', (error) => answered || reject(error))
    Readable.from(filled(before, bytes, after)).pipe(request)
  })
}

function postFile<Body>(memoryId: string, bytes: number): Promise<Answer<Body>> {
  const before = head({ name: 'file', filename: 'large.txt', type: 'text/plain' })
  const body: [string, number, string] = [`${before}needle in the beginning\n`, bytes - 24, `\r\n--${BOUNDARY}--\r\n`]
  return postLarge<Body>(`/v1/memories/${memoryId}/documents`, MULTIPART_TYPE, body)
}

test('a file of 100 MB is taken', async () => {
  verifies('limits.file', 'documents.async.large-file')
  const memoryId = await makeMemory(service)
  const answer = await postFile<Accepted>(memoryId, 100 * MB)
  assertStatus(answer, 202)
  assertStatus(await service.call('POST', `/v1/jobs/${answer.json.jobId}/cancel`), 200)
  await endOfJob(service, answer.json.jobId)
  assertStatus(await service.delete(`/v1/memories/${memoryId}`), 204)
})

test('a file of 100 MB and one byte is 413 and keeps nothing', async () => {
  verifies('limits.file', 'errors.413.file_too_large')
  const memoryId = await makeMemory(service)
  const answer = await postFile(memoryId, 100 * MB + 1)
  assertError(answer, 413, 'file_too_large')
  assertRulesOfEveryAnswer('a large file', answer)
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('a body over 150 MB is 413 and keeps nothing', async () => {
  verifies('limits.body', 'errors.413.body_too_large')
  const memoryId = await makeMemory(service)
  const json = { 'content-type': 'application/json' }
  const body: [string, number, string] = ['{"documents":[', 150 * MB, '{"title":"x","text":"x"}]}']
  const answer = await postLarge(`/v1/memories/${memoryId}/documents`, json, body)
  assertError(answer, 413, 'body_too_large')
  assertRulesOfEveryAnswer('a large body', answer)
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('other endpoints take far less', async () => {
  verifies('errors.413.body_too_large')
  const memoryId = await makeMemory(service)
  const json = { 'content-type': 'application/json' }
  for (const path of ['/v1/memories', '/v1/projects', `/v1/memories/${memoryId}/find`]) {
    const body: [string, number, string] = ['{', 20 * MB, '"name":"x","query":"x"}']
    assertError(await postLarge(path, json, body), 413, 'body_too_large')
  }
})

test('bodies within the limits of their fields are never too large', async () => {
  verifies('limits.body')
  const path = `/v1/memories/${await makeMemory(service)}`
  const field = (index: number) => ({ key: `${index}`.padEnd(500, 'k'), label: '\u{1F6A2}'.repeat(500) })
  const fields = Array.from({ length: 500 }, (_, index) => field(index))
  const sections = ['a', 'b'].map((id) => ({ id, name: id, fields }))
  // One invalid field each, so nothing is executed.
  const bodies = {
    extract: { sections, context: 1 },
    corrections: { corrections: Array(1000).fill({ statement: '\u{1F6A2}'.repeat(10_000), boost: 11 }) },
    evaluate: { questions: Array(500).fill({ query: '\u{1F6A2}'.repeat(20_000), documentIds: ['x'] }), topK: 0 },
  }
  for (const [name, body] of Object.entries(bodies)) {
    assertError(await service.post(`${path}/${name}`, body), 400, 'validation_failed')
  }
})

test('a JSON body of 20 MB is taken where documents are added', async () => {
  verifies('limits.body')
  const memoryId = await makeMemory(service)
  const json = { 'content-type': 'application/json' }
  const body: [string, number, string] = ['{', 20 * MB, '"documents":[{"title":"x","text":"A needle."}]}']
  assertStatus(await postLarge(`/v1/memories/${memoryId}/documents`, json, body), 200)
})

test('the service continues afterwards', async () => {
  verifies('rules.retry.permanent-is-4xx')
  assertStatus(await addTexts(service, await makeMemory(service), [{ title: 'After', text: 'Still here.' }]), 200)
})
