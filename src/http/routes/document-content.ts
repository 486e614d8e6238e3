import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { ChunkSchema } from '../../api/document.ts'
import { pageOf, pageParameters } from '../../api/values.ts'
import { ApiError, invalid } from '../../errors.ts'
import { PAGE_LIMIT } from '../../limits.ts'
import type { StoredSource } from '../../services/documents/documents-service.ts'
import { contentDisposition, ok, respond } from '../answers/answers.ts'
import { type Answer, defineRoute, type Route } from '../route.ts'
import { pathParameter, readPageRequest } from './parameters.ts'

/**
 * Prevents browsers from running stored content as a page of this origin, for every media type.
 */
const SANDBOX_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
}

function sourceAnswer(source: StoredSource): Answer<200, Readable> | Answer<206, Readable> {
  const { range, bytes, content } = source
  const headers = {
    ...SANDBOX_HEADERS,
    'content-type': source.mimeType,
    'content-disposition': contentDisposition(source.filename),
    'accept-ranges': 'bytes',
    'content-length': String(range === null ? bytes : range.end - range.start + 1),
  }
  if (range === null) return respond(200, headers, content)
  return respond(206, { ...headers, 'content-range': `bytes ${range.start}-${range.end}/${bytes}` }, content)
}

/** Content-Range reports the full size (RFC 9110, section 15.5.17). */
function rangeNotSatisfiable(bytes: number): ApiError {
  const message = `Range is outside of the original, which has ${bytes} bytes.`
  const headers = { 'content-range': `bytes */${bytes}`, 'accept-ranges': 'bytes' }
  return new ApiError('range_not_satisfiable', { message, param: 'Range', headers })
}

const PageImageQuery = Type.Object({
  highlight: Type.Optional(
    Type.String({
      pattern: '^\\d{1,9}-\\d{1,9}$',
      examples: ['1204-1240'],
      description:
        'Range of the extracted text to highlight: start and end offset in UTF-16 code units, such as 1204-1240.',
    }),
  ),
})

function readSpan(highlight: string | undefined): { start: number; end: number } | null {
  if (highlight === undefined) return null
  const [start = 0, end = 0] = highlight.split('-').map(Number)
  if (end <= start) throw invalid('highlight', 'must end after its start')
  return { start, end }
}

function readPageNumber(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,5}$/.test(text)) throw invalid('page', 'must be a page number, starting at 1')
  return Number(text)
}

/**
 * Byte range for `DocumentsService.source`: `start` null means the last `end` bytes, `end` null
 * means to the end.
 */
type ByteRange = { start: number | null; end: number | null }

/**
 * Parses a Range header with a single range. Returns `null` (the whole file) for no header, another
 * unit, several ranges or a syntax error. RFC 9110, section 14.2, allows a server to ignore such
 * headers.
 */
export function parseByteRange(header: string | undefined): ByteRange | null {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '')
  const [, from = '', to = ''] = match ?? []
  if (match === null || (from === '' && to === '')) return null
  const start = from === '' ? null : Number(from)
  const end = to === '' ? null : Number(to)
  return start !== null && end !== null && end < start ? null : { start, end }
}

/**
 * Returns whether If-None-Match lists this entity tag or `*`. RFC 9110, section 13.1.2, compares
 * weakly, so `W/` is stripped. The tag must not contain a comma.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const named = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return named.includes(etag) || named.includes('*')
}

/** Contract, "Document": the original and the extracted text. */
export const DOCUMENT_CONTENT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId/chunks',
    operationId: 'listChunks',
    summary: 'List the chunks of a document',
    description:
      'Lists the chunks of a document in the order of its text, with their offsets, pages and sections. A document ' +
      'has no chunks until it is searchable.',
    tag: 'Documents',
    access: 'memory',
    query: Type.Object(pageParameters(PAGE_LIMIT.chunks)),
    answers: {
      200: { description: 'A page of chunks, in order.', schema: pageOf('chunks', ChunkSchema, 'in order') },
    },
    errors: ['memory_not_found', 'document_not_found', 'invalid_cursor'],
    handle: async ({ services, caller, params, query, reserveMemory }) => {
      const page = readPageRequest({ query, reserveMemory }, PAGE_LIMIT.chunks)
      const request = { documentId: pathParameter(params, 'documentId'), page }
      return ok(await services.chunks.list(caller, pathParameter(params, 'id'), request))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId/source',
    operationId: 'getDocumentSource',
    summary: 'Download the original',
    description:
      'Downloads the original with its name and media type, if it was added with storeSource. Supports ' +
      'single byte ranges.',
    tag: 'Documents',
    access: 'memory',
    answers: {
      200: { description: 'The original, unchanged.', contentType: '*/*' },
      206: { description: 'The requested bytes.', contentType: '*/*' },
    },
    errors: ['memory_not_found', 'document_not_found', 'source_not_stored', 'range_not_satisfiable'],
    handle: async ({ services, caller, params, headers }) => {
      // Responses have no validator, so If-Range never matches and the whole file is sent (RFC
      // 9110, section 13.1.5).
      const range = headers['if-range'] === undefined ? parseByteRange(headers.range) : null
      const [memoryId, documentId] = [pathParameter(params, 'id'), pathParameter(params, 'documentId')]
      const source = await services.documents.source(caller, memoryId, { documentId, range })
      if (source.content === null) throw rangeNotSatisfiable(source.bytes)
      return sourceAnswer(source)
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId/text',
    operationId: 'getDocumentText',
    summary: 'Get the extracted text',
    description: 'Returns the extracted text as UTF-8. All offsets in the API are UTF-16 code units of this text.',
    tag: 'Documents',
    access: 'memory',
    answers: { 200: { description: 'The extracted text.', contentType: 'text/plain' } },
    errors: ['memory_not_found', 'document_not_found'],
    handle: async ({ services, caller, params }) => {
      const [memoryId, documentId] = [pathParameter(params, 'id'), pathParameter(params, 'documentId')]
      const { content, bytes } = await services.documents.text(caller, memoryId, documentId)
      const headers = {
        ...SANDBOX_HEADERS,
        'content-type': 'text/plain; charset=utf-8',
        'content-length': String(bytes),
      }
      return respond(200, headers, content)
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId/pages/:page.png',
    operationId: 'getDocumentPage',
    summary: 'Render a page',
    description:
      'Renders a page of a stored PDF or image as PNG. With `highlight`, a range of the extracted text is marked.',
    tag: 'Documents',
    access: 'memory',
    query: PageImageQuery,
    answers: {
      200: { description: 'The page.', contentType: 'image/png' },
      304: { description: 'The page has not changed since the version in If-None-Match.' },
    },
    errors: [
      'memory_not_found',
      'document_not_found',
      'source_not_stored',
      'unprocessable_document',
      'image_unreadable',
    ],
    handle: async ({ services, caller, params, query, headers, signal }) => {
      const [memoryId, documentId] = [pathParameter(params, 'id'), pathParameter(params, 'documentId')]
      const wanted = { memoryId, documentId, page: readPageNumber(params['page']), span: readSpan(query.highlight) }
      const { png, etag } = await services.pagePictures.draw(caller, wanted, signal)
      const cached = { etag, 'cache-control': 'private, no-cache' }
      if (matchesEtag(headers['if-none-match'], etag)) return respond(304, cached, null)
      return respond(200, { ...cached, 'content-type': 'image/png' }, png)
    },
  }),
]
