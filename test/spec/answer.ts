import assert from 'node:assert/strict'

/** A complete answer. `json` is `null` for a body other than JSON. */
export type Answer<Body> = { status: number; headers: Headers; text: string; bytes: Buffer; json: Body }

/** The body of every error (contract, "Errors"). */
export type ErrorAnswer = {
  error: {
    code: string
    message: string
    remedy: string
    requestId: string
    param?: string
    details?: { param: string; message: string }[]
    limit?: number
    used?: number
    resetDate?: string
    planName?: string
  }
}

const CODE_STATUS = /^(4|5)\d\d$/
const SEEN_BY_NOBODY = /node_modules|at .+\.ts:\d+|SQLITE|ENOENT|\/tmp\//

/** Reads a response to the end. */
export async function readAnswer<Body>(response: Response): Promise<Answer<Body>> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString('utf8')
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  const json = (isJson && text !== '' ? JSON.parse(text) : null) as Body
  return { status: response.status, headers: response.headers, text, bytes, json }
}

/**
 * The rules of every answer, checked on each answer of each test: request id, error body, retry
 * headers.
 */
export function assertRulesOfEveryAnswer(what: string, answer: Answer<unknown>): void {
  const { status, headers } = answer
  assert.match(headers.get('x-request-id') ?? '', /^req_[0-9a-hjkmnp-tv-z]{26}$/, `${what} has an X-Request-Id`)
  if (status === 204) assert.equal(answer.text, '', `${what} has no body`)
  const hasOwnBody = status === 416 || what.endsWith('/health/ready')
  if (CODE_STATUS.test(String(status)) && !hasOwnBody) assertErrorBody(what, answer as Answer<ErrorAnswer>)
  if (status === 429 || status === 503 || status === 202) {
    assert.match(headers.get('retry-after') ?? '', /^\d+$/, `${what} has Retry-After`)
  }
}

/** Asserts this error, and the field where `param` is given. */
export function assertError(answer: Answer<unknown>, status: number, code: string, param?: string): void {
  const { error } = answer.json as ErrorAnswer
  assert.equal(`${answer.status} ${error?.code}`, `${status} ${code}`, answer.text.slice(0, 500))
  if (param === undefined) return
  assert.equal(error.param, param, answer.text.slice(0, 500))
  assert.ok(
    error.details?.some((detail) => detail.param === param && detail.message.length > 3),
    answer.text.slice(0, 500),
  )
}

/** Asserts the status; the failure message contains the body. */
export function assertStatus(answer: Answer<unknown>, status: number): void {
  assert.equal(answer.status, status, answer.text.slice(0, 1000))
}

function assertErrorBody(what: string, answer: Answer<ErrorAnswer>): void {
  const { error } = answer.json ?? {}
  assert.ok(error, `${what} answers ${answer.status} without an error object: ${answer.text.slice(0, 300)}`)
  assert.match(error.code, /^[a-z0-9_]+$/, what)
  assert.ok(error.message.length > 5, what)
  assert.ok(error.remedy.length > 5, what)
  const isReplayed = answer.headers.get('idempotent-replayed') === 'true'
  if (!isReplayed) assert.equal(error.requestId, answer.headers.get('x-request-id'), what)
  assert.doesNotMatch(answer.text, SEEN_BY_NOBODY, `${what} shows internals`)
}
