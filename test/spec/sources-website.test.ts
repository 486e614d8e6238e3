import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Source } from './shapes.ts'
import { assertRun, documentsByKey, endOfRun, makeSource, readSource, runAgain } from './source-steps.ts'
import { find, makeMemory, readText } from './steps.ts'
import { verifies } from './verifies.ts'
import { openWebServer, type Page } from './web-server.ts'

const closed = await openWebServer({ '/docs/': { body: 'A secret of the house.' } })
const pages: Record<string, Page> = {}
const web = await openWebServer(pages)
after(() => {
  web.close()
  closed.close()
})
const service = useService({ RECOLLECT_URL_ALLOW_PRIVATE: web.host })

const LONG = 'The museum has many halls with pictures, sculptures and coins from four centuries. '.repeat(4)
const MENU = '<nav><a href="./">Menu of the museum</a> <a href="/elsewhere/x.html">Elsewhere</a></nav>'

function page(text: string, head = ''): Page {
  const body = `<html><head><title>T</title>${head}</head><body>${MENU}<main><p>${LONG}</p>${text}</main></body></html>`
  return { headers: { 'content-type': 'text/html' }, body }
}

function withTag(tag: string, { body, headers }: Page): Page {
  return { body: body ?? '', headers: { ...headers, etag: `"${tag}"` } }
}

/** Replaces the pages below a folder. */
function publish(folder: string, next: Readonly<Record<string, Page>>): void {
  for (const path of Object.keys(pages)) if (path.startsWith(folder)) delete pages[path]
  for (const [path, one] of Object.entries(next)) pages[folder + path] = one
}

const website = (folder: string, more: object = {}) => ({
  type: 'website',
  website: { startUrls: [`${web.url}${folder}`], pauseMs: 0, ...more },
})

/** Paths of the documents of a memory below a folder. */
async function pathsOf(memory: string, folder: string): Promise<string[]> {
  const keys = [...(await documentsByKey(service, memory)).keys()]
  return keys.map((url) => url.replace(web.url + folder, '')).sort()
}

test('a website is read from start URLs and sitemap, below its prefix, by the rules for crawlers', async () => {
  verifies('sources.website', 'sources.website.rules', 'sources.website.content')
  publish('/rules/', {
    '': page('<a href="a.html#top">A</a> <a href="secret/s.html">S</a> <a href="no.html" rel="nofollow">N</a>'),
    'a.html': page('<p>Open at ten.</p> <a href="deep.html">D</a> <a href="same.html">B</a> <a href="hid.html">H</a>'),
    'deep.html': page('<a href="deeper.html">E</a>'),
    'deeper.html': page('Too deep.'),
    'same.html': page('The same.', '<link rel="canonical" href="a.html">'),
    'hid.html': page('<a href="behind.html">X</a>', '<meta name="robots" content="noindex, nofollow">'),
    'behind.html': page('Behind.'),
    'secret/s.html': page('Secret.'),
    'no.html': page('No.'),
    'only.txt': { headers: { 'content-type': 'text/plain' }, body: 'Only in the sitemap.' },
  })
  pages['/robots.txt'] = { body: 'User-agent: *\nDisallow: /rules/secret/\n' }
  const only = `${web.url}/rules/only.txt`
  pages['/sitemap.xml'] = { body: `<urlset><url><loc>${only}</loc></url><url><loc>${web.url}/out</loc></url></urlset>` }
  const memory = await makeMemory(service)
  const settings = { sitemapUrl: `${web.url}/sitemap.xml`, maxDepth: 2 }
  const id = await makeSource(service, memory, website('/rules/', settings))
  assertRun(await endOfRun(service, memory, id), 'completed', { added: 4 })
  assert.deepEqual(await pathsOf(memory, '/rules/'), ['', 'a.html', 'deep.html', 'only.txt'])
  const documents = await documentsByKey(service, memory)
  const document = documents.get(`${web.url}/rules/a.html`)
  assert.deepEqual([document?.sourceType, document?.url], ['url', `${web.url}/rules/a.html`])
  const text = await readText(service, memory, document?.id ?? '')
  assert.ok(text.includes('Open at ten.') && !text.includes('Menu of the museum'), text)
  const { hits } = await find(service, memory, 'When is it open?')
  assert.match(hits[0]?.text ?? '', /ten/)
  const limited = await makeSource(service, await makeMemory(service), website('/rules/', { maxPages: 1 }))
  assert.ok(limited)
})

test('maxPages limits the documents, and the report says so', async () => {
  verifies('sources.website')
  publish('/many/', {
    '': page('<a href="1.html">1</a><a href="2.html">2</a>'),
    '1.html': page('1'),
    '2.html': page('2'),
  })
  const memory = await makeMemory(service)
  const id = await makeSource(service, memory, website('/many/', { maxPages: 2 }))
  const source = await endOfRun(service, memory, id)
  assertRun(source, 'partial', { added: 2 })
  assert.match(source.lastRun?.reason ?? '', /maxPages/)
})

test('a website of pages without documents, which lead to ever further pages, ends', async () => {
  verifies('sources.website.endless')
  const name = (number: number) => `${number}.html`
  const head = (number: number) => `<link rel="canonical" href="${name(number + 1)}">`
  const chain = Array.from({ length: 1100 }, (_, number) => [name(number), page('', head(number))] as const)
  publish('/endless/', Object.fromEntries(chain))
  const memory = await makeMemory(service)
  const startUrls = [`${web.url}/endless/0.html`]
  const id = await makeSource(service, memory, website('/endless/', { startUrls, maxPages: 2 }))
  const source = await endOfRun(service, memory, id)
  assertRun(source, 'partial', {})
  assert.match(source.lastRun?.reason ?? '', /too many pages/)
  assert.equal(web.requests.filter(({ path }) => path.startsWith('/endless/')).length, 1000)
})

test('of an index of very many sitemaps, a hundred are read', async () => {
  verifies('sources.website.endless')
  publish('/index/', { '': page('Start.') })
  const places = Array.from({ length: 400_000 }, (_, number) => `<sitemap><loc>/s/${number}</loc></sitemap>`)
  pages['/index.xml'] = { body: `<sitemapindex>${places.join('')}</sitemapindex>` }
  for (let number = 0; number < 150; number += 1) pages[`/s/${number}`] = { body: '<urlset></urlset>' }
  const memory = await makeMemory(service)
  const settings = { sitemapUrl: `${web.url}/index.xml` }
  const id = await makeSource(service, memory, website('/index/', settings))
  assertRun(await endOfRun(service, memory, id), 'completed', { added: 1 })
  assert.equal(web.requests.filter(({ path }) => path.startsWith('/s/')).length, 99)
})

test('a hostile robots.txt does not stop the service', { timeout: 60_000 }, async () => {
  verifies('sources.website.rules')
  publish('/hostile/', { '': page('<a href="secret.html">S</a>'), 'secret.html': page('Secret.') })
  const others = Array.from({ length: 14_000 }, (_, number) => `User-agent:${number}\n`).join('')
  const own = 'user-AGENT: Recollect/1.0 # us\nDisallow: /hostile/secret\n'
  pages['/robots.txt'] = { body: `${others}${'Allow:/\n'.repeat(10_000)}User-agent: *\nDisallow: /\n\n${own}` }
  const memory = await makeMemory(service)
  const id = await makeSource(service, memory, website('/hostile/'))
  assertRun(await endOfRun(service, memory, id), 'completed', { added: 1 })
  const pattern = `Disallow: ${'*a'.repeat(1000)}b\n`
  pages['/robots.txt'] = { body: `User-agent: *\n${pattern.repeat(20)}` }
  const source = await runAgain(service, memory, id)
  delete pages['/robots.txt']
  assertRun(source, 'failed', { failed: 1 })
  assert.match(source.lastRun?.reason ?? '', /too many wildcards/)
})

test('an unchanged page is not read again, a changed one is replaced, and a page that is gone is removed', async () => {
  verifies('sources.website.unchanged', 'sources.website.gone')
  publish('/news/', {
    '': withTag('1', page('<a href="a.html">A</a><a href="b.html">B</a><a href="c.html">C</a><a href="d.html">D</a>')),
    'a.html': withTag('1', page('One.')),
    'b.html': page('Two.'),
    'c.html': page('Three.'),
    'd.html': withTag('1', page('Four.')),
  })
  const memory = await makeMemory(service)
  const id = await makeSource(service, memory, website('/news/'))
  assertRun(await endOfRun(service, memory, id), 'completed', { added: 5 })
  const before = await documentsByKey(service, memory)
  web.requests.length = 0
  assertRun(await runAgain(service, memory, id), 'completed', { unchanged: 5 })
  const asked = web.requests.filter(({ headers }) => headers['if-none-match'] === '"1"')
  assert.equal(asked.length, 3)
  pages['/news/a.html'] = withTag('2', page('One and a half. <a href="new.html">New</a>'))
  pages['/news/new.html'] = page('New.')
  delete pages['/news/b.html']
  pages['/news/c.html'] = { status: 500 }
  pages['/news/d.html'] = { status: 301, headers: { location: '/elsewhere/d.html' } }
  const later = await runAgain(service, memory, id)
  assertRun(later, 'partial', { added: 1, changed: 1, removed: 2, unchanged: 1, failed: 1 })
  assert.deepEqual(await pathsOf(memory, '/news/'), ['', 'a.html', 'c.html', 'new.html'])
  const now = await documentsByKey(service, memory)
  assert.equal(now.get(`${web.url}/news/`)?.id, before.get(`${web.url}/news/`)?.id)
})

test('a website that is down, or that answers 404 to everything, loses no document', async () => {
  verifies('sources.website.silent')
  publish('/down/', { '': page('<a href="a.html">A</a>'), 'a.html': page('One.') })
  const memory = await makeMemory(service)
  const id = await makeSource(service, memory, website('/down/'))
  await endOfRun(service, memory, id)
  for (const answer of [{ status: 503, headers: { 'retry-after': '0' } }, { status: 404 }]) {
    publish('/down/', { '': answer, 'a.html': answer })
    const source = await runAgain(service, memory, id)
    assert.deepEqual([source.lastRun?.outcome, source.lastRun?.removed, source.documentCount], ['failed', 0, 2])
    assert.match(source.lastRun?.reason ?? '', /kept/)
  }
  pages['/robots.txt'] = { status: 500 }
  publish('/down/', { '': page('<a href="a.html">A</a>'), 'a.html': page('One.') })
  assertRun(await runAgain(service, memory, id), 'failed', { failed: 2 })
  delete pages['/robots.txt']
  assertRun(await runAgain(service, memory, id), 'completed', { unchanged: 2 })
})

test('addresses that are not public are refused, also behind a redirect', async () => {
  verifies('sources.website.guard')
  const memory = await makeMemory(service)
  const path = `/v1/memories/${memory}/sources`
  for (const url of [`${closed.url}/docs/`, 'http://169.254.169.254/', 'http://[::1]/', 'http://127.0.0.1:1/'])
    assertError(await service.post(path, { type: 'website', website: { startUrls: [url] } }), 422, 'url_not_allowed')
  const odd = { type: 'website', website: { startUrls: ['file:///etc/passwd'] } }
  assertError(await service.post(path, odd), 422, 'url_not_allowed')
  publish('/trap/', { '': { status: 302, headers: { location: `${closed.url}/docs/` } } })
  const source = await endOfRun(service, memory, await makeSource(service, memory, website('/trap/')))
  assertRun(source, 'failed', { failed: 1 })
  assert.match(source.lastRun?.problems[0]?.reason ?? '', /not allowed/)
  assert.equal(closed.requests.length, 0)
})

test('a run that kill -9 ended is repeated after the start, and ends', async () => {
  verifies('sources.killed')
  const names = Array.from({ length: 12 }, (_, index) => `${index}.html`)
  const links = names.map((name) => `<a href="${name}">${name}</a>`).join(' ')
  const numbered = names.map((name) => [name, withTag(name, page(`Room ${name}.`))] as const)
  publish('/kill/', { '': withTag('0', page(links)), ...Object.fromEntries(numbered) })
  const memory = await makeMemory(service)
  const id = await makeSource(service, memory, website('/kill/', { pauseMs: 100 }))
  while ((await documentsByKey(service, memory)).size < 4) await pause(20)
  await service.crash()
  const read = [...(await documentsByKey(service, memory)).values()].map((document) => document.id)
  const source = await endOfRun(service, memory, id)
  assert.equal(source.lastRun?.outcome, 'completed', JSON.stringify(source.lastRun))
  const documents = await documentsByKey(service, memory)
  assert.equal(documents.size, 13)
  const kept = [...documents.values()].filter((document) => read.includes(document.id)).length
  // The document of the killed step may be added again.
  assert.ok(kept >= read.length - 1, `${kept} of ${read.length} documents were kept`)
  const list = await service.get<{ total: number }>(`/v1/memories/${memory}/documents`)
  assert.equal(list.json.total, 13)
})

test('a deleted memory ends the run of its source, and a paused run stops', async () => {
  verifies('sources.memory', 'sources.pause')
  publish('/slow/', { '': page('<a href="a.html">A</a>'), 'a.html': page('One.') })
  const [memory, other] = [await makeMemory(service), await makeMemory(service)]
  const slow = website('/slow/', { pauseMs: 60_000 })
  const id = await makeSource(service, other, slow)
  await makeSource(service, memory, slow)
  while ((await readSource(service, other, id)).status !== 'running') await pause(50)
  const again = await service.post<Source>(`/v1/memories/${other}/sources/${id}/run`, {})
  assert.deepEqual([again.status, again.json.status], [202, 'running'])
  assertStatus(await service.delete(`/v1/memories/${memory}`), 204)
  assertStatus(await service.post(`/v1/memories/${other}/sources/${id}/pause`, {}), 200)
  const until = Date.now() + 20_000
  for (;;) {
    const { status, lastRun } = await readSource(service, other, id)
    assert.equal(status, 'paused')
    if (lastRun?.outcome === 'stopped') break
    assert.ok(Date.now() < until, 'the run goes on')
    await pause(100)
  }
  assertStatus(await service.delete(`/v1/memories/${other}/sources/${id}`), 204)
})
