import { webAnswer } from '../../answers/web-answer.ts'
import { definePublicRoute, type Route } from '../../route.ts'

const DESCRIPTION = {
  method: 'GET',
  summary: 'A page of the documentation',
  tag: 'Service',
  isPage: true,
  answers: { 200: { description: 'The page.', contentType: 'text/html' } },
  errors: [],
} as const

/** The documentation, as pages to read in a browser. */
export const DOCS_ROUTES: readonly Route[] = ['/docs', '/docs/:page', '/docs/:folder/:page'].map((url, depth) =>
  definePublicRoute({
    ...DESCRIPTION,
    url,
    operationId: `getDocsPage${depth}`,
    handle: async ({ docs, about, params }) => {
      const path = [params['folder'], params['page']].filter((name) => name !== undefined).join('/')
      return webAnswer(await docs.get(path, about.document))
    },
  }),
)
