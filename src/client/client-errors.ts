import type { ErrorBody } from './accounts.ts'

/** What is known of a failed request beside its message. */
export type Failure = {
  /** One of the service's error table, such as `memory_not_found`. */
  code: string
  /** The HTTP status; 0 where no answer came. */
  status: number
  /** The field that was wrong. */
  param?: string | null
  details?: ErrorBody['error']['details']
  /** What the caller can do. */
  remedy?: string
  requestId?: string | null
  cause?: unknown
}

/** Any failure of a request. Its subclasses stand for the statuses; `code` says exactly what it is. */
export class RecollectError extends Error {
  readonly code: string
  readonly status: number
  readonly param: string | null
  readonly details: ErrorBody['error']['details']
  readonly remedy: string
  readonly requestId: string | null

  constructor(message: string, { code, status, param, details, remedy, requestId, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code
    this.status = status
    this.param = param ?? null
    this.details = details ?? []
    this.remedy = remedy ?? ''
    this.requestId = requestId ?? null
  }
}

/** 400: the request is not valid; `param` and `details` name what is wrong. */
export class InvalidRequestError extends RecollectError {}
/** 401: there is no key, or it is not valid. */
export class AuthenticationError extends RecollectError {}
/** 403: the key may not, or a quota is used up. */
export class ForbiddenError extends RecollectError {}
/** 404: there is no such thing, or the key may not see it. */
export class NotFoundError extends RecollectError {}
/** 409: it does not go together with what is there. */
export class ConflictError extends RecollectError {}
/** 413: too much at once. */
export class TooLargeError extends RecollectError {}
/** 415: a type that is not read; the message lists those that are. */
export class UnsupportedTypeError extends RecollectError {}
/** 422: understood, and still of no use: a locked document, a URL that cannot be fetched. */
export class UnprocessableError extends RecollectError {}
/** 429: too many requests, or the month's queries are used up. */
export class LimitError extends RecollectError {}
/** 5xx: the service failed, after the repeats. */
export class ServiceError extends RecollectError {}
/** No answer came: no connection, or it broke, or `timeoutMs` passed; or nothing could be sent to such a `baseUrl`, or with such a key (`unsendable`). */
export class ConnectionError extends RecollectError {}

const BY_STATUS: Readonly<Record<number, typeof RecollectError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: TooLargeError,
  415: UnsupportedTypeError,
  422: UnprocessableError,
  429: LimitError,
}

/** The error of an answer whose status is not one of success. */
export async function toError(answer: Response): Promise<RecollectError> {
  const text = await answer.text().catch(() => '')
  const body = parseBody(text)
  return errorOf(answer.status, body ?? foreignError(answer, text))
}

/** The error of an error body that came with this status; also of an `error` event of a stream. */
export function errorOf(status: number, { message, ...facts }: ErrorBody['error']): RecollectError {
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServiceError : RecollectError)
  return new Kind(message, { ...facts, status })
}

function parseBody(text: string): ErrorBody['error'] | null {
  try {
    const { error } = JSON.parse(text) as Partial<ErrorBody>
    return typeof error?.code === 'string' ? error : null
  } catch {
    return null
  }
}

/** Something between us and the service answered: a proxy, another service. Of its page only the words are repeated. */
function foreignError({ status, headers }: Response, text: string): ErrorBody['error'] {
  const words = text
    .slice(0, 2000)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
  return {
    code: 'foreign_answer',
    message: `The answer ${status} is not one of this service: ${words || 'it has no text'}`,
    param: null,
    details: [],
    remedy: 'Check the base address, and what stands between the client and the service.',
    requestId: headers.get('x-request-id') ?? '',
  }
}
