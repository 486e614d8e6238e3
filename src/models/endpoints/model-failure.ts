import { ApiError, type ErrorFacts } from '../../errors.ts'
import { pluralize } from '../../text/pluralize.ts'

/**
 * Kind of failure: no connection, a status of 400 or more, no answer in time, or an unusable
 * answer.
 */
type FailureKind = 'unreachable' | 'status' | 'timeout' | 'garbage'

/** Facts of a failure. */
type FailureFacts = {
  status?: number
  /** The endpoint's `Retry-After`. */
  retryAfterMs?: number | null
}

/**
 * A failed call of a model, safe to log: no key, no prompt, and no error of the SDK, whose fields
 * contain both.
 */
export class ModelFailure extends Error {
  readonly kind: FailureKind
  readonly status: number | null
  readonly retryAfterMs: number | null

  constructor(kind: FailureKind, message: string, { status, retryAfterMs }: FailureFacts = {}) {
    super(message)
    this.name = 'ModelFailure'
    this.kind = kind
    this.status = status ?? null
    this.retryAfterMs = retryAfterMs ?? null
  }

  /** True if a retry may succeed: no connection, 429 or 5xx. */
  get isPassing(): boolean {
    return this.kind === 'unreachable' || (this.status !== null && (this.status === 429 || this.status >= 500))
  }
}

/**
 * The error for the caller, which names the party at fault, with the failure as cause. `who` is for
 * the log, such as `openai:gpt-4.1-mini`.
 */
export function modelFailed(failure: ModelFailure, { who, tries }: { who: string; tries: number }): ApiError {
  const cause = new ModelFailure(
    failure.kind,
    `${who} ${failure.message}${tries > 1 ? ` (tried ${tries} times)` : ''}`,
    {
      ...(failure.status === null ? {} : { status: failure.status }),
      retryAfterMs: failure.retryAfterMs,
    },
  )
  return new ApiError('model_failed', { ...explain(failure, who), cause })
}

/** Explanation of a failure for the caller: nothing that the endpoint said. */
type Explanation = Pick<ErrorFacts, 'message' | 'remedy' | 'retryAfterSeconds'>

const LATER = 'Try again later. The log contains the cause.'

function explain({ kind, status, retryAfterMs, message }: ModelFailure, who: string): Explanation {
  if (kind === 'timeout')
    return {
      message: `The model did not answer in time: it ${message}.`,
      remedy:
        'Try again. For a slow language model, the operator of this service can raise ' +
        'RECOLLECT_LLM_TIMEOUT_SECONDS.',
    }
  if (kind === 'unreachable')
    return {
      message: 'The model endpoint cannot be reached.',
      remedy:
        'Try again later. The operator of this service must check that the model server is running and that ' +
        'its address (OPENAI_BASE_URL) is correct. The log contains the cause.',
    }
  return status === null ? {} : explainStatus(status, { who, retryAfterMs })
}

function explainStatus(
  status: number,
  { who, retryAfterMs }: { who: string; retryAfterMs: number | null },
): Explanation {
  if (status === 401 || status === 403)
    return {
      message: `The model endpoint refused the model key of this service (status ${status}). Your API key is valid.`,
      remedy: `The operator of this service must check ${keySettingOf(who)} and the access of that key to the model.`,
    }
  if (status === 429) {
    const seconds = retryAfterMs === null ? null : Math.max(1, Math.ceil(retryAfterMs / 1000))
    return {
      message:
        'The model endpoint limits the requests or the quota of this service (status 429). Your plan is not used up.',
      remedy:
        seconds === null
          ? 'Try again in a minute. If the error persists, the operator must check the quota of the model provider.'
          : `Try again in ${pluralize(seconds, 'second')}, as the model endpoint says.`,
      ...(seconds === null ? {} : { retryAfterSeconds: seconds }),
    }
  }
  if (status === 404)
    return {
      message: 'The model endpoint does not have the configured model, or its address is wrong (status 404).',
      remedy: 'The operator of this service must check RECOLLECT_LLM and OPENAI_BASE_URL. The log contains the cause.',
    }
  if (status >= 500) return { message: `The model endpoint failed (status ${status}).`, remedy: LATER }
  return {
    message: `The model endpoint refused the request of this service (status ${status}).`,
    remedy: 'The operator of this service must check the model and its account. The log contains the cause.',
  }
}

/** The setting with the key of a model such as `anthropic:claude-sonnet-4-5`. */
function keySettingOf(who: string): string {
  if (who.startsWith('anthropic')) return 'ANTHROPIC_API_KEY'
  return who.startsWith('google') ? 'GOOGLE_GENERATIVE_AI_API_KEY' : 'OPENAI_API_KEY'
}

/** Secrets of a call: the key, and the texts sent. */
export type CallSecrets = { apiKey: string | null; prompt: readonly string[] }

const MAX_EXCERPT_CHARACTERS = 300
/** Some servers repeat refused input. A run of this many characters of the prompt reveals that. */
const REPEATED_CHARACTERS = 24
const DROPPED = /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP2)/
const CONNECTION = new RegExp(
  '^(E[A-Z]+|UND_ERR_(CONNECT_TIMEOUT|SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT)|CERT_|ERR_TLS|' +
    'ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)',
  '',
)

/**
 * Translates an error of the SDK or of `fetch`, without secrets. An error without a status is
 * `unreachable` after a broken connection, else `garbage`: the response violates the protocol.
 */
export function describeFailure(error: unknown, confidential: CallSecrets): ModelFailure {
  const told = findFailure(error)
  if (told !== null) return told
  const { statusCode: status, responseHeaders } = fieldsOf(error)
  if (typeof status === 'number' && status >= 400) {
    const said = excerptOf(error, confidential)
    const retryAfterMs = readRetryAfterMs(responseHeaders)
    return new ModelFailure('status', `answered ${status}${said === '' ? '' : `: ${said}`}`, { status, retryAfterMs })
  }
  const code = findCode(error)
  if (DROPPED.test(code)) return new ModelFailure('unreachable', `broke the connection off (${code})`)
  if (CONNECTION.test(code)) return new ModelFailure('unreachable', `cannot be reached (${code})`)
  if (isBroken(error)) return new ModelFailure('unreachable', 'broke the connection off')
  const said = isSaidByServer(error) ? excerptOf(error, confidential) : ''
  return new ModelFailure('garbage', `answered with what cannot be read${said === '' ? '' : ` (${said})`}`)
}

/** `Retry-After` in milliseconds, from seconds or a date; `null` if absent or unreadable. */
function readRetryAfterMs(headers: unknown): number | null {
  const { 'retry-after-ms': inMs, 'retry-after': written } = fieldsOf(headers)
  if (typeof inMs === 'string' && /^\d{1,9}(\.\d+)?$/.test(inMs)) return Number(inMs)
  if (typeof written !== 'string') return null
  if (/^\d{1,9}(\.\d+)?$/.test(written)) return Number(written) * 1000
  const date = Date.parse(written)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}

function excerptOf(error: unknown, { apiKey, prompt }: CallSecrets): string {
  const { message, data, responseBody } = fieldsOf(error)
  // With `data`, the message comes from the answer. Otherwise the message only repeats the status,
  // and the body says more.
  const raw = data === undefined && typeof responseBody === 'string' ? withoutTags(responseBody) : String(message ?? '')
  const text = raw.replace(/\s+/g, ' ').trim().slice(0, MAX_EXCERPT_CHARACTERS)
  const clean = apiKey === null || apiKey === '' ? text : text.replaceAll(apiKey, '[hidden]')
  return repeats(clean, prompt) ? 'what it said repeats the prompt and is left out' : clean
}

/**
 * True for errors that inform the operator: an error in a stream, as a plain value, and a proxy's
 * error page. Any other body may be a partial answer with words of documents, and the SDK's own
 * errors quote it.
 */
function isSaidByServer(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  const { responseBody } = fieldsOf(error)
  return typeof responseBody === 'string' && /^\s*</.test(responseBody)
}

function withoutTags(body: string): string {
  return body
    .slice(0, 10_000)
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
}

function repeats(text: string, prompt: readonly string[]): boolean {
  const flat = prompt.map((part) => part.replace(/\s+/g, ' '))
  for (let at = 0; at + REPEATED_CHARACTERS <= text.length; at += 1) {
    const run = text.slice(at, at + REPEATED_CHARACTERS)
    if (flat.some((part) => part.includes(run))) return true
  }
  return false
}

function findFailure(error: unknown): ModelFailure | null {
  return causesOf(error).find((cause) => cause instanceof ModelFailure) ?? null
}

function findCode(error: unknown): string {
  const codes = causesOf(error).map((cause) => fieldsOf(cause)['code'])
  return codes.find((code) => typeof code === 'string') ?? ''
}

/** For a truncated body, undici reports `terminated` without a code. */
function isBroken(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof TypeError && /terminated|fetch failed/.test(cause.message))
}

/** The error and its causes; no error has more than five. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause) causes.push(cause)
  return causes
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
