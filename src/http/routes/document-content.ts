import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { ApiError, invalid } from '../../errors.ts'
import type { StoredSource } from '../../services/documents/documents-service.ts'
import { contentDisposition, respond } from '../answers/answers.ts'
import { type Answer, defineRoute, type Route } from '../route.ts'
import { pathParameter } from './parameters.ts'

/** What others wrote is never run as a page of ours, whatever its type says. */
const UNTRUSTED = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' }

function sourceAnswer(source: StoredSource): Answer<200, Readable> | Answer<206, Readable> {
  const { range, bytes, content } = source
  const headers = {
    ...UNTRUSTED,
    'content-type': source.mimeType,
    'content-disposition': contentDisposition(source.filename),
    'accept-ranges': 'bytes',
    'content-length': String(range === null ? bytes : range.end - range.start + 1),
  }
  if (range === null) return respond(200, headers, content)
  return respond(206, { ...headers, 'content-range': `bytes ${range.start}-${range.end}/${bytes}` }, content)
}

/** Content-Range says what there is (RFC 9110, section 15.5.17). */
function unsatisfiable(bytes: number): ApiError {
  const message = `Range lies outside of the ${bytes} bytes of the original.`
  const headers = { 'content-range': `bytes */${bytes}`, 'accept-ranges': 'bytes' }
  return new ApiError('range_not_satisfiable', { message, param: 'Range', headers })
}

const PagePictureQuery = Type.Object({
  highlight: Type.Optional(
    Type.String({
      pattern: '^\\d{1,9}-\\d{1,9}$',
      examples: ['1204-1240'],
      description: 'A span of the extracted text to be marked: start and end in UTF-16 code units.',
    }),
  ),
})

function readSpan(highlight: string | undefined): { start: number; end: number } | null {
  if (highlight === undefined) return null
  const [start = 0, end = 0] = highlight.split('-').map(Number)
  if (end <= start) throw invalid('highlight', 'must end behind its start')
  return { start, end }
}

function readPageNumber(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,5}$/.test(text)) throw invalid('page', 'must be a page number from 1')
  return Number(text)
}

/** A Range header as `DocumentsService.source` takes it: `start` null asks for the last `end` bytes, `end` null for all from `start`. */
type ByteRange = { start: number | null; end: number | null }

/**
 * The one range a Range header asks for. `null`, which answers with the whole, for no header, another unit, several
 * ranges and what cannot be read: RFC 9110, section 14.2, lets a server ignore those.
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
 * True where If-None-Match names this entity tag: RFC 9110, section 13.1.2, has a list of tags there, which are compared without their mark of
 * weakness, or `*` for any. False where the header is absent. The tag itself must hold no comma.
 */
export function namesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const named = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return named.includes(etag) || named.includes('*')
}

/** Contract, "Document": the original and the extracted text. */
export const DOCUMENT_CONTENT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId/source',
    operationId: 'getDocumentSource',
    summary: 'Download the stored original, whole or a range',
    description:
      'Streams the original with its name and type, where storeSource kept it. A Range header asks for a part.',
    tag: 'Documents',
    access: 'memory',
    answers: {
      200: { description: 'The original, byte for byte.', contentType: '*/*' },
      206: { description: 'The bytes that Range asks for.', contentType: '*/*' },
    },
    errors: ['memory_not_found', 'document_not_found', 'source_not_stored', 'range_not_satisfiable'],
    handle: async ({ services, caller, params, headers }) => {
      // No answer carries a validator, so none that If-Range brings can match: RFC 9110, section 13.1.5, has the whole sent then.
      const range = headers['if-range'] === undefined ? parseByteRange(headers.range) : null
      const [memoryId, documentId] = [pathParameter(params, 'id'), pathParameter(params, 'documentId')]
      const source = await services.documents.source(caller, memoryId, { documentId, range })
      if (source.content === null) throw unsatisfiable(source.bytes)
      return sourceAnswer(source)
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId/text',
    operationId: 'getDocumentText',
    summary: 'Read the extracted text, which all offsets count in',
    description: 'Streams the extracted text as UTF-8. All offsets of the API count its UTF-16 code units.',
    tag: 'Documents',
    access: 'memory',
    answers: { 200: { description: 'The text, UTF-8.', contentType: 'text/plain' } },
    errors: ['memory_not_found', 'document_not_found'],
    handle: async ({ services, caller, params }) => {
      const [memoryId, documentId] = [pathParameter(params, 'id'), pathParameter(params, 'documentId')]
      const { content, bytes } = await services.documents.text(caller, memoryId, documentId)
      const headers = { ...UNTRUSTED, 'content-type': 'text/plain; charset=utf-8', 'content-length': String(bytes) }
      return respond(200, headers, content)
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId/pages/:page.png',
    operationId: 'getDocumentPage',
    summary: 'See a page of a stored PDF or picture, with a passage marked',
    description:
      'Draws a page of a stored PDF or picture as PNG, with a span of the extracted text marked where ' +
      'highlight names one.',
    tag: 'Documents',
    access: 'memory',
    query: PagePictureQuery,
    answers: {
      200: { description: 'The page.', contentType: 'image/png' },
      304: { description: 'It is the one that If-None-Match names.' },
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
      if (namesEtag(headers['if-none-match'], etag)) return respond(304, cached, null)
      return respond(200, { ...cached, 'content-type': 'image/png' }, png)
    },
  }),
]
