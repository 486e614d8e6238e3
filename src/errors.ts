/**
 * Table of all error codes with HTTP status, default message and remedy. The docs' error page is
 * printed from it. The statuses are from contract.md, "Errors".
 */
export const ERRORS = {
  malformed_json: [
    400,
    'The request body is not valid JSON.',
    'Send a body that any JSON parser accepts, nested at most 64 levels deep.',
  ],
  validation_failed: [400, 'The request is not valid.', 'Correct what the message names and send the request again.'],
  invalid_cursor: [
    400,
    'The cursor is not one this list gave out.',
    'Use nextCursor of the page before as it came, or leave cursor out.',
  ],
  content_type_mismatch: [
    400,
    'The body is not of the type that Content-Type names.',
    'Let the HTTP client set Content-Type: multipart/form-data with its boundary for uploads, application/json for JSON.',
  ],
  missing_api_key: [
    401,
    'The request carries no API key.',
    'Send the header Authorization: Bearer <API_KEY> or X-API-Key: <API_KEY>.',
  ],
  invalid_api_key: [
    401,
    'The API key is not valid.',
    'Check the key for typing mistakes, or make a new one with: recollect keys create.',
  ],
  scope_forbidden: [403, 'A memory-scoped key may not do this.', 'Use an organization key for this call.'],
  storage_quota_exceeded: [
    403,
    'The plan has no storage left for this.',
    'Delete documents, or choose a plan with more storage.',
  ],
  memory_limit_reached: [
    403,
    'The plan allows no further memory.',
    'Delete a memory, or choose a plan that allows more.',
  ],
  webhook_limit_reached: [
    403,
    'The organization has as many webhooks as it may have.',
    'Delete a webhook with DELETE /v1/webhooks/:id.',
  ],
  origin_forbidden: [
    403,
    'A web page of another origin may not call this.',
    'Call it from a program, without an Origin header, or from a page of this service; where keys are switched off, by a name of this machine.',
  ],
  memory_not_found: [404, 'There is no such memory.', 'List the memories with GET /v1/memories.'],
  document_not_found: [
    404,
    'There is no such document in this memory.',
    'List the documents with GET /v1/memories/:id/documents.',
  ],
  job_not_found: [404, 'There is no such job.', 'List the jobs with GET /v1/jobs.'],
  project_not_found: [404, 'There is no such project.', 'List the projects with GET /v1/projects.'],
  webhook_not_found: [404, 'There is no such webhook.', 'List the webhooks with GET /v1/webhooks.'],
  key_not_found: [404, 'There is no such key.', 'List the keys with GET /v1/keys.'],
  source_not_stored: [
    404,
    'The original of this document was not kept.',
    'Add the document again with options.storeSource true.',
  ],
  route_not_found: [404, 'There is no such endpoint.', 'Compare method and path with GET /openapi.json.'],
  method_not_allowed: [405, 'The endpoint does not take this method.', 'Use one of the methods in the Allow header.'],
  idempotency_in_progress: [
    409,
    'The first request with this Idempotency-Key is still running.',
    'Wait a moment and send the request again with the same key.',
  ],
  embedding_model_pinned: [
    409,
    'The memory is pinned to another embedding model.',
    'Leave options.embeddingModel out, or use another memory.',
  ],
  reembedding_in_progress: [
    409,
    'The memory is being re-embedded already.',
    'Wait for the job named in jobId, or cancel it with POST /v1/jobs/:id/cancel.',
  ],
  memory_too_large: [
    409,
    'The memory has more than 1,000,000 documents and corrections, which is more than an archive holds.',
    'Copy the whole installation with recollect backup, or delete documents before you export.',
  ],
  project_name_taken: [409, 'Another project has this name.', 'Choose another name.'],
  job_not_cancellable: [
    409,
    'The job is not in a state that allows this.',
    'Read the job with GET /v1/jobs/:id: only pending and processing jobs can be cancelled, only failed and partial ones retried.',
  ],
  file_too_large: [413, 'The file is larger than 100 MB.', 'Split the file into parts of at most 100 MB.'],
  image_too_large: [413, 'The image is larger than 20 MB.', 'Send an image of at most 20 MB.'],
  body_too_large: [413, 'The request body is too large for this endpoint.', 'Send less in one request.'],
  url_too_large: [413, 'The resource is larger than 100 MB.', 'Name a resource of at most 100 MB.'],
  unsupported_media_type: [
    415,
    'The endpoint does not take this Content-Type.',
    'Send application/json, or multipart/form-data where files are taken.',
  ],
  unsupported_file_type: [
    415,
    'The file is of a type that is not supported.',
    'Send one of the supported types named in the message.',
  ],
  range_not_satisfiable: [
    416,
    'None of the bytes that Range asks for are there.',
    'Ask for bytes that are there, or leave Range out.',
  ],
  unprocessable_document: [
    422,
    'No text can be read from the document.',
    'Open the file where it was made and save it again: whole, with text and without a password.',
  ],
  image_unreadable: [422, 'The image cannot be read.', 'Send a whole PNG, JPEG, WebP, GIF, TIFF or BMP image.'],
  url_fetch_failed: [422, 'The resource could not be downloaded.', 'Check that the URL answers 200 without a sign-in.'],
  url_not_allowed: [
    422,
    'The URL may not be fetched.',
    'Use a public http or https URL; private hosts are opened by RECOLLECT_URL_ALLOW_PRIVATE.',
  ],
  idempotency_key_reused: [
    422,
    'The Idempotency-Key was used for another request.',
    'Use a new key for every new request.',
  ],
  invalid_archive: [
    422,
    'The archive is damaged or not one of ours.',
    'Export the memory again and send that file unchanged.',
  ],
  rate_limited: [429, 'Too many requests.', 'Wait for the seconds in Retry-After, then go on more slowly.'],
  query_quota_exceeded: [
    429,
    'The plan has no queries left this month.',
    'Wait for resetDate, or choose a plan with more queries.',
  ],
  internal_error: [
    500,
    'Something went wrong on our side.',
    'Try again; if it goes on, look for the requestId in the log.',
  ],
  data_damaged: [
    500,
    'The stored data is damaged.',
    'Do not try again. Whoever runs the service finds what is damaged with recollect doctor --storage, and restores it from a backup.',
  ],
  model_failed: [502, 'The model gave no usable answer.', 'Try again later; the log says what the model answered.'],
  service_unavailable: [
    503,
    'The service cannot do this at the moment.',
    'Try again after the seconds in Retry-After.',
  ],
  queue_full: [503, 'Too much work is waiting.', 'Try again after the seconds in Retry-After.'],
  request_timeout: [
    504,
    'The request took longer than the plan allows.',
    'Send less in one request, or use options.async.',
  ],
  insufficient_storage: [
    507,
    'The disk is full.',
    'Delete documents, or free space on the disk that holds the data; no restart is needed.',
  ],
} as const satisfies Record<string, readonly [status: number, message: string, remedy: string]>

export type ErrorCode = keyof typeof ERRORS

/** An invalid field; `param` is its path in the request (`options.limit`). */
export type ErrorDetail = { param: string; message: string }

/**
 * Facts of an {@link ApiError}. Callers receive all facts but `cause`, which goes to the log only.
 */
export type ErrorFacts = {
  /** Replaces the table's message. */
  message?: string
  /** The invalid field. */
  param?: string
  details?: readonly ErrorDetail[]
  /** Replaces the table's remedy. */
  remedy?: string
  /** Further fields of the error object, such as `limit`, `used`, `resetDate`, `planName`. */
  extra?: Readonly<Record<string, string | number | null>>
  /** Seconds for the `Retry-After` header, which 429 and 503 always have. */
  retryAfterSeconds?: number
  /** Methods for the `Allow` header of a 405. */
  allow?: readonly string[]
  /** Further response headers. */
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/** A failure reported to the caller: a code of {@link ERRORS} and the facts of this case. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly facts: ErrorFacts

  constructor(code: ErrorCode, facts: ErrorFacts = {}) {
    super(facts.message ?? ERRORS[code][1], { cause: facts.cause })
    this.name = 'ApiError'
    this.code = code
    this.facts = facts
  }

  /** The HTTP status of the code. */
  get status(): number {
    return ERRORS[this.code][0]
  }

  /** Advice for the caller. */
  get remedy(): string {
    return this.facts.remedy ?? ERRORS[this.code][2]
  }
}

/** A 400 for a single field: `invalid('query', 'must be a non-empty string')`. */
export function invalid(param: string, message: string): ApiError {
  return new ApiError('validation_failed', { message: `${param} ${message}`, param, details: [{ param, message }] })
}

/** True for an error that reports damaged or missing stored data. */
export function isDamage(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'data_damaged'
}

/**
 * True if the process or the system ran out of file handles, reported by Node as a code or by Lance
 * as text.
 */
export function isOutOfFiles(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : ''
  return (
    code === 'EMFILE' || code === 'ENFILE' || /too many open files/i.test(error.message) || isOutOfFiles(error.cause)
  )
}

/** The 503 for an exhausted limit of open files. */
export function outOfFiles(cause: unknown): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The service has as many files open as the system lets it.',
    remedy:
      'Send the request again in a few seconds. Whoever runs the service can raise the limit (ulimit -n, LimitNOFILE).',
    cause,
  })
}

/** True if a disk or a store is full. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'insufficient_storage'
}
