import { Type } from 'typebox'
import { invalid } from '../../../errors.ts'
import { respond } from '../../answers/answers.ts'
import { namesEtag } from '../../answers/names-etag.ts'
import { defineRoute, type Route } from '../../route.ts'
import { pathParameter } from '../path-parameter.ts'

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

/** Contract, "A page as a picture". */
export const PAGE_PICTURE_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId/pages/:page.png',
    operationId: 'getDocumentPage',
    summary: 'See a page of a stored PDF or picture, with a passage marked',
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
