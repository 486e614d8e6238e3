import { MAX_QUERY_WORDS } from '../../src/engine/analysis/query-words.ts'
import {
  ARCHIVE_CONTENTS,
  ASK,
  ASYNC_FILE_BYTES,
  ASYNC_SCANNED_PAGES,
  BODY_BUDGET,
  CONNECTIONS,
  CORRECTION_FIELDS,
  DOCUMENT_FIELDS,
  EVALUATION,
  EXTRACTION,
  FILTER,
  FIND_BODY_BYTES,
  HITS,
  IDEMPOTENCY,
  JSON_BODY_BYTES,
  JSON_DEPTH,
  JSON_VALUES,
  LISTED_BYTES,
  MAX_ARCHIVE_BYTES,
  MAX_BASE64_PAYLOAD_BYTES,
  MAX_STORED_RESPONSE_BYTES,
  MAX_URL_DOWNLOAD_BYTES,
  MEMORY_DESCRIPTION_CHARACTERS,
  MEMORY_NAME_CHARACTERS,
  NAME_CHARACTERS,
  OCR_MAX_PAGES,
  PAGE_LIMIT,
  PLANS,
  type PlanLimits,
  QUERY_BUDGET,
  QUERY_CHARACTERS,
  SOURCES,
  VERIFICATION,
  WEBHOOKS,
} from '../../src/limits.ts'
import { ENTRY_LIMITS } from '../../src/services/archive/archive-format.ts'
import { MAX_RATIO } from '../../src/services/archive/unpack-archive.ts'

type Row = readonly [what: string, ...cells: string[]]

const PLAN_ROWS: readonly (readonly [string, (limits: PlanLimits) => string])[] = [
  ['storage: originals that are kept, and extracted text', ({ storageBytes }) => bytes(storageBytes)],
  ['memories', ({ memories }) => count(memories)],
  ['find, search and ask, a month', ({ queriesPerMonth }) => count(queriesPerMonth)],
  ['a file', ({ maxFileBytes }) => bytes(maxFileBytes)],
  ['a picture', ({ maxImageBytes }) => bytes(maxImageBytes)],
  ['a request body', ({ requestBodyBytes }) => bytes(requestBodyBytes)],
  ['a request', ({ requestTimeoutSeconds }) => `${requestTimeoutSeconds / 60} minutes`],
]

const FIELD_ROWS: readonly Row[] = [
  [
    'read while the caller waits',
    `${bytes(ASYNC_FILE_BYTES)}, ${ASYNC_SCANNED_PAGES} scanned pages, and some seconds; more is a job`,
  ],
  [
    'pages recognised of a document',
    `${OCR_MAX_PAGES.default} unless \`ocrMaxPages\` says otherwise, at most ${OCR_MAX_PAGES.max}`,
  ],
  ['a download by URL', bytes(MAX_URL_DOWNLOAD_BYTES)],
  ['a picture as base64', bytes(MAX_BASE64_PAYLOAD_BYTES)],
  [
    'an archive of a memory that is imported',
    `${bytes(MAX_ARCHIVE_BYTES)}, and at most ${MAX_RATIO} times as much unpacked`,
  ],
  [
    'what an archive holds',
    `${count(ARCHIVE_CONTENTS.documents)} documents and corrections, ${count(ARCHIVE_CONTENTS.files)} files; a text or an original 8 GB, a part ${bytes(ENTRY_LIMITS.partBytes)}, ${count(ENTRY_LIMITS.chunksPerPart)} chunks and ${count(JSON_VALUES)} values`,
  ],
  [
    'a body of JSON',
    `${bytes(JSON_BODY_BYTES)}; ${bytes(FIND_BODY_BYTES)} for find, search and ask, whose filter may hold more; the limit of the plan for bodies with documents, corrections, questions of an evaluation, a schema or the \`content\` of ask-once`,
  ],
  [
    'memory for the bodies of requests under way, together',
    `${memoryOf(BODY_BUDGET.large)}; and for the first ${bytes(BODY_BUDGET.firstBytes)} of each body ${memoryOf(BODY_BUDGET.small)}. What comes on top is 503 \`service_unavailable\``,
  ],
  [
    'of that for one key',
    'as much as is left for others, or one of the largest; for the keys of an organization together three times as much as is left. What comes on top is 429 `rate_limited`',
  ],
  [
    'disk for the files of unfinished uploads of one key',
    'as much as is left for others; for the keys of an organization together three times as much as is left. The oldest upload of the organization does not count. What comes on top is 429 `rate_limited`',
  ],
  ['depth of a JSON body', `${JSON_DEPTH} levels`],
  ['name of a memory', characters(MEMORY_NAME_CHARACTERS.max)],
  ['name of a project or key', characters(NAME_CHARACTERS.max)],
  ['description of a memory', characters(MEMORY_DESCRIPTION_CHARACTERS)],
  ['texts of one request', count(DOCUMENT_FIELDS.perRequest)],
  ['title of a document', characters(DOCUMENT_FIELDS.titleCharacters)],
  ['tags of a document', `${DOCUMENT_FIELDS.tags}, each of ${characters(DOCUMENT_FIELDS.tagCharacters)}`],
  [
    'metadata of a document',
    `${DOCUMENT_FIELDS.metadataKeys} fields, names of ${characters(DOCUMENT_FIELDS.metadataKeyCharacters)}, texts of ${characters(DOCUMENT_FIELDS.metadataCharacters)}, ${characters(DOCUMENT_FIELDS.metadataCharactersInAll)} in all`,
  ],
  ['`externalId`', characters(DOCUMENT_FIELDS.externalIdCharacters)],
  [
    'a query or question',
    `${characters(QUERY_CHARACTERS)}, of which the first ${MAX_QUERY_WORDS} different words are looked up, in scripts without spaces characters; the warning \`query_shortened\` counts the others`,
  ],
  [
    'a filter',
    `${FILTER.conditions} conditions on metadata, ${count(FILTER.values)} values in all lists, groups in ${FILTER.depth} levels, ${DOCUMENT_FIELDS.tags} tags, ${count(FILTER.documents)} documents`,
  ],
  ['hits', `${HITS.default} unless \`topK\` or \`limit\` says otherwise, at most ${HITS.max}`],
  [
    'passages of an answer',
    `${ASK.contextChunks.default} unless \`maxContextChunks\` says otherwise, at most ${ASK.contextChunks.max}`,
  ],
  [
    'corrections of one request',
    `${count(CORRECTION_FIELDS.perRequest)}, each of ${characters(CORRECTION_FIELDS.statementCharacters)}, with ${CORRECTION_FIELDS.topics} topics of ${characters(CORRECTION_FIELDS.topicCharacters)}`,
  ],
  [
    'a schema of extract',
    `${EXTRACTION.sections} sections of ${EXTRACTION.fieldsPerSection} fields, ${count(EXTRACTION.fields)} fields in all; names, keys and labels of ${characters(EXTRACTION.nameCharacters)}, a context of ${characters(EXTRACTION.contextCharacters)}`,
  ],
  [
    'an evaluation',
    `${EVALUATION.questions} questions, each of ${EVALUATION.documentsPerQuestion} documents, and ${characters(EVALUATION.shownCharacters)} of each in the answer; ${EVALUATION.atOnceOfOrganization} of an organization at a time in a process, and ${EVALUATION.atOnce} in all`,
  ],
  [
    'verifications',
    `${VERIFICATION.atOnceOfOrganization} of an organization run or wait at a time in a process, and ${VERIFICATION.atOnce} in all`,
  ],
  [
    'webhooks of an organization',
    `${WEBHOOKS.perOrganization}; attempts are kept for ${WEBHOOKS.deliveriesKeptMs / 86_400_000} days, the newest ${count(WEBHOOKS.deliveriesKept)} of each`,
  ],
  [
    'sources of a memory',
    `${SOURCES.perMemory}, each of ${count(SOURCES.items)} files or objects, or ${count(SOURCES.pages.max)} pages; a run takes at most ${SOURCES.runMs / 3_600_000} hours`,
  ],
  ['items of a list', `${PAGE_LIMIT.min} to ${PAGE_LIMIT.max} a page`],
  [
    'what an answer lists',
    `${bytes(LISTED_BYTES)}: a page of larger items ends before, with a \`nextCursor\`, and so do the hits of a find, with the warning \`hits_left_out\``,
  ],
  [
    'memory for queries under way and answers that are not read yet, together',
    `${memoryOf(QUERY_BUDGET)}. What comes on top is 503 \`service_unavailable\`; one key may have as much as is left for others, and what comes on top is 429 \`rate_limited\`. No request counts for more than a quarter before it is answered`,
  ],
  ['an `Idempotency-Key`', `${characters(IDEMPOTENCY.maxCharacters)}, kept ${IDEMPOTENCY.keptMs / 3_600_000} hours`],
  [
    'an answer kept for one',
    `${bytes(MAX_STORED_RESPONSE_BYTES.committed)}, and where it is larger without titles and texts; of what only reads, and of errors, ${bytes(MAX_STORED_RESPONSE_BYTES.computed)}, and ${bytes(MAX_STORED_RESPONSE_BYTES.computedOfOrganization)} of an organization: beyond, a repeat is answered again. What is kept counts as storage of the plan`,
  ],
]

const CONNECTION_ROWS: readonly Row[] = [
  ['the head of a request, from the opening of a connection on', `${CONNECTIONS.headMs / 1000} s`],
  [
    `a body that brings less than ${CONNECTIONS.minBodyBytesPerSecond} bytes a second`,
    `${CONNECTIONS.idleMs / 1000} s, noticed within as long again; then 504`,
  ],
  ['an answer of which no byte is taken', `${CONNECTIONS.idleMs / 1000} s, noticed within as long again`],
  [
    'connections of a process',
    `${count(CONNECTIONS.max)}, fewer where it may not [open as many files](production.md#open-files); beyond, the address with the most loses one without a request`,
  ],
  [
    'requests under way of a key',
    'as many as connections are left for others, so half of them alone, and three quarters for an organization; beyond, 429 `rate_limited`',
  ],
  ['a connection between two requests', `${CONNECTIONS.keptMs / 1000} s`],
  [
    'a request that has not come in whole, when the service stops',
    `${CONNECTIONS.stopMs / 1000} s; then 503, or without its head no answer`,
  ],
  [
    'an answer that is still going out, when the service stops',
    `${(2 * CONNECTIONS.stopMs) / 1000} s, and from ${CONNECTIONS.stopMs / 1000} s on ${CONNECTIONS.stopMs / 4000} s without a byte that is taken, noticed within as long again`,
  ],
]

/** `docs/limits.md`: the limits of the plans and of every field. */
export function limitsPage(): string {
  const plans = Object.values(PLANS)
  const rows = PLAN_ROWS.map(([what, show]): Row => [what, ...plans.map(({ limits }) => show(limits))])
  return `<!-- Printed from src/limits.ts by: npm run check -- --write -->

# Limits

Look up the quotas of each plan, the rate limit, the limits of requests and fields, and those of connections. A request over a limit gets an error that
names the limit, and nothing is stored ([errors](errors.md)). [Supported file types](supported-files.md#limits) lists the limits for files.

## Plans

\`RECOLLECT_PLAN\` sets the plan. \`GET /v1/account\` returns the current usage.

${table(['', ...plans.map(({ id }) => `\`${id}\``)], rows)}
## Requests and fields

${table(['item', 'limit'], FIELD_ROWS)}
## Connections

Slower connections are closed, so that idle clients cannot keep connections and files open. The plan limits the time of a whole
request.

${table(['item', 'limit'], CONNECTION_ROWS)}`
}

function table(heads: readonly string[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return `${[line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n')}\n`
}

function memoryOf({ memoryShare, minBytes, maxBytes }: { memoryShare: number; minBytes: number; maxBytes: number }) {
  return `1/${1 / memoryShare} of the memory that the process may take, at least ${bytes(minBytes)}, at most ${bytes(maxBytes)}`
}

function bytes(value: number | null): string {
  if (value === null) return 'no limit'
  if (value < 1024 ** 2) return `${value / 1024} KB`
  const megabytes = value / 1024 ** 2
  return megabytes >= 1024 ? `${megabytes / 1024} GB` : `${megabytes} MB`
}

function count(value: number | null): string {
  return value === null ? 'no limit' : value.toLocaleString('en-US')
}

function characters(value: number): string {
  return `${count(value)} characters`
}
