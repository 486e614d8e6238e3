import { PageTotalsSchema } from '../../../api/document.ts'
import { ok } from '../../answers/answers.ts'
import { defineRoute, type Route } from '../../route.ts'
import { pathParameter } from '../path-parameter.ts'

/** Beyond the API document: the receipts of all documents of a memory, summed up. */
export const PAGE_TOTALS_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/pages',
    operationId: 'countPages',
    summary: 'Count what became of the pages of all documents, and name those of which most failed',
    tag: 'Documents',
    access: 'memory',
    answers: { 200: { description: 'The sums, corrections left out.', schema: PageTotalsSchema } },
    errors: ['memory_not_found'],
    handle: async ({ services, caller, params, signal }) =>
      ok(await services.documents.countPages(caller, pathParameter(params, 'id'), signal)),
  }),
]
