import assert from 'node:assert/strict'
import { createHmac, hkdfSync } from 'node:crypto'
import test, { after, before } from 'node:test'
import { CLIENT, findFreePort, openCookieJar, startProvider, type TestProvider } from './identity-provider.ts'
import { spawnProduct } from './product.ts'
import { createService, type Service } from './service.ts'
import { verifies } from './verifies.ts'

const SECRETS_KEY = 'a key of the installation for tests'
const SESSION = 'recollect-session'
const TRANSACTION = 'recollect-sign-in'

const open = { origin: '', provider: null as TestProvider | null, service: null as Service | null, providerPort: 0 }

function settings(port: number): Record<string, string> {
  return {
    RECOLLECT_PORT: String(port),
    RECOLLECT_PUBLIC_URL: `http://127.0.0.1:${port}`,
    RECOLLECT_SECRETS_KEY: SECRETS_KEY,
    RECOLLECT_OIDC_ISSUER: `http://127.0.0.1:${open.providerPort}`,
    RECOLLECT_OIDC_CLIENT_ID: CLIENT.id,
    RECOLLECT_OIDC_CLIENT_SECRET: CLIENT.secret,
  }
}

before(async () => {
  const port = await findFreePort()
  open.providerPort = await findFreePort()
  open.origin = `http://127.0.0.1:${port}`
  // The service starts first: the provider is down.
  open.service = createService(settings(port))
  await open.service.start()
  const jar = openCookieJar()
  const down = await jar.request(`${open.origin}/auth/sign-in`)
  assert.equal(down.status, 503)
  assert.match(await down.text(), /sign-in provider does not respond.*API key/s)
  open.provider = await startProvider(open.origin, open.providerPort)
})

after(async () => {
  await open.provider?.stop()
  await open.service?.dispose()
  const log = open.service?.output() ?? ''
  for (const secret of [CLIENT.secret, SECRETS_KEY, 'eyJ']) assert.ok(!log.includes(secret), 'the log has a secret')
})

const json = { accept: 'application/json' }
const asConsole = () => ({ ...json, origin: open.origin, 'content-type': 'application/json' })

function post(jar: ReturnType<typeof openCookieJar>, path: string, headers = asConsole()): Promise<Response> {
  return jar.request(open.origin + path, { method: 'POST', headers, body: '{"name":"Signed in"}' })
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code
}

test('a person signs in at the provider, and the session has the role of the claim', async () => {
  verifies('sign-in.flow', 'sign-in.roles', 'sign-in.advertised')
  const welcome = (await (await fetch(open.origin)).json()) as { links: Record<string, string> }
  assert.equal(welcome.links['signIn'], `${open.origin}/auth/sign-in`)
  const allowed = { ada: [201, 200], will: [201, 403], rita: [403, 403] }
  for (const [login, statuses] of Object.entries(allowed)) {
    const jar = openCookieJar()
    const done = await jar.signIn(open.origin, login)
    assert.deepEqual([done.status, done.headers.get('location')], [303, `${open.origin}/`])
    const account = await jar.request(`${open.origin}/v1/account`, { headers: json })
    const { apiKey } = (await account.json()) as { apiKey: Record<string, unknown> }
    assert.match(String(apiKey['id']), /^usr_[0-9a-z]{26}$/)
    assert.equal(apiKey['name'], `${login} <b>Tester</b>`)
    const keys = await jar.request(`${open.origin}/v1/keys`, { headers: json })
    assert.deepEqual([(await post(jar, '/v1/memories')).status, keys.status], statuses, login)
  }
})

test('the cookies are unreadable for scripts, stay on the site, and hold no token of the provider', async () => {
  verifies('sign-in.cookies')
  const jar = openCookieJar()
  const begun = await jar.request(`${open.origin}/auth/sign-in`)
  const location = new URL(begun.headers.get('location') ?? '')
  assert.equal(location.searchParams.get('code_challenge_method'), 'S256')
  for (const name of ['state', 'nonce', 'code_challenge'])
    assert.ok((location.searchParams.get(name) ?? '').length > 20)
  const done = await jar.signIn(open.origin, 'ada')
  for (const line of [...begun.headers.getSetCookie(), ...done.headers.getSetCookie()])
    assert.match(line, /^recollect-(session|sign-in)=[^;]*; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
  const [, payload = ''] = (jar.cookies(open.origin).get(SESSION) ?? '').split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  assert.deepEqual(Object.keys(claims).sort(), ['exp', 'name', 'role', 'sub'])
  assert.ok(!jar.cookies(open.origin).has(TRANSACTION))
})

test('a person without a role is refused with a page that says so', async () => {
  verifies('sign-in.no-role')
  const jar = openCookieJar()
  const refused = await jar.signIn(open.origin, 'nora')
  assert.equal(refused.status, 403)
  assert.match(await refused.text(), /Your account may not use this service.*administrator/s)
  assert.match(refused.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.ok(!jar.cookies(open.origin).has(SESSION))
})

test('another state, a response without its cookie and a replayed code are refused', async () => {
  verifies('sign-in.response')
  const jar = openCookieJar()
  const callback = await jar.reachCallback(open.origin, 'ada')
  const wrong = await jar.request(callback.replace(/state=[^&]+/, 'state=another'))
  const elsewhere = await openCookieJar().request(callback)
  for (const response of [wrong, elsewhere]) {
    assert.equal(response.status, 400)
    assert.match(await response.text(), /no longer valid/)
  }
  const transaction = jar.cookies(open.origin).get(TRANSACTION) ?? ''
  assert.equal((await jar.request(callback)).status, 303)
  jar.cookies(open.origin).clear()
  jar.cookies(open.origin).set(TRANSACTION, transaction)
  const replayed = await jar.request(callback)
  assert.equal(replayed.status, 400)
  assert.match(await replayed.text(), /provider did not sign you in/)
  assert.ok(!jar.cookies(open.origin).has(SESSION))
  const cancelled = await openCookieJar().request(`${open.origin}/auth/callback?error=access_denied`)
  assert.equal(cancelled.status, 400)
})

test('a changed, expired or foreign session is refused', async () => {
  verifies('sign-in.session')
  const jar = openCookieJar()
  await jar.signIn(open.origin, 'rita')
  const cookies = jar.cookies(open.origin)
  const session = cookies.get(SESSION) ?? ''
  const [header = '', payload = '', signature = ''] = session.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string; exp: number }
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  assert.equal(`${header}.${payload}.${signature}`, session)
  const now = Math.floor(Date.now() / 1000)
  const none = encode({ alg: 'none', typ: 'session' })
  const organizationId = await readOrganizationId()
  const sign = (given: object, key = SECRETS_KEY, typ = 'session') =>
    signToken(`${encode({ alg: 'HS256', typ })}.${encode(given)}`, key, organizationId)
  const refused = {
    tampered: `${header}.${encode({ ...claims, role: 'admin' })}.${signature}`,
    unsigned: `${none}.${encode({ ...claims, role: 'admin' })}.`,
    expired: sign({ ...claims, exp: now - 1 }),
    endless: sign({ sub: claims.sub, name: 'x', role: 'admin' }),
    'of another installation': sign({ ...claims, exp: now + 60 }, 'another key of an installation'),
    'of another kind': sign({ ...claims, exp: now + 60 }, SECRETS_KEY, 'transaction'),
    'of an unknown role': sign({ ...claims, exp: now + 60, role: 'owner' }),
    'no token': 'x',
  }
  const read = async (value: string) => {
    cookies.set(SESSION, value)
    return jar.request(`${open.origin}/v1/memories`, { headers: json })
  }
  for (const [name, value] of Object.entries(refused)) {
    const response = await read(value)
    assert.deepEqual([response.status, await codeOf(response)], [401, 'invalid_api_key'], name)
  }
  // The same token without a fault is accepted: the tests above refuse for the fault alone.
  assert.equal((await read(sign({ ...claims, exp: now + 60 }))).status, 200)
})

/** Signs as the service does: the key is derived from the key of the installation. */
function signToken(content: string, secret: string, organizationId: string): string {
  const issuer = open.provider?.issuer ?? ''
  const info = JSON.stringify(['recollect sign-in', open.origin, issuer, CLIENT.id, organizationId])
  const key = Buffer.from(hkdfSync('sha256', secret, '', info, 32))
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
}

async function readOrganizationId(): Promise<string> {
  const account = await open.service?.get<{ organization: { id: string } }>('/v1/account')
  return account?.json.organization.id ?? ''
}

test('a session is used by pages of the console alone, and only for the API', async () => {
  verifies('sign-in.own-page')
  const jar = openCookieJar()
  await jar.signIn(open.origin, 'ada')
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: open.origin.replace('127.0.0.1', 'localhost') },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    {},
  ]
  for (const headers of foreign) {
    const all = { ...json, 'content-type': 'application/json', ...headers }
    const response = await jar.request(`${open.origin}/v1/memories`, {
      method: 'POST',
      headers: all,
      body: '{"name":"x"}',
    })
    assert.deepEqual([response.status, await codeOf(response)], [403, 'origin_forbidden'], JSON.stringify(headers))
    const out = await jar.request(`${open.origin}/auth/sign-out`, { method: 'POST', headers: all })
    assert.equal(out.status, 403)
  }
  const image = await jar.request(`${open.origin}/v1/memories`, { headers: { 'sec-fetch-site': 'cross-site' } })
  assert.equal(image.status, 403)
  const own = { ...json, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  assert.equal(
    (await jar.request(`${open.origin}/v1/memories`, { method: 'POST', headers: own, body: '{"name":"x"}' })).status,
    201,
  )
  assert.equal((await jar.request(`${open.origin}/metrics`)).status, 401)
  assert.equal((await post(jar, '/mcp')).status, 401)
})

test('keys work as before, also beside a session', async () => {
  verifies('sign-in.keys')
  const jar = openCookieJar()
  await jar.signIn(open.origin, 'rita')
  const key = `Bearer ${open.service?.bootstrapKey}`
  const withKey = { ...json, authorization: key, 'content-type': 'application/json' }
  const made = await jar.request(`${open.origin}/v1/memories`, {
    method: 'POST',
    headers: withKey,
    body: '{"name":"x"}',
  })
  assert.equal(made.status, 201)
  const wrong = await jar.request(`${open.origin}/v1/memories`, { headers: { ...json, authorization: 'Bearer wrong' } })
  assert.equal(wrong.status, 401)
})

test('what a person adds names the person', async () => {
  verifies('sign-in.author')
  const jar = openCookieJar()
  await jar.signIn(open.origin, 'will')
  const { id } = (await (await post(jar, '/v1/memories')).json()) as { id: string }
  const body = '{"statement":"The gate opens at six."}'
  const headers = { ...asConsole(), 'idempotency-key': 'once' }
  const correct = () => jar.request(`${open.origin}/v1/memories/${id}/correct`, { method: 'POST', headers, body })
  const first = await correct()
  assert.equal(first.status, 201)
  const { createdBy } = (await first.json()) as { createdBy: { keyId: string; name: string } }
  assert.match(createdBy.keyId, /^usr_/)
  assert.equal(createdBy.name, 'will <b>Tester</b>')
})

test('signing out ends the session here, and leads to the end of the session at the provider', async () => {
  verifies('sign-in.sign-out')
  const jar = openCookieJar()
  await jar.signIn(open.origin, 'ada')
  const out = await jar.request(`${open.origin}/auth/sign-out`, { method: 'POST', headers: asConsole() })
  assert.equal(out.status, 200)
  const { location } = (await out.json()) as { location: string }
  assert.equal((await jar.request(`${open.origin}/v1/account`, { headers: json })).status, 401)
  const url = new URL(location)
  assert.equal(url.origin, open.provider?.issuer)
  assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${open.origin}/`)
  assert.equal((await jar.request(location)).status, 200)
})

test('a provider that is down hinders neither sessions nor sign-out, and is used again when it is back', async () => {
  verifies('sign-in.provider-down')
  const jar = openCookieJar()
  await jar.signIn(open.origin, 'ada')
  const late = openCookieJar()
  const callback = await late.reachCallback(open.origin, 'ada')
  await open.provider?.stop()
  const failed = await late.request(callback)
  assert.deepEqual([failed.status, failed.headers.get('retry-after')], [503, '30'])
  assert.match(await failed.text(), /does not respond/)
  assert.equal((await jar.request(`${open.origin}/v1/account`, { headers: json })).status, 200)
  await open.service?.restart()
  assert.equal((await jar.request(`${open.origin}/v1/account`, { headers: json })).status, 200, 'after a restart')
  assert.equal((await late.request(`${open.origin}/auth/sign-in`)).status, 503)
  const out = await jar.request(`${open.origin}/auth/sign-out`, { method: 'POST', headers: asConsole() })
  assert.deepEqual(await out.json(), { location: null })
  assert.ok(!jar.cookies(open.origin).has(SESSION))
  open.provider = await startProvider(open.origin, open.providerPort)
  assert.equal((await openCookieJar().signIn(open.origin, 'ada')).status, 303)
})

test('another process with the same settings accepts the sessions and begun sign-ins of the first', async () => {
  verifies('sign-in.processes')
  const jar = openCookieJar()
  const callback = await jar.reachCallback(open.origin, 'ada')
  await open.service?.crash()
  assert.equal((await jar.request(callback)).status, 303)
  assert.equal((await jar.request(`${open.origin}/v1/account`, { headers: json })).status, 200)
})

test('without a provider there is no sign-in, and a cookie opens nothing', async () => {
  verifies('sign-in.off')
  const off = createService({ RECOLLECT_SECRETS_KEY: SECRETS_KEY })
  await off.start()
  try {
    const welcome = await off.get<{ links: object }>('/', { key: null })
    assert.ok(!('signIn' in welcome.json.links))
    for (const [method, path] of [
      ['GET', '/auth/sign-in'],
      ['GET', '/auth/callback?code=x&state=y'],
      ['POST', '/auth/sign-out'],
    ] as const)
      assert.equal((await off.call(method, path, { key: null })).status, 404, path)
    const jar = openCookieJar()
    await jar.signIn(open.origin, 'ada')
    const cookie = `${SESSION}=${jar.cookies(open.origin).get(SESSION)}`
    assert.equal((await off.get('/v1/account', { key: null, headers: { cookie } })).status, 401)
  } finally {
    await off.dispose()
  }
})

test('settings of sign-in that are wrong or incomplete stop the start and are named', async () => {
  verifies('sign-in.settings')
  const wrong: readonly (readonly [Record<string, string>, RegExp])[] = [
    [{ RECOLLECT_OIDC_CLIENT_ID: '' }, /RECOLLECT_OIDC_ISSUER needs RECOLLECT_OIDC_CLIENT_ID/],
    [{ RECOLLECT_PUBLIC_URL: '' }, /RECOLLECT_OIDC_ISSUER needs RECOLLECT_PUBLIC_URL/],
    [{ RECOLLECT_PUBLIC_URL: 'https://example.com/path' }, /RECOLLECT_PUBLIC_URL must be .* without a path/],
    [{ RECOLLECT_AUTH: 'off' }, /RECOLLECT_OIDC_ISSUER needs RECOLLECT_AUTH=on/],
    [{ RECOLLECT_OIDC_ISSUER: 'http://id.example.com' }, /RECOLLECT_OIDC_ISSUER must be an https address/],
    [{ RECOLLECT_OIDC_ISSUER: '' }, /RECOLLECT_OIDC_CLIENT_ID needs RECOLLECT_OIDC_ISSUER/],
    [{ RECOLLECT_OIDC_SCOPES: 'profile' }, /RECOLLECT_OIDC_SCOPES must .* contain openid/],
    [
      { RECOLLECT_DATABASE_URL: 'postgres://127.0.0.1:1/x', RECOLLECT_SECRETS_KEY: '' },
      /RECOLLECT_OIDC_ISSUER needs RECOLLECT_SECRETS_KEY with PostgreSQL/,
    ],
  ]
  for (const [change, problem] of wrong) {
    const child = spawnProduct({ ...settings(0), RECOLLECT_PUBLIC_URL: 'http://127.0.0.1:1', ...change })
    const { code, output } = await child.ended()
    assert.equal(code, 78, output)
    assert.match(output, problem)
    assert.ok(!output.includes(CLIENT.secret))
  }
})
