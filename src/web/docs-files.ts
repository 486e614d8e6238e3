import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ConsoleFile } from './console-files.ts'
import { listFields, type Media, readOperations } from './list-fields.ts'
import { DECISIONS_PATH, NAVIGATION, pageUrl, REFERENCE_PATH, START_PATH } from './navigation.ts'
import { framePage } from './page-frame.ts'
import type { Section } from './render-markdown.ts'
import { renderReference } from './render-reference.ts'

/** Pages and files of the documentation. */
export type DocsFiles = {
  /**
   * Returns the file at `/docs/<path>`: a page rendered from Markdown, or an image, style sheet or
   * script. `document` is the OpenAPI document for the API reference. Returns `null` if the file
   * does not exist.
   */
  get(path: string, document: object): Promise<ConsoleFile | null>
}

/** Pages outside of the folder `docs`, by path. */
const PAGES_OUTSIDE_DOCS: ReadonlyMap<string, string> = new Map([
  ['architecture', 'ARCHITECTURE.md'],
  ['changelog', 'CHANGELOG.md'],
])

/**
 * Search index. An installed package contains the file next to this module; a checkout builds it on
 * the first request.
 */
export const SEARCH_INDEX = 'search-index.gz'

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
}

/** One or two plain path segments, so that a path cannot leave the folder. */
const PATH = /^[A-Za-z0-9][\w-]*(\/[A-Za-z0-9][\w-]*)?(\.[a-z]+)?$/

/** Error codes of a path without a file; the last one is for impossible names. */
const MISSING_FILE_CODES: ReadonlySet<unknown> = new Set(['ENOENT', 'EISDIR', 'ENAMETOOLONG'])

/**
 * Opens the documentation of a checkout or installed package at `root`. Pages are rendered on
 * demand and cached.
 */
export function openDocsFiles(root: string): DocsFiles {
  const kept = new Map<string, Promise<ConsoleFile | null>>()
  return {
    get(path, document) {
      const name = path === '' ? START_PATH : path
      if (!PATH.test(name)) return Promise.resolve(null)
      const file = kept.get(name) ?? makeFile(root, name, document)
      kept.set(name, file)
      void file.then(
        (made) => made === null && kept.delete(name),
        () => kept.delete(name),
      )
      return file
    },
  }
}

async function makeFile(root: string, path: string, document: object): Promise<ConsoleFile | null> {
  if (path === REFERENCE_PATH)
    return toPage(framePage({ path, title: 'API reference', headings: [], ...renderReference(document) }))
  if (path === `site/${SEARCH_INDEX}`) {
    const content = (await readIfExists(join(import.meta.dirname, SEARCH_INDEX))) ?? (await indexPages(root, document))
    return { content, mimeType: 'application/gzip' }
  }
  const extension = /\.([a-z]+)$/.exec(path)?.[1]
  if (extension === undefined) return makePage(root, path)
  const mimeType = TYPES[extension]
  const content = mimeType === undefined ? null : await readIfExists(join(root, 'docs', path))
  return content === null || mimeType === undefined ? null : { content, mimeType }
}

async function makePage(root: string, path: string): Promise<ConsoleFile | null> {
  const source = sourceOf(path)
  const file = await readIfExists(join(root, source))
  if (file === null) return null
  const list = path === DECISIONS_PATH ? await listDecisions(root) : ''
  // Loaded with the first page, because most services never render one.
  const { renderMarkdown } = await import('./render-markdown.ts')
  return toPage(framePage({ path, ...renderMarkdown(`${file.toString('utf8')}${list}`, source) }))
}

/** Builds the search index of all documentation pages in `root`. */
export async function indexPages(root: string, document: object): Promise<Buffer> {
  const listed = NAVIGATION.flatMap(([, pages]) => pages.map(([path]) => path))
  const decisions = (await listDecisionFiles(root)).map((name) => `decisions/${name.replace('.md', '')}`)
  const paths = [...listed.filter((path) => path !== REFERENCE_PATH), ...decisions]
  const sources = paths.map((path): PageSource => ({ href: pageUrl(path), file: join(root, sourceOf(path)) }))
  return makeSearchIndex(sources, document)
}

/** Renders the list of decisions as links, because their folder has no page. */
async function listDecisions(root: string): Promise<string> {
  const names = await listDecisionFiles(root)
  const titles = await Promise.all(
    names.map(async (name) => /^# (.+)$/m.exec(await readFile(join(root, 'docs/decisions', name), 'utf8'))),
  )
  return names.map((name, index) => `\n- [${titles[index]?.[1] ?? name}](${name})`).join('')
}

async function listDecisionFiles(root: string): Promise<string[]> {
  return (await readdir(join(root, 'docs/decisions'))).filter((name) => /^\d.*\.md$/.test(name)).sort()
}

function sourceOf(path: string): string {
  return PAGES_OUTSIDE_DOCS.get(path) ?? `docs/${path}.md`
}

function toPage(html: string): ConsoleFile {
  return { content: Buffer.from(html), mimeType: 'text/html; charset=utf-8' }
}

async function readIfExists(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && MISSING_FILE_CODES.has(error.code)) return null
    throw error
  }
}

/** Page with its sections as `[id, heading, text]`; `href` is its URL. */
export type IndexedPage = { href: string; title: string; sections: [id: string, heading: string, text: string][] }

/** Markdown page: URL and file. */
type PageSource = { href: string; file: string }

/** Builds the index of the pages and of the API reference. Rejects if a file cannot be read. */
async function makeSearchIndex(sources: readonly PageSource[], document: object): Promise<Buffer> {
  const { readSections } = await import('./render-markdown.ts')
  const pages: IndexedPage[] = []
  for (const { href, file } of sources) pages.push(toIndexedPage(href, readSections(await readFile(file, 'utf8'))))
  pages.push(toIndexedPage(`/docs/${REFERENCE_PATH}`, listEndpoints(document)))
  return promisify(gzip)(JSON.stringify(pages), { level: 9 })
}

/** Uses the first heading as the title. */
function toIndexedPage(href: string, sections: readonly Section[]): IndexedPage {
  const [first] = sections
  return {
    href,
    title: first?.heading ?? href,
    sections: sections.map(({ id, heading, text }) => [id, heading, text.replace(/\s+/g, ' ')]),
  }
}

/** Lists the endpoints with the names and descriptions of their fields. */
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
