/**
 * What the search of the documentation looks through, in the reader's browser: every page by its headings. It is fetched when somebody
 * searches; the service itself searches nothing. JSON in gzip, which browsers unpack, a third of its size.
 */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { listFields, type Media, readOperations } from './list-fields.ts'
import { REFERENCE_PATH } from './navigation.ts'
import type { Section } from './render-markdown.ts'

/** A page with its sections, each as `[id, heading, text]`; `href` is its address. */
export type IndexedPage = { href: string; title: string; sections: [id: string, heading: string, text: string][] }

/** A page of Markdown: its address and its file. */
export type PageSource = { href: string; file: string }

/** The index of the pages and of the endpoints of the OpenAPI document. Rejects where a file cannot be read. */
export async function makeSearchIndex(sources: readonly PageSource[], document: object): Promise<Buffer> {
  const { readSections } = await import('./render-markdown.ts')
  const pages: IndexedPage[] = []
  for (const { href, file } of sources) pages.push(toPage(href, readSections(await readFile(file, 'utf8'))))
  pages.push(toPage(`/docs/${REFERENCE_PATH}`, listEndpoints(document)))
  return promisify(gzip)(JSON.stringify(pages), { level: 9 })
}

/** The first heading is the page's title. */
function toPage(href: string, sections: readonly Section[]): IndexedPage {
  const [first] = sections
  return {
    href,
    title: first?.heading ?? href,
    sections: sections.map(({ id, heading, text }) => [id, heading, text.replace(/\s+/g, ' ')]),
  }
}

/** Each endpoint with the names and meanings of its fields. */
function listEndpoints(document: object): Section[] {
  const { operations, schemas } = readOperations(document)
  const endpoints = operations.map(({ operationId, method, path, summary, parameters = [], ...operation }) => {
    const answers = Object.entries(operation.responses).filter(([status]) => Number(status) < 400)
    const media: Media[] = [
      operation.requestBody?.content ?? {},
      ...answers.map(([, { content = {} }]) => content),
    ].flatMap((content) => Object.values(content))
    const fields = media.flatMap(({ schema }) => (schema === undefined ? [] : listFields(schema, schemas)))
    const named = [...parameters, ...fields].map(({ name, description = '' }) => `${name} ${description}`)
    return { id: operationId, heading: `${method} ${path}`, text: `${summary}. ${[...new Set(named)].join('\n')}` }
  })
  return [
    {
      id: '',
      heading: 'API reference (endpoints)',
      text: 'All endpoints with their parameters, request bodies and responses.',
    },
    ...endpoints,
  ]
}
