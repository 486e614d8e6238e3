import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parse } from 'parse5'
import { openDocsFiles } from '../../../src/web/docs-files.ts'
import { type RunningServer, startServer } from './running-server.ts'

const ROOT = join(import.meta.dirname, '../../..')

type Node = { tagName?: string; attrs?: { name: string; value: string }[]; childNodes?: Node[] }

function elementsOf(node: Node): Node[] {
  return [...(node.tagName === undefined ? [] : [node]), ...(node.childNodes ?? []).flatMap(elementsOf)]
}

function attribute({ attrs = [] }: Node, name: string): string | null {
  return attrs.find((one) => one.name === name)?.value ?? null
}

async function startDocs(t: TestContext): Promise<RunningServer> {
  return startServer(t, { docs: openDocsFiles(ROOT) })
}

/** All documentation pages reachable by links, with their elements. */
async function readPages(server: RunningServer): Promise<Map<string, Node[]>> {
  const pages = new Map<string, Node[]>()
  const open = ['/docs']
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (pages.has(path)) continue
    const answer = await server.send('GET', path, { headers: { authorization: '' } })
    assert.equal(answer.status, 200, path)
    const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
    const elements = isPage ? elementsOf(parse(await answer.text()) as Node) : []
    pages.set(path, elements)
    open.push(...elements.flatMap((element) => localLink(element) ?? []))
  }
  return pages
}

/**
 * The documentation path of an element's link; `null` for other links, such as those to the
 * console.
 */
function localLink(element: Node): string | null {
  const address = attribute(element, 'href') ?? attribute(element, 'src')
  return address?.startsWith('/docs') ? (address.split('#')[0] ?? null) : null
}

test('every link of the documentation leads to a page, and every anchor to its place', async (t) => {
  const pages = await readPages(await startDocs(t))
  assert.ok(pages.size > 40, String(pages.size))
  for (const [path, elements] of pages) {
    for (const element of elements.filter(({ tagName }) => tagName === 'a')) {
      const [target = '', anchor] = (attribute(element, 'href') ?? '').split('#')
      if (anchor === undefined) continue
      const there = pages.get(target === '' ? path : target) ?? []
      assert.ok(
        there.some((one) => attribute(one, 'id') === anchor),
        `${path} leads to #${anchor} of ${target}`,
      )
    }
  }
})

test('the pages contain no inline script or style and load nothing from elsewhere', async (t) => {
  for (const [path, elements] of await readPages(await startDocs(t))) {
    for (const element of elements) {
      assert.ok(element.tagName !== 'style' && attribute(element, 'style') === null, path)
      if (element.tagName === 'script')
        assert.match(attribute(element, 'src') ?? '', /^\/docs\/site\/[a-z-]+\.js$/, path)
      const loaded = ['img', 'link', 'script'].includes(element.tagName ?? '')
      if (loaded) assert.match(attribute(element, 'src') ?? attribute(element, 'href') ?? '', /^\/[a-z]/, path)
    }
  }
})

test('a path that leads out of the documentation is not found', async (t) => {
  const server = await startDocs(t)
  for (const path of [
    '/docs/nowhere',
    '/docs/..%2Fpackage.json',
    '/docs/guides/..%2f..%2fREADME',
    '/docs/%00',
    '/docs/guides',
  ]) {
    assert.equal((await server.send('GET', path)).status, 404, path)
  }
})

test('a path that no page could have is not found either', async (t) => {
  const server = await startDocs(t)
  const long = 'a'.repeat(300)
  for (const path of ['constructor', 'toString', '__proto__', 'a.constructor', long, `${long}.css`, `guides/${long}`]) {
    assert.equal((await server.send('GET', `/docs/${path}`)).status, 404, path)
  }
})

test('every endpoint of the OpenAPI document has its place in the reference', async (t) => {
  const server = await startDocs(t)
  const page = await (await server.send('GET', '/docs/reference')).text()
  const document = (await (await server.send('GET', '/openapi.json')).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  for (const { operationId } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    assert.ok(page.includes(`id="${operationId}"`), operationId)
  }
})

test('the reference lists the errors of every endpoint with a key once, and others at their endpoint', async (t) => {
  const server = await startDocs(t)
  const page = await (await server.send('GET', '/docs/reference')).text()
  const partOf = (id: string) => page.split(` id="${id}"`)[1]?.split(/<(?:section|h2) /)[0] ?? ''
  const codesOf = (id: string) => new Set([...partOf(id).matchAll(/<code>(\w+)<\/code>: /g)].map(([, code]) => code))
  assert.ok(codesOf('common-errors').has('rate_limited'))
  const [open, find] = [codesOf('getHealth'), codesOf('find')]
  assert.deepEqual([open.has('internal_error'), find.has('internal_error')], [true, false])
  assert.deepEqual([open.has('memory_not_found'), find.has('memory_not_found')], [false, true])
})

test('every page marks itself in the navigation, and lists its sections', async (t) => {
  const pages = await readPages(await startDocs(t))
  const listed = [...(pages.get('/docs') ?? [])].flatMap((element) => localLink(element) ?? [])
  for (const [path, elements] of pages) {
    const links = elements.filter(({ tagName }) => tagName === 'a')
    const current = links
      .filter((link) => attribute(link, 'aria-current') === 'page')
      .map((link) => attribute(link, 'href'))
    const isPage = elements.length > 0 && listed.includes(path)
    if (isPage) assert.deepEqual(current, [path], path)
    const headings = elements.flatMap((element) =>
      ['h2', 'h3'].includes(element.tagName ?? '') ? (attribute(element, 'id') ?? []) : [],
    )
    if (headings.length < 2 || path === '/docs/reference') continue
    const contents = elements.find((element) => attribute(element, 'id') === 'on-this-page') ?? {}
    const targets = elementsOf(contents).flatMap((element) => attribute(element, 'href')?.slice(1) ?? [])
    assert.deepEqual(targets, headings, path)
  }
})

test('the reference has every endpoint in its navigation, and a sample beside it', async (t) => {
  const elements = (await readPages(await startDocs(t))).get('/docs/reference') ?? []
  const operations = elements.filter((element) => attribute(element, 'class') === 'operation')
  const links = elements.flatMap((element) => (element.tagName === 'a' ? (attribute(element, 'href') ?? []) : []))
  assert.ok(operations.length > 60)
  for (const operation of operations) {
    const id = attribute(operation, 'id') ?? ''
    assert.ok(links.includes(`#${id}`), id)
    const beside = elementsOf(operation).find((element) => attribute(element, 'class') === 'beside') ?? {}
    assert.ok(
      elementsOf(beside).some(({ tagName }) => tagName === 'pre'),
      id,
    )
  }
})

test('a page is the same for every caller: it has neither the key nor the host of the request', async (t) => {
  const server = await startDocs(t)
  for (const path of ['/docs', '/docs/reference']) {
    const key = 'rcl_a-key-that-no-page-has'
    const own = await (await server.send('GET', path, { headers: { authorization: `Bearer ${key}` } })).text()
    const plain = await (await server.send('GET', path, { headers: { authorization: '' } })).text()
    assert.equal(own, plain)
    assert.ok(!own.includes(key), path)
    assert.ok(!plain.includes(`127.0.0.1:${server.port}`), path)
    assert.match(plain, /<span data-fill="url">\$URL<\/span>/)
    assert.match(plain, /Bearer <span data-fill="key">\$KEY<\/span>/)
  }
})
