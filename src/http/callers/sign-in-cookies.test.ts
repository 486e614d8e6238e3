import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCookie, writeCookie } from './sign-in-cookies.ts'

const HTTPS = 'https://recollect.example.com'

test('with https a cookie is sent over TLS only, and no other host of the domain can set it', () => {
  assert.equal(
    writeCookie('session', { value: 'x.y.z', maxAgeSeconds: 60 }, HTTPS),
    '__Host-recollect-session=x.y.z; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure',
  )
  assert.equal(readCookie('session', { cookie: 'recollect-session=planted' }, HTTPS), null)
  assert.equal(readCookie('session', { cookie: 'a=b; __Host-recollect-session=x.y.z;c=d' }, HTTPS), 'x.y.z')
})

test('an empty or absent cookie is none', () => {
  for (const cookie of ['', 'recollect-session=', 'recollect-session', 'xrecollect-session=1'])
    assert.equal(readCookie('session', { cookie }, 'http://127.0.0.1:8080'), null)
  assert.equal(readCookie('session', {}, HTTPS), null)
})
