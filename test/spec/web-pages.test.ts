import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useSharedService } from './service.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()

const AS_BROWSER = { key: null, headers: { accept: 'text/html' } }

/** The paths of a page's resources. */
function loadedBy(page: string): string[] {
  return [...page.matchAll(/<(?:script|link|img)[^>]*?\s(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '')
}

test('the address of the service is the console for a browser, and everything that it loads comes from the service', async () => {
  verifies('beyond.console')
  const console = await service.get('/', AS_BROWSER)
  assert.equal(console.status, 200)
  assert.match(console.headers.get('content-type') ?? '', /^text\/html/)
  const policy = console.headers.get('content-security-policy') ?? ''
  assert.match(policy, /script-src 'self'/)
  assert.doesNotMatch(policy, /script-src[^;]*unsafe/)
  const loaded = loadedBy(console.text)
  assert.ok(loaded.some((path) => path.endsWith('.js')))
  for (const path of loaded) {
    assert.ok(path.startsWith('/'), path)
    assert.equal((await service.get(path, { key: null })).status, 200, path)
  }
})

test('the documentation is read without a key, from the quick start to the reference', async () => {
  verifies('beyond.docs')
  for (const path of ['/docs', '/docs/quick-start', '/docs/errors', '/docs/reference']) {
    const page = await service.get(path, AS_BROWSER)
    assert.equal(page.status, 200, path)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(page.text, /<h1/, path)
  }
  const reference = await service.get('/docs/reference', AS_BROWSER)
  assert.match(reference.text, /\/v1\/memories/)
})
