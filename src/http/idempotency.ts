import { createHash, type Hash } from 'node:crypto'
import { ApiError, invalid } from '../errors.ts'
import { IDEMPOTENCY, KEPT_ANSWER_BYTES } from '../limits.ts'
import type { Log } from '../observability/log.ts'
import type { Caller } from '../services/caller.ts'
import type { FirstAnswer, IdempotencyService } from '../services/nodes/idempotency-service.ts'
import { redactAnswer } from '../services/nodes/redact-answers.ts'
import { keepNothing } from '../services/request-work.ts'
import { eventStream, type ServerEvent } from './answers/event-stream.ts'
import type { Answer, KeepAs } from './route.ts'

/** The headers of an answer that a replay brings again. */
const REPLAYED_HEADERS = ['location', 'retry-after', 'allow', 'www-authenticate'] as const

/** One request that may come twice: who sends it under which key, what it asks, and of which memory, `null` of none. */
export type RepeatableRequest = {
  caller: Caller
  idempotencyKey: string
  fingerprint: string
  memoryId: string | null
  requestId: string
  /** True where a repetition does no harm, so that it may be answered without its answer being kept. */
  mayBeUnkept: boolean
  /** True where it asks for server-sent events of what is an answer of JSON otherwise. */
  wantsEvents: boolean
}

/** The Idempotency-Key of a request, `null` without one. Throws `validation_failed` for an empty or too long one. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const key = Array.isArray(header) ? header.join(',') : header
  if (key.length > 0 && key.length <= IDEMPOTENCY.maxCharacters) return key
  throw invalid('Idempotency-Key', `must have 1 to ${IDEMPOTENCY.maxCharacters} characters`)
}

/** SHA-256 of what makes a request the same request: its method, its path with the query, and its content, which is still to be added. */
export function beginFingerprint(method: string, url: string): Hash {
  return createHash('sha256').update(`${method}\n${url}\n`)
}

/**
 * Does `work` once for every Idempotency-Key: the first answer under 500 is kept and comes again with `Idempotent-Replayed`. Work that
 * commits something keeps its answer in its own transaction, by what it is given, since a process may die right behind a commit.
 * Of server-sent events the last one, which holds all, is kept when they have ended; until then the request is in progress.
 * What is too large is kept in part or not at all (`KEPT_ANSWER_BYTES`). On a disk that is full or fails what may be unkept is answered without anything being kept. Errors of `work` are turned to answers by `toAnswer`. Rejects with
 * `idempotency_in_progress` and `idempotency_key_reused`.
 */
export async function answerOnce(
  { idempotency, log, toAnswer }: { idempotency: IdempotencyService; log: Log; toAnswer: (error: unknown) => Answer },
  { caller, idempotencyKey, requestId, mayBeUnkept, wantsEvents, ...asked }: RepeatableRequest,
  work: (keepAs: KeepAs) => Promise<Answer>,
): Promise<Answer> {
  const owner = caller.keyId ?? caller.organizationId
  const known = await idempotency.begin(owner, idempotencyKey, asked)
  if (known.state === 'unwritten') {
    if (mayBeUnkept) return work(() => keepNothing)
    throw known.error
  }
  if (known.state === 'running') throw new ApiError('idempotency_in_progress', { retryAfterSeconds: 1 })
  if (known.state === 'reused') throw new ApiError('idempotency_key_reused', { param: 'Idempotency-Key' })
  if (known.state === 'done') return replay(known, { requestId, wantsEvents })
  const keepAs: KeepAs = (describe) => (transaction, result) =>
    idempotency.keep(transaction, { keyId: owner, idempotencyKey }, withinLimit(toStored(describe(result))))
  const answer = await work(keepAs).catch(toAnswer)
  const hasRoomFor = async ({ body }: FirstAnswer) => {
    const bytes = Buffer.byteLength(body)
    return bytes <= KEPT_ANSWER_BYTES.computed && (await idempotency.takeRoom(caller.organizationId, bytes))
  }
  const settle = async (whole: Answer | null) => {
    try {
      // Neither touches what the work has kept itself.
      const stored = whole !== null && isWorthKeeping(whole) ? toStored(whole) : null
      // An error committed nothing, whatever its route: doing it again does no harm, and many of them would fill the disk.
      const isComputed = mayBeUnkept || (whole?.status ?? 0) >= 400
      const hasRoom = stored !== null && (!isComputed || (await hasRoomFor(stored)))
      if (hasRoom) await idempotency.finish(owner, idempotencyKey, withinLimit(stored))
      else await idempotency.release(owner, idempotencyKey)
    } catch (error) {
      // The work is done and must be answered: a 5xx now would have it sent again.
      log.error({ err: error, idempotencyOwner: owner }, 'an idempotent answer could not be kept')
    }
  }
  if (answer.whole === undefined) await settle(answer)
  else void answer.whole.then(settle)
  return answer
}

function replay(
  { status, headers, body }: FirstAnswer,
  { requestId, wantsEvents }: Pick<RepeatableRequest, 'requestId' | 'wantsEvents'>,
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

/** An error names the request it answers, which is the one that came again. */
function withRequestId(body: string, requestId: string): object {
  const { error } = JSON.parse(body) as { error: object }
  return { error: { ...error, requestId } }
}

/** An answer as it is kept: where it is too large without the words in it, which can be read again where its identifiers lead. */
function withinLimit(answer: FirstAnswer): FirstAnswer {
  const isTooLarge = Buffer.byteLength(answer.body) > KEPT_ANSWER_BYTES.committed
  return isTooLarge ? { ...answer, body: redactAnswer(answer.body, () => true) } : answer
}

function isWorthKeeping({ status, body }: Answer): boolean {
  return status < 500 && status !== 429 && (body === null || typeof body === 'string' || !('pipe' in body))
}

function toStored({ status, headers, body, shownOnce }: Answer): FirstAnswer {
  const kept = REPLAYED_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]))
  return { status, headers: Object.fromEntries(kept), body: toText(body, shownOnce) }
}

function toText(body: Answer['body'], shownOnce: string | undefined): string {
  if (body === null) return ''
  if (typeof body === 'string') return body
  return JSON.stringify(shownOnce === undefined ? body : { ...body, [shownOnce]: null })
}
