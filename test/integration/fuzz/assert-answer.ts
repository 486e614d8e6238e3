import assert from 'node:assert/strict'
import { ERRORS, type ErrorCode } from '../../../src/errors.ts'
import type { NearRequest } from './near-requests.ts'
import type { RawAnswer } from './raw-client.ts'

const REQUEST_ID = /^req_[0-9a-hjkmnp-tv-z]{26}$/
/** Internals that no answer may reveal: paths, stacks, SQL, names of components. */
const INTERNALS =
  /node_modules|\bat \S+ \(|\.ts:\d+|file:\/\/|\/(?:tmp|work|home|usr|var)\/|SQLITE|\bSELECT\b|\bINSERT\b|\bUPDATE\b|constraint|lance|arrow|fastify|busboy|undici|\bE(?:NOENT|ACCES|EXIST|PERM)\b|TypeError|RangeError|SyntaxError|\bundefined\b|\[object /gi
const IDENTIFIER = /\b(?:mem|doc|job|prj|key|org)_[0-9a-hjkmnp-tv-z]{26}\b/g

/** Asserts the rules of every answer to a generated request. */
export function assertAnswer({ operation, sending, isProper }: NearRequest, answer: RawAnswer): void {
  const { status, headers, body } = answer
  assert.ok(status >= 200 && status < 500, `status ${status}`)
  assert.match(headers.get('x-request-id') ?? '', REQUEST_ID, 'X-Request-Id')
  if (isProper) assert.ok(status === 400 || operation.statuses.includes(status), `${status} is not documented`)
  assert.equal(headers.has('x-injected'), false, 'a header came from outside')
  if (sending.isHead || status === 204) return
  const isJson = headers.get('content-type') === 'application/json; charset=utf-8'
  if (status < 400) {
    if (isJson) JSON.parse(body.toString())
    return
  }
  assert.ok(isJson, `an error of type ${headers.get('content-type')}`)
  assertErrorBody(answer, sending.bytes)
}

function assertErrorBody({ status, headers, body }: RawAnswer, sent: Buffer): void {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  const { error } = JSON.parse(text) as { error: Record<string, unknown> }
  const code = String(error['code'])
  assert.ok(Object.hasOwn(ERRORS, code), `${code} stands in no table`)
  // 416 has no code in the table; see the route of the original.
  if (status !== 416) assert.equal(status, ERRORS[code as ErrorCode][0], `${code} with ${status}`)
  for (const field of ['message', 'remedy']) assert.ok(typeof error[field] === 'string' && error[field] !== '', field)
  assert.ok(error['param'] === null || typeof error['param'] === 'string', 'param')
  assert.ok(Array.isArray(error['details']), 'details')
  assert.equal(error['requestId'], headers.get('x-request-id'), 'the request ids differ')
  if (status === 401) assert.equal(headers.get('www-authenticate'), 'Bearer')
  if (status === 405) assert.match(headers.get('allow') ?? '', /^[A-Z]+(, [A-Z]+)*$/)
  if (status === 429) assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  assertNothingInternal(`${error['message']} ${JSON.stringify(error['details'])} ${error['remedy']}`, sent.toString())
}

/** Words and identifiers of the request may be repeated. */
function assertNothingInternal(told: string, sent: string): void {
  for (const [word] of told.matchAll(INTERNALS)) {
    assert.ok(sent.toLowerCase().includes(word.toLowerCase()), `the message tells of ${word}: ${told}`)
  }
  for (const [id] of told.matchAll(IDENTIFIER)) assert.ok(sent.includes(id), `the message names ${id}: ${told}`)
}
