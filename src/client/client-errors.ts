import type { ErrorBody } from './accounts.ts'

/** Details of a failed request besides the message. */
export type Failure = {
  /** Error code of the service, such as `memory_not_found`. */
  code: string
  /** HTTP status; 0 without a response. */
  status: number
  /** Invalid field. */
  param?: string | null
  details?: ErrorBody['error']['details']
  /** Remedy for the caller. */
  remedy?: string
  requestId?: string | null
  cause?: unknown
}

/** Error of a request. Subclasses correspond to statuses; `code` is the exact error. */
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

/** 400: the request is invalid; `param` and `details` name the fields. */
export class InvalidRequestError extends RecollectError {}
/** 401: the API key is missing or invalid. */
export class AuthenticationError extends RecollectError {}
/** 403: the key lacks permission, or a quota is exceeded. */
export class ForbiddenError extends RecollectError {}
/** 404: the resource does not exist, or the key has no access. */
export class NotFoundError extends RecollectError {}
/** 409: the request conflicts with the current state. */
export class ConflictError extends RecollectError {}
/** 413: the request or file is too large. */
export class TooLargeError extends RecollectError {}
/** 415: unsupported file type; the message lists the supported types. */
export class UnsupportedTypeError extends RecollectError {}
/** 422: the content cannot be processed, such as an encrypted document or an unreachable URL. */
export class UnprocessableError extends RecollectError {}
/** 429: too many requests, or the monthly query quota is exceeded. */
export class LimitError extends RecollectError {}
/** 5xx: the service failed, after all retries. */
export class ServiceError extends RecollectError {}
/**
 * No response: connection failed or broken, timeout, or an invalid `baseUrl` or key (`unsendable`).
 */
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

/** Creates the error of an unsuccessful response. */
export async function toError(answer: Response): Promise<RecollectError> {
  const text = await answer.text().catch(() => '')
  const body = parseBody(text)
  return toRecollectError(answer.status, body ?? toForeignError(answer, text))
}

/** Creates the error of an error body, from a response or an `error` event. */
export function toRecollectError(status: number, { message, ...facts }: ErrorBody['error']): RecollectError {
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

/** Handles a response from a proxy or another service. Only the text of its page is quoted. */
function toForeignError({ status, headers }: Response, text: string): ErrorBody['error'] {
  const words = text
    .slice(0, 2000)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
  return {
    code: 'foreign_answer',
    message: `Unexpected response (status ${status}), not from Recollect: ${words || 'empty body'}`,
    param: null,
    details: [],
    remedy: 'Check the base URL, and any proxy in front of the service.',
    requestId: headers.get('x-request-id') ?? '',
  }
}
