import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openapiDocument } from '../../../src/http/openapi-document.ts'
import type { IndexedPage } from '../../../src/web/docs-files.ts'
import { openDocsFiles } from '../../../src/web/docs-files.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** The index is downloaded once, before the first search. */
const MAX_BYTES = 232_000
const SHOWN = 12

type Place = { href: string; title: string; heading: string; excerpt: string[] }
type Finder = {
  openPlaces(pages: readonly IndexedPage[]): Place[]
  findPlaces(places: readonly Place[], query: string, limit: number): Place[]
}

/** Typical queries with the page that answers each; the first result must be on this page. */
const EXPECTED_PAGES: Readonly<Record<string, string>> = {
  install: '/docs/installation',
  'system requirements': '/docs/installation',
  macos: '/docs/installation',
  docker: '/docs/docker',
  'docker compose': '/docs/docker',
  kubernetes: '/docs/docker',
  'getting started': '/docs',
  'python example': '/docs/guides/python-client',
  langchain: '/docs/guides/python-client',
  'typescript client': '/docs/guides/typescript-client',
  'supported file types': '/docs/supported-files',
  pdf: '/docs/supported-files',
  'file size limit': '/docs/supported-files',
  'unsupported file type': '/docs/supported-files',
  ocr: '/docs/guides/scanned-documents',
  'scanned pdf': '/docs/guides/scanned-documents',
  'environment variables': '/docs/configuration',
  'change the port': '/docs/configuration',
  'rate limit': '/docs/limits',
  'api keys': '/docs/guides/security',
  'delete permanently': '/docs/guides/permanent-deletion',
  gdpr: '/docs/guides/permanent-deletion',
  'backup and restore': '/docs/backup',
  'restore a backup': '/docs/backup',
  'how do I back up': '/docs/backup',
  'export a memory': '/docs/guides/export-and-import',
  'migrate to another server': '/docs/guides/export-and-import',
  systemd: '/docs/production',
  nginx: '/docs/production',
  https: '/docs/production',
  upgrade: '/docs/production',
  'memory usage': '/docs/guides/usage',
  'usage of last month': '/docs/guides/usage',
  postgresql: '/docs/scaling',
  s3: '/docs/scaling',
  'multiple instances': '/docs/scaling',
  'high availability': '/docs/scaling',
  prometheus: '/docs/metrics',
  grafana: '/docs/metrics',
  monitoring: '/docs/metrics',
  opentelemetry: '/docs/metrics',
  'crawl a website': '/docs/guides/sources',
  'follow a bucket': '/docs/guides/sources',
  'sync a folder': '/docs/guides/sources',
  'webhook signature': '/docs/guides/webhooks',
  'job notifications': '/docs/guides/webhooks',
  mcp: '/docs/mcp',
  'claude desktop': '/docs/mcp',
  OPENAI_API_KEY: '/docs/models',
  'openai client': '/docs/guides/openai',
  ollama: '/docs/models',
  'local llm': '/docs/models',
  'change embedding model': '/docs/guides/re-embedding',
  'highlight citations': '/docs/guides/citations',
  'source offsets': '/docs/guides/citations',
  'correct a wrong answer': '/docs/guides/corrections',
  'structured data extraction': '/docs/guides/extraction',
  'json schema': '/docs/guides/extraction',
  'measure search quality': '/docs/guides/evaluation',
  'why is this result ranked first': '/docs/guides/explanations',
  'corrupted data': '/docs/guides/integrity-checks',
  ssrf: '/docs/guides/security',
  'encryption at rest': '/docs/guides/security',
  'error codes': '/docs/errors',
  storage_quota_exceeded: '/docs/errors',
  'idempotency key': '/docs/errors',
  'list endpoints': '/docs/reference',
  'api endpoints': '/docs/reference',
  RECOLLECT_PLAN: '/docs/configuration',
  'shell completion': '/docs/command-line',
  'command line': '/docs/command-line',
  n8n: '/docs/guides/http-tools',
  license: '/docs/licences',
  performance: '/docs/benchmarks',
}

describe('the search of the documentation', () => {
  let pages: IndexedPage[] = []
  let bytes = 0
  let finder: Finder
  let places: Place[] = []
  const files = openDocsFiles(ROOT)
  const document = openapiDocument({ version: '1.2.3' })
  const read = async (path: string) => {
    const file = await files.get(path, document)
    assert.ok(file !== null, path)
    return file.content
  }

  before(async () => {
    const index = await read('site/search-index.gz')
    bytes = index.length
    pages = JSON.parse(gunzipSync(index).toString()) as IndexedPage[]
    // A script of the pages, without types.
    finder = (await import(join(ROOT, 'docs/site/find-places.js'))) as Finder
    places = finder.openPlaces(pages)
  })

  const find = (query: string) => finder.findPlaces(places, query, SHOWN)

  it('knows every page and every endpoint, and is small', () => {
    assert.ok(bytes < MAX_BYTES, `${bytes} bytes`)
    assert.ok(pages.length > 60, `${pages.length} pages`)
    const reference = pages.find(({ href }) => href === '/docs/reference')
    assert.ok((reference?.sections.length ?? 0) > 40)
  })

  it('leads to headings that are there', async () => {
    for (const { href, sections } of pages) {
      const html = (await read(href.replace(/^\/docs\/?/, ''))).toString()
      for (const [id] of sections) assert.ok(id === '' || html.includes(` id="${id}"`), `${href}#${id}`)
    }
  })

  it('finds the page that answers a query first', () => {
    const wrong = Object.entries(EXPECTED_PAGES).flatMap(([query, page]) => {
      const found = find(query).map(({ href }) => href)
      return found[0]?.split('#')[0] === page ? [] : [`${query}: ${found.slice(0, 4).join(' ')}, not ${page}`]
    })
    assert.deepEqual(wrong, [])
  })

  it('finds other forms of a word and its beginning, and nothing for unknown words', () => {
    const pageOf = (query: string) => find(query)[0]?.href.split('#')[0]
    assert.equal(pageOf('corrections'), pageOf('correction'))
    assert.ok(find('graf').some(({ href }) => href === '/docs/metrics'))
    for (const nothing of ['', '  ', '"', 'xylophonists', '(?:)+$[']) assert.deepEqual(find(nothing), [], nothing)
  })

  it('shows a piece of the text, every second part of which is a match', () => {
    const [first] = find('storage_quota_exceeded')
    assert.deepEqual(
      first?.excerpt.filter((_, index) => index % 2 === 1),
      ['storage_quota_exceeded'],
    )
    for (const { excerpt } of find('memory')) assert.ok(excerpt.join('').length < 250)
  })
})
