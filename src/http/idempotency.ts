import { createHash, type Hash } from 'node:crypto'
import { ApiError, invalid } from '../errors.ts'
import { IDEMPOTENCY, MAX_STORED_RESPONSE_BYTES } from '../limits.ts'
import type { Log } from '../observability/log.ts'
import type { Caller } from '../services/caller.ts'
import type { IdempotencyService, IdempotentResponse } from '../services/nodes/idempotency-service.ts'
import { redactResponse } from '../services/nodes/redact-responses.ts'
import { storeNoResponse } from '../services/request-work.ts'
import { eventStream, type ServerEvent } from './answers/event-stream.ts'
import type { Answer, StoreResponseAs } from './route.ts'

/** Response headers that a replay repeats. */
const REPLAYED_HEADERS = ['location', 'retry-after', 'allow', 'www-authenticate'] as const

/** Request with an Idempotency-Key. `memoryId` is `null` for requests outside of a memory. */
export type ReplayableRequest = {
  caller: Caller
  idempotencyKey: string
  fingerprint: string
  memoryId: string | null
  requestId: string
  /**
   * True if repeating the request is harmless, so that a response may be sent without being stored.
   */
  isSafeToRepeat: boolean
  /** True if the client accepts server-sent events for a response that is JSON otherwise. */
  wantsEvents: boolean
}

/**
 * Returns the Idempotency-Key of a request, or `null`. Throws `validation_failed` if the key is
 * empty or too long.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const key = Array.isArray(header) ? header.join(',') : header
  if (key.length > 0 && key.length <= IDEMPOTENCY.maxCharacters) return key
  throw invalid('Idempotency-Key', `must have 1 to ${IDEMPOTENCY.maxCharacters} characters`)
}

/**
 * Starts the SHA-256 that identifies a request: method, path with query, and body (added later).
 */
export function startFingerprint(method: string, url: string): Hash {
  return createHash('sha256').update(`${method}\n${url}\n`)
}

/**
 * Runs `work` once per Idempotency-Key. Stores the first response below 500 and replays it with
 * `Idempotent-Replayed`.
 *
 * Work that commits a transaction stores its response in that transaction, because the process may
 * die right after the commit. Event streams store their last event, which holds the complete
 * answer; until then, the request is in progress. Responses over `MAX_STORED_RESPONSE_BYTES` are
 * stored without text, or not at all. On a full or failing disk, harmless requests are answered
 * without being stored.
 *
 * Rejects with `idempotency_in_progress` and `idempotency_key_reused`. `toAnswer` maps errors of
 * `work` to responses.
 */
export async function answerIdempotently(
  { idempotency, log, toAnswer }: { idempotency: IdempotencyService; log: Log; toAnswer: (error: unknown) => Answer },
  { caller, idempotencyKey, requestId, isSafeToRepeat, wantsEvents, ...identity }: ReplayableRequest,
  work: (storeResponseAs: StoreResponseAs) => Promise<Answer>,
): Promise<Answer> {
  const owner = caller.keyId ?? caller.organizationId
  const known = await idempotency.claim(owner, idempotencyKey, identity)
  if (known.state === 'unwritten') {
    if (isSafeToRepeat) return work(() => storeNoResponse)
    throw known.error
  }
  if (known.state === 'running') throw new ApiError('idempotency_in_progress', { retryAfterSeconds: 1 })
  if (known.state === 'reused') throw new ApiError('idempotency_key_reused', { param: 'Idempotency-Key' })
  if (known.state === 'done') return replay(known, { requestId, wantsEvents })
  const storeResponseAs: StoreResponseAs = (describe) => (transaction, result) =>
    idempotency.saveInTransaction(
      transaction,
      { keyId: owner, idempotencyKey },
      redactIfTooLarge(toStoredResponse(describe(result))),
    )
  const answer = await work(storeResponseAs).catch(toAnswer)
  const hasRoomFor = async ({ body }: IdempotentResponse) => {
    const bytes = Buffer.byteLength(body)
    return bytes <= MAX_STORED_RESPONSE_BYTES.computed && (await idempotency.reserveBytes(caller.organizationId, bytes))
  }
  const storeResponse = async (finalAnswer: Answer | null) => {
    try {
      // Neither call overwrites a response that the work stored itself.
      const stored = finalAnswer !== null && isStorable(finalAnswer) ? toStoredResponse(finalAnswer) : null
      // An error response committed nothing, so a repeat is harmless. Storing every error would
      // fill the disk.
      const isComputed = isSafeToRepeat || (finalAnswer?.status ?? 0) >= 400
      const hasRoom = stored !== null && (!isComputed || (await hasRoomFor(stored)))
      if (hasRoom) await idempotency.saveResponse(owner, idempotencyKey, redactIfTooLarge(stored))
      else await idempotency.release(owner, idempotencyKey)
    } catch (error) {
      // The work is done. A 5xx now would make the client repeat it.
      log.error({ err: error, idempotencyOwner: owner }, 'cannot store an idempotent response')
    }
  }
  if (answer.finalAnswer === undefined) await storeResponse(answer)
  else void answer.finalAnswer.then(storeResponse)
  return answer
}

function replay(
  { status, headers, body }: IdempotentResponse,
  { requestId, wantsEvents }: Pick<ReplayableRequest, 'requestId' | 'wantsEvents'>,
): Answer {
  const replayed = { ...headers, 'idempotent-replayed': 'true' }
  if (body === '') return { status, headers: replayed, body: null }
  if (wantsEvents && status === 200) {
    const stream = eventStream(onlyDone(JSON.parse(body) as object))
    return { ...stream, headers: { ...replayed, ...stream.headers } }
  }
  return { status, headers: replayed, body: status < 400 ? body : withRequestId(body, requestId) }
}

async function* onlyDone(data: object): AsyncGenerator<ServerEvent> {
  yield { event: 'done', data }
}

/** Replaces the request ID of a stored error with the ID of the current request. */
function withRequestId(body: string, requestId: string): object {
  const { error } = JSON.parse(body) as { error: object }
  return { error: { ...error, requestId } }
}

/**
 * Redacts the text of a response that is too large to store. Clients can read the text again by
 * identifier.
 */
function redactIfTooLarge(answer: IdempotentResponse): IdempotentResponse {
  const isTooLarge = Buffer.byteLength(answer.body) > MAX_STORED_RESPONSE_BYTES.committed
  return isTooLarge ? { ...answer, body: redactResponse(answer.body, () => true) } : answer
}

function isStorable({ status, body }: Answer): boolean {
  return status < 500 && status !== 429 && (body === null || typeof body === 'string' || !('pipe' in body))
}

function toStoredResponse({ status, headers, body, shownOnce }: Answer): IdempotentResponse {
  const kept = REPLAYED_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]))
  return { status, headers: Object.fromEntries(kept), body: toText(body, shownOnce) }
}

function toText(body: Answer['body'], shownOnce: string | undefined): string {
  if (body === null) return ''
  if (typeof body === 'string') return body
  return JSON.stringify(shownOnce === undefined ? body : { ...body, [shownOnce]: null })
}
