import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openapiDocument } from '../../../src/http/openapi-document.ts'
import { openDocsFiles } from '../../../src/web/docs/docs-files.ts'
import type { IndexedPage } from '../../../src/web/docs/search-index.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** What a reader waits for once, before the first hit. */
const MOST_BYTES = 180_000
const SHOWN = 12

type Place = { href: string; title: string; heading: string; excerpt: string[] }
type Finder = {
  openPlaces(pages: readonly IndexedPage[]): Place[]
  findPlaces(places: readonly Place[], query: string, limit: number): Place[]
}

/** What people look for, and the page that has it. */
const LOOKED_FOR: Readonly<Record<string, string>> = {
  'scanned pages': '/docs/guides/scanned-documents',
  'how do I back up': '/docs/backup',
  'rate limit': '/docs/configuration#who-may-use-it',
  RECOLLECT_PLAN: '/docs/configuration#who-may-use-it',
  storage_quota_exceeded: '/docs/errors#403',
  'find passages': '/docs/reference#find',
  'webhook signature': '/docs/guides/webhooks#verify-it',
  n8n: '/docs/guides/http-tools#in-n8n',
  'delete for good': '/docs/guides/deleting-for-good',
  grafana: '/docs/metrics',
  'shell completion': '/docs/command-line#recollect-completion',
  'what became of each page': '/docs/guides/scanned-documents#what-became-of-each-page',
}

describe('the search of the documentation', () => {
  let pages: IndexedPage[] = []
  let bytes = 0
  let finder: Finder
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
    // It is a script of the pages, without types.
    finder = (await import(join(ROOT, 'docs/site/find-places.js'))) as Finder
  })

  const find = (query: string) => finder.findPlaces(finder.openPlaces(pages), query, SHOWN)

  it('knows every page and every endpoint, and is small', () => {
    assert.ok(bytes < MOST_BYTES, `${bytes} bytes`)
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

  it('finds what people look for among the first', () => {
    for (const [query, href] of Object.entries(LOOKED_FOR)) {
      const found = find(query).map((place) => place.href)
      assert.ok(found.slice(0, 4).includes(href), `${query}: ${found.join(' ')}`)
    }
  })

  it('finds other forms of a word and its beginning, and says nothing where there is nothing', () => {
    assert.deepEqual(find('corrections')[0]?.href, find('correction')[0]?.href)
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
