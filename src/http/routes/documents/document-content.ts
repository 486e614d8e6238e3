import type { Readable } from 'node:stream'
import { ApiError } from '../../../errors.ts'
import type { StoredSource } from '../../../services/documents/documents-service.ts'
import { respond } from '../../answers/answers.ts'
import { parseByteRange } from '../../answers/byte-range.ts'
import { contentDisposition } from '../../answers/file-name.ts'
import { type Answer, defineRoute, type Route } from '../../route.ts'
import { pathParameter } from '../path-parameter.ts'

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

/** Contract, "Document": the original and the extracted text. */
export const DOCUMENT_CONTENT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId/source',
    operationId: 'getDocumentSource',
    summary: 'Download the stored original, whole or a range',
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
      const source = await services.documents.source(caller, memoryId, documentId, range)
      if (source.content === null) throw unsatisfiable(source.bytes)
      return sourceAnswer(source)
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId/text',
    operationId: 'getDocumentText',
    summary: 'Read the extracted text, which all offsets count in',
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
]
