import { requirementsOf } from './requirement.ts'

const contract = (section: string) => ({ source: 'contract', section, part: 1 }) as const
const api = (section: string) => ({ source: 'api', section, part: 1 }) as const

/** Rules for every endpoint. */
export const ruleRequirements = [
  ...requirementsOf(api('What the service does'), {
    'rules.api.http': 'The service exposes an HTTP API under one base address.',
    'rules.api.key-needed': 'Every protected endpoint needs an API key.',
    'rules.api.memory-file':
      'A memory is one stored memory file in an object store; deleting a memory deletes that file.',
  }),
  ...requirementsOf(api('Endpoints'), {
    'rules.api.json-content-type': 'JSON bodies use Content-Type application/json.',
    'rules.api.path-ids': 'A path segment written :id is a placeholder for an identifier.',
  }),
  ...requirementsOf(api('Placeholders'), {
    'rules.api.timestamps': 'Timestamps are ISO 8601 UTC date-time strings.',
  }),
  ...requirementsOf(api('Versioning'), {
    'rules.versioning.prefix': 'Resource endpoints carry the path prefix /v1; health endpoints carry none.',
    'rules.versioning.health-version': 'The health response reports a version string.',
  }),
  ...requirementsOf(contract('Rules: Flat JSON'), {
    'rules.json.flat-resource': 'A resource is a flat object, never wrapped in a top-level data.',
    'rules.json.list': 'A list is an object with the plural noun, nextCursor, hasMore and total.',
    'rules.json.camel-case': 'Field names are camelCase.',
    'rules.json.every-success': 'Every success but 204 carries JSON.',
  }),
  ...requirementsOf(contract('Rules: bodies'), {
    'rules.body.empty-with-json-type':
      'A body-less request with Content-Type application/json is fine, also on GET and DELETE.',
    'rules.body.empty-then-validation': 'An empty body is no body, then validation decides.',
    'rules.body.multipart-under-json': 'A multipart body sent under a JSON content type gets a 400 that says so.',
  }),
  ...requirementsOf(contract('Rules: retries'), {
    'rules.retry.permanent-is-4xx':
      'A permanent condition (storage quota, unusable document, unknown id) is 4xx, never 5xx.',
    'rules.retry.no-5xx-after-commit':
      'Nothing answers 5xx after having committed: a retried request does not double what was stored.',
  }),
  ...requirementsOf(contract('Rules: Idempotency-Key'), {
    'rules.idempotency.replays': 'Idempotency-Key on any POST replays the first answer with Idempotent-Replayed: true.',
    'rules.idempotency.large-reads':
      'An answer of more than 256 KB to a POST that only reads is not kept: a repeat is answered anew.',
    'rules.idempotency.length': 'An Idempotency-Key has at most 255 characters.',
    'rules.idempotency.kept': 'The first answer is kept 24 hours, so also over a restart.',
    'rules.idempotency.per-key': 'An Idempotency-Key belongs to the API key that sent it.',
    'rules.idempotency.other-body': 'The same Idempotency-Key with another body is 422.',
    'rules.idempotency.still-running': 'The same Idempotency-Key while the first request is still running is 409.',
  }),
  ...requirementsOf(contract('Rules: Ids'), {
    'rules.ids.form':
      'Ids are mem_, doc_, job_, prj_, key_, org_, req_ and a time-sortable UUIDv7 in lower-case base32 (TypeID).',
    'rules.ids.chunk': 'A chunk id is its document id and its number, doc_….12.',
    'rules.ids.malformed-is-404': 'A malformed id is a 404 of that resource.',
  }),
  ...requirementsOf(contract('Rules: Time'), {
    'rules.time.milliseconds': 'Time is ISO 8601 UTC with milliseconds.',
    'rules.time.null-when-absent': 'An absent value is null, but for what the API document calls present when.',
  }),
  ...requirementsOf(contract('Rules: Status'), {
    'rules.status.create': 'Create answers 201 with Location.',
    'rules.status.read-update': 'Read, update and computed answers are 200.',
    'rules.status.documents': 'Documents answer 200 or 202.',
    'rules.status.delete': 'Delete answers 204, and 404 when repeated.',
  }),
  ...requirementsOf(contract('Rules: Paging'), {
    'rules.paging.every-list': 'Every list takes limit and cursor.',
    'rules.paging.limit-range': 'limit is 1 to 100.',
    'rules.paging.defaults': 'limit defaults to 20 for jobs and documents, 100 for memories and projects.',
    'rules.paging.newest-first': 'Lists are newest first.',
    'rules.paging.stable': 'Paging is stable while rows are added.',
    'rules.paging.bad-cursor': 'A bad cursor is 400.',
  }),
  ...requirementsOf(contract('Rules: Unknown request fields'), {
    'rules.unknown.ignored': 'Unknown request fields are ignored.',
    'rules.unknown.warned':
      'Unknown request fields are named in warnings ({code, message, param}) where the answer has that field.',
    'rules.unknown.wrong-type': 'Wrong types and ranges are 400 and name the field.',
  }),
  ...requirementsOf(contract('Rules: Headers'), {
    'rules.headers.request-id': 'X-Request-Id is on every answer.',
    'rules.headers.rate-limit': 'RateLimit and RateLimit-Policy are on answers where a limit applies.',
    'rules.headers.retry-after': 'Retry-After is on 429, 503 and 202.',
  }),
]
