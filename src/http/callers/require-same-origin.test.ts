import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { requireSameOrigin } from './require-same-origin.ts'

function isLetIn(headers: IncomingHttpHeaders, hasKey = true, method = 'POST'): boolean {
  try {
    requireSameOrigin({ method, headers }, { hasKey })
    return true
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'origin_forbidden')
    return false
  }
}

test('requests without Origin and from the same origin pass', () => {
  assert.ok(isLetIn({ host: 'memory.example.com' }))
  assert.ok(isLetIn({ host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }))
  assert.ok(isLetIn({ host: 'memory.example.com', origin: 'https://memory.example.com' }))
  assert.ok(isLetIn({ host: 'memory.example.com:443', origin: 'https://memory.example.com' }))
})

test('a page of another origin is rejected', () => {
  for (const origin of ['https://evil.example', 'http://127.0.0.1:9090', 'null', '', 'file://', 'http://127.0.0.1']) {
    assert.equal(isLetIn({ host: '127.0.0.1:8080', origin }), false, origin)
  }
})

test('without authentication, Host must be a loopback name, whatever Origin says', () => {
  for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) assert.ok(isLetIn({ host }, false), host)
  for (const host of ['evil.example:8080', '127.0.0.1.evil.example', 'localhost.evil.example', '']) {
    assert.equal(isLetIn({ host, origin: `http://${host}` }, false), false, host)
  }
})

const host = '127.0.0.1:8080'

test('without authentication, requests of other sites without Origin are rejected, for every method', () => {
  const foreign: Record<string, IncomingHttpHeaders> = {
    'an image or a link of another site': { 'sec-fetch-site': 'cross-site' },
    'a page of another port of this machine': { 'sec-fetch-site': 'same-site' },
    'a site that is told in a word nobody knows': { 'sec-fetch-site': 'elsewhere' },
    'an old browser that tells its page': { referer: 'https://evil.example/page' },
    'a page of this name at another port': { referer: 'http://127.0.0.1:9090/' },
    'a page that is no URL': { referer: 'about:blank' },
  }
  for (const [what, headers] of Object.entries(foreign)) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      assert.equal(isLetIn({ host, ...headers }, false, method), false, `${method}: ${what}`)
    }
    assert.ok(isLetIn({ host: 'memory.example.com', ...headers }), `with a key: ${what}`)
  }
})

test('without authentication, a form of an old browser is rejected', () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  assert.equal(isLetIn({ host, accept }, false), false)
  assert.ok(isLetIn({ host, accept }, false, 'GET'))
})

/** Default headers of Java's HttpURLConnection. */
const JAVA_ACCEPT = 'text/html, image/gif, image/jpeg, */*; q=0.2'

test('without authentication, programs and the console pass', () => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    assert.ok(isLetIn({ host, accept: '*/*', 'user-agent': 'curl/8.5.0' }, false, method))
    assert.ok(isLetIn({ host, accept: 'application/json, text/plain, */*' }, false, method))
    assert.ok(isLetIn({ host, accept: JAVA_ACCEPT, 'user-agent': 'Java/21.0.5' }, false, method))
    assert.ok(isLetIn({ host, 'sec-fetch-site': 'same-origin', referer: `http://${host}/` }, false, method))
    assert.ok(isLetIn({ host, 'sec-fetch-site': 'same-origin', origin: `http://${host}` }, false, method))
    assert.ok(isLetIn({ host, referer: `http://${host}/console` }, false, method))
  }
  assert.ok(isLetIn({ host, 'sec-fetch-site': 'none', accept: 'text/html' }, false, 'GET'))
})
