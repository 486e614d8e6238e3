/**
 * Table of all error codes with HTTP status, default message and remedy. The docs' error page is
 * printed from it. The statuses are from contract.md, "Errors".
 */
export const ERRORS = {
  malformed_json: [400, 'The request body is not valid JSON.', 'Send valid JSON, nested at most 64 levels deep.'],
  validation_failed: [
    400,
    'The request is not valid.',
    'Correct the field named in the message and send the request again.',
  ],
  invalid_cursor: [
    400,
    'The cursor is invalid for this list.',
    'Send nextCursor of the previous page unchanged, or omit cursor.',
  ],
  content_type_mismatch: [
    400,
    'The body does not match its Content-Type.',
    'Let the HTTP client set Content-Type: multipart/form-data for uploads, application/json for JSON.',
  ],
  missing_api_key: [
    401,
    'The request has no API key.',
    'Send the header Authorization: Bearer <API_KEY> or X-API-Key: <API_KEY>.',
  ],
  invalid_api_key: [
    401,
    'The API key is not valid.',
    'Check the key for typing mistakes, or create a key with: recollect keys create.',
  ],
  scope_forbidden: [403, 'A memory-scoped key is not allowed to do this.', 'Use an organization key for this call.'],
  role_forbidden: [
    403,
    'The role of the key does not allow this.',
    'Use a key with the role named in the message. An admin creates keys.',
  ],
  storage_quota_exceeded: [
    403,
    'The plan has no storage left for this.',
    'Delete documents, or choose a plan with more storage.',
  ],
  memory_limit_reached: [
    403,
    'The memory limit of the plan is reached.',
    'Delete a memory, or choose a plan that allows more.',
  ],
  webhook_limit_reached: [
    403,
    'The webhook limit of the organization is reached.',
    'Delete a webhook with DELETE /v1/webhooks/:id.',
  ],
  source_limit_reached: [
    403,
    'The source limit of the memory is reached.',
    'Delete a source with DELETE /v1/memories/:id/sources/:source_id.',
  ],
  source_not_allowed: [
    403,
    'The service may not read this source.',
    'Name a folder below RECOLLECT_SOURCE_FOLDERS, or ask the operator to change the setting.',
  ],
  origin_forbidden: [
    403,
    'Requests from web pages of another origin are not allowed.',
    'Call the API from a program without an Origin header, or from a page of this service. ' +
      'With RECOLLECT_AUTH=off, use a loopback host name.',
  ],
  memory_not_found: [404, 'Memory not found.', 'List the memories with GET /v1/memories.'],
  model_not_found: [404, 'Embedding model not found.', 'List the models with GET /v1/models.'],
  document_not_found: [
    404,
    'Document not found in this memory.',
    'List the documents with GET /v1/memories/:id/documents.',
  ],
  job_not_found: [404, 'Job not found.', 'List the jobs with GET /v1/jobs.'],
  project_not_found: [404, 'Project not found.', 'List the projects with GET /v1/projects.'],
  webhook_not_found: [404, 'Webhook not found.', 'List the webhooks with GET /v1/webhooks.'],
  source_not_found: [404, 'Source not found.', 'List the sources with GET /v1/memories/:id/sources.'],
  key_not_found: [404, 'Key not found.', 'List the keys with GET /v1/keys.'],
  source_not_stored: [
    404,
    'The original of this document is not stored.',
    'Add the document again with options.storeSource true.',
  ],
  route_not_found: [404, 'Endpoint not found.', 'Compare method and path with GET /openapi.json.'],
  method_not_allowed: [405, 'Method not allowed.', 'Use one of the methods in the Allow header.'],
  idempotency_in_progress: [
    409,
    'The first request with this Idempotency-Key is still running.',
    'Wait a moment and send the request again with the same key.',
  ],
  embedding_model_pinned: [
    409,
    'The memory is pinned to another embedding model.',
    'Omit options.embeddingModel, or use another memory.',
  ],
  reembedding_in_progress: [
    409,
    'The memory is being re-embedded already.',
    'Wait for the job named in jobId, or cancel it with POST /v1/jobs/:id/cancel.',
  ],
  memory_too_large: [
    409,
    'The memory has more than 1,000,000 documents and corrections, the limit of an archive.',
    'Copy the whole installation with recollect backup, or delete documents before you export.',
  ],
  last_admin_key: [
    409,
    'This is the last admin key of the organization.',
    'Create another admin key first, or add force=true.',
  ],
  source_running: [409, 'The run of the source has not ended yet.', 'Wait half a minute and send the request again.'],
  source_paused: [409, 'The source is paused.', 'Resume it with POST /v1/memories/:id/sources/:source_id/resume.'],
  project_name_taken: [409, 'Another project has this name.', 'Choose another name.'],
  job_not_cancellable: [
    409,
    'The job is not in a state that allows this.',
    'Check the status with GET /v1/jobs/:id. ' +
      'Only pending and processing jobs can be cancelled; only failed and partial jobs can be retried.',
  ],
  file_too_large: [413, 'The file is larger than 100 MB.', 'Split the file into parts of at most 100 MB.'],
  image_too_large: [413, 'The image is larger than 20 MB.', 'Send an image of at most 20 MB.'],
  body_too_large: [413, 'The request body is too large for this endpoint.', 'Send less in one request.'],
  url_too_large: [413, 'The resource is larger than 100 MB.', 'Name a resource of at most 100 MB.'],
  unsupported_media_type: [
    415,
    'The endpoint does not support this Content-Type.',
    'Send application/json, or multipart/form-data for file uploads.',
  ],
  unsupported_file_type: [415, 'Unsupported file type.', 'Send one of the supported types named in the message.'],
  range_not_satisfiable: [
    416,
    'The requested range is outside the file.',
    'Request a range within the file, or omit Range.',
  ],
  unprocessable_document: [
    422,
    'No text could be extracted from the document.',
    'Remove any password, check that the file is complete and contains text, and export it again.',
  ],
  image_unreadable: [422, 'The image cannot be read.', 'Send a complete PNG, JPEG, WebP, GIF, TIFF or BMP image.'],
  url_fetch_failed: [
    422,
    'The resource could not be downloaded.',
    'Check that the URL returns 200 without authentication.',
  ],
  url_not_allowed: [
    422,
    'The URL is not allowed.',
    'Use a public http or https URL. RECOLLECT_URL_ALLOW_PRIVATE allows private hosts.',
  ],
  idempotency_key_reused: [
    422,
    'The Idempotency-Key was used for another request.',
    'Use a new key for every new request.',
  ],
  invalid_archive: [
    422,
    'The archive is damaged or is not a Recollect archive.',
    'Export the memory again and send that file unchanged.',
  ],
  rate_limited: [429, 'Too many requests.', 'Wait for the seconds in Retry-After, then send requests more slowly.'],
  query_quota_exceeded: [
    429,
    'The plan has no queries left this month.',
    'Wait for resetDate, or choose a plan with more queries.',
  ],
  internal_error: [500, 'Internal error.', 'Try again. If the error persists, search the log for the requestId.'],
  data_damaged: [
    500,
    'The stored data is damaged.',
    'Do not retry. Find the damage with recollect doctor --storage, and restore a backup.',
  ],
  model_failed: [502, 'The model returned an invalid response.', 'Try again later. The log contains the cause.'],
  service_unavailable: [503, 'The service is temporarily unavailable.', 'Try again after the seconds in Retry-After.'],
  queue_full: [503, 'The job queue is full.', 'Try again after the seconds in Retry-After.'],
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
    message: 'The service has reached its limit of open files.',
    remedy: 'Send the request again in a few seconds. To raise the limit, use ulimit -n or LimitNOFILE.',
    cause,
  })
}

/** True if a disk or a store is full. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'insufficient_storage'
}
