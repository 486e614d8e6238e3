import { requirementsOf } from './requirement.ts'

const table = (part: number) => ({ source: 'contract', section: 'Errors: table', part }) as const

/** The error body and every row of the error table. */
export const errorRequirements = [
  ...requirementsOf(
    { source: 'contract', section: 'Errors', part: 1 },
    {
      'errors.shape':
        'Every error is {"error": {code, message, remedy, requestId}} with param and details where a field is at fault.',
      'errors.details': 'details lists every wrong field as {param, message}.',
      'errors.request-id': 'error.requestId is the X-Request-Id of the answer.',
      'errors.page': 'The error page of the docs has every code with status, message and remedy.',
      'errors.true-status': 'The true HTTP status is always used.',
      'errors.no-internals': 'Internals, paths and ids of other tenants never stand in an error.',
    },
  ),
  ...requirementsOf(
    { source: 'api', section: 'Errors', part: 1 },
    {
      'errors.api.degraded': 'A readiness check that finds database or object store degraded answers 503.',
      'errors.api.async-is-normal':
        'Work over the synchronous threshold answers 202 with jobId and pollUrl, a normal outcome.',
      'errors.api.job-failed': 'A background job that fails has status failed and an error field.',
      'errors.api.job-partial':
        'A background job that ends with partial results has status partial and isPartial true.',
    },
  ),
  ...requirementsOf(table(1), {
    'errors.400.malformed_json': '400 malformed_json: the body is not JSON.',
    'errors.400.validation_failed': '400 validation_failed: a field is wrong.',
    'errors.400.invalid_cursor': '400 invalid_cursor: the cursor is not one of this list.',
    'errors.400.content_type_mismatch': '400 content_type_mismatch: the body is not of the type Content-Type names.',
    'errors.401.missing_api_key': '401 missing_api_key with WWW-Authenticate: Bearer.',
    'errors.401.invalid_api_key':
      '401 invalid_api_key with WWW-Authenticate: Bearer; unknown, malformed, revoked and expired look the same.',
    'errors.403.scope_forbidden': '403 scope_forbidden: a memory-scoped key elsewhere.',
    'errors.403.storage_quota_exceeded': '403 storage_quota_exceeded.',
    'errors.403.memory_limit_reached': '403 memory_limit_reached.',
    'errors.404.memory_not_found': '404 memory_not_found.',
    'errors.404.document_not_found': '404 document_not_found.',
    'errors.404.job_not_found': '404 job_not_found.',
    'errors.404.project_not_found': '404 project_not_found.',
    'errors.404.key_not_found': '404 key_not_found.',
    'errors.404.source_not_stored': '404 source_not_stored.',
    'errors.404.route_not_found': '404 route_not_found.',
    'errors.404.not-forbidden': 'A resource that belongs to another is not found, never forbidden.',
    'errors.405.method_not_allowed': '405 method_not_allowed, with Allow.',
    'errors.409.idempotency_in_progress': '409 idempotency_in_progress.',
    'errors.409.project_name_taken': '409 project_name_taken.',
    'errors.409.job_not_cancellable': '409 job_not_cancellable.',
    'errors.413.file_too_large': '413 file_too_large.',
    'errors.413.body_too_large': '413 body_too_large.',
    'errors.415.unsupported_media_type': '415 unsupported_media_type.',
    'errors.415.unsupported_file_type': '415 unsupported_file_type, which lists what is supported.',
    'errors.422.unprocessable_document': '422 unprocessable_document: corrupt or empty.',
    'errors.422.idempotency_key_reused': '422 idempotency_key_reused.',
    'errors.429.rate_limited': '429 rate_limited.',
    'errors.429.query_quota_exceeded':
      '429 query_quota_exceeded, with limit, used, resetDate and planName in the error.',
    'errors.500.internal_error': '500 internal_error stands in the table.',
    'errors.503.service_unavailable': '503 service_unavailable.',
    'errors.504.request_timeout': '504 request_timeout stands in the table.',
    'errors.507.insufficient_storage': '507 insufficient_storage: the disk is full.',
  }),
  ...requirementsOf(table(2), {
    'errors.413.image_too_large': '413 image_too_large.',
    'errors.413.url_too_large': '413 url_too_large.',
    'errors.422.encrypted': '422 unprocessable_document: encrypted.',
    'errors.422.image_unreadable': '422 image_unreadable.',
    'errors.422.url_fetch_failed': '422 url_fetch_failed.',
    'errors.422.url_not_allowed': '422 url_not_allowed.',
  }),
  ...requirementsOf(table(3), {
    'errors.409.embedding_model_pinned': '409 embedding_model_pinned.',
    'errors.502.model_failed': '502 model_failed.',
  }),
  ...requirementsOf(table(5), { 'errors.503.queue_full': '503 queue_full: too much work is waiting.' }),
  ...requirementsOf(table(7), {
    'errors.404.webhook_not_found': '404 webhook_not_found.',
    'errors.422.invalid_archive': '422 invalid_archive.',
  }),
]
