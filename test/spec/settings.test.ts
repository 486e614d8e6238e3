import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { startFakeS3 } from '../support/fake-s3.ts'
import { makeScannedPdf } from '../support/sample-pictures.ts'
import { type Answer, assertError, assertStatus, readAnswer } from './answer.ts'
import { type Child, type Ended, spawnProduct } from './product.ts'
import type { Account, List, Memory } from './shapes.ts'
import { verifies } from './verifies.ts'

const KEY = /rcl_[0-9A-Za-z]{46}/g
const ONE_KEY = new RegExp(KEY.source)
const LONG_KEY = 'a key of twenty characters or more'
let folder = ''
let count = 0

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-settings-'))
})
after(() => rm(folder, { recursive: true, force: true }))

function newDataDirectory(): string {
  count += 1
  return join(folder, `data-${count}`)
}

/** Runs the service during `use`, and resolves after the process has ended. */
async function whileRunning(
  settings: Record<string, string>,
  use: (url: string, child: Child) => Promise<void>,
): Promise<Ended> {
  const child = spawnProduct({ RECOLLECT_DATA_DIR: newDataDirectory(), RECOLLECT_PORT: '0', ...settings })
  try {
    await use(await child.address(30_000), child)
  } catch (error) {
    await child.end('SIGKILL')
    throw error
  }
  const ended = await child.end('SIGTERM')
  assert.equal(ended.code, 0, ended.output.slice(-2000))
  return ended
}

async function get<Body>(url: string, key?: string): Promise<Answer<Body>> {
  return readAnswer<Body>(await fetch(url, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }))
}

async function refusedStart(settings: Record<string, string>): Promise<string> {
  const child = spawnProduct({ RECOLLECT_DATA_DIR: newDataDirectory(), RECOLLECT_PORT: '0', ...settings })
  const late = setTimeout(() => child.end('SIGKILL'), 20_000)
  const { code, output } = await child.ended()
  clearTimeout(late)
  assert.equal(code, 78, `${JSON.stringify(settings)}: ${output}`)
  return output
}

test('the address is printed at every log level', async () => {
  verifies('settings.port', 'settings.log-level')
  await whileRunning({ RECOLLECT_LOG_LEVEL: 'error' }, async (url) => {
    assert.equal((await fetch(`${url}/health`)).status, 200)
  })
})

test('the first start makes the data folder, mode 0700, and prints one organization key once', async () => {
  verifies('keys.first-start', 'settings.data-dir', 'settings.port', 'settings.host', 'settings.log-level')
  const directory = newDataDirectory()
  const settings = { RECOLLECT_DATA_DIR: directory }
  let key = ''
  const first = await whileRunning(settings, async (url, child) => {
    assert.match(url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    assert.equal((await stat(directory)).mode & 0o777, 0o700)
    key = await child.printed(ONE_KEY, 10_000)
    const account = await get<Account>(`${url}/v1/account`, key)
    assertStatus(account, 200)
    assert.equal(account.json.apiKey.scope, 'organization')
  })
  assert.equal(first.output.match(KEY)?.length, 1)
  const second = await whileRunning(settings, async (url) => {
    assertStatus(await get(`${url}/v1/account`, key), 200)
  })
  assert.equal(second.output.match(KEY), null)
})

test('a start on a port that is taken makes no key, and the next start prints it', async () => {
  verifies('told.first-key')
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  const settings = { RECOLLECT_DATA_DIR: newDataDirectory() }
  const failed = spawnProduct({ ...settings, RECOLLECT_PORT: String(port) })
  const { output } = await failed.ended()
  taken.close()
  assert.match(output, /port \d+ of 127\.0\.0\.1 is taken/)
  assert.equal(output.match(KEY), null)
  const started = await whileRunning(settings, async (url, child) => {
    const key = await child.printed(ONE_KEY, 10_000)
    assertStatus(await get<Account>(`${url}/v1/account`, key), 200)
  })
  assert.equal(started.output.match(KEY)?.length, 1)
})

test('web pages of the named origins may call the API, others may not', async () => {
  verifies('settings.cors')
  const origin = 'https://app.example.com'
  const preflight = (url: string, from: string) => {
    const asks = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    return fetch(`${url}/v1/memories`, { method: 'OPTIONS', headers: { origin: from, ...asks } })
  }
  const read = (url: string, from: string) =>
    fetch(`${url}/v1/memories`, { headers: { origin: from, authorization: `Bearer ${LONG_KEY}` } })
  const allowedOf = ({ headers }: Response) => headers.get('access-control-allow-origin')
  const settings = { RECOLLECT_BOOTSTRAP_KEY: LONG_KEY, RECOLLECT_CORS_ORIGINS: `https://b.example.com,${origin}` }
  await whileRunning(settings, async (url) => {
    const asked = await preflight(url, origin)
    assert.deepEqual([asked.status, allowedOf(asked)], [204, origin])
    assert.match(asked.headers.get('access-control-allow-headers') ?? '', /authorization/)
    assert.match(asked.headers.get('access-control-allow-methods') ?? '', /POST/)
    assert.equal(asked.headers.get('access-control-allow-credentials'), null)
    const answer = await read(url, origin)
    assert.deepEqual([answer.status, allowedOf(answer), answer.headers.get('vary')], [200, origin, 'Origin'])
    const refused = await fetch(`${url}/v1/memories`, { headers: { origin } })
    assert.deepEqual([refused.status, allowedOf(refused)], [401, origin])
    for (const other of ['https://evil.example.com', 'null'])
      for (const given of [await preflight(url, other), await read(url, other)]) assert.equal(allowedOf(given), null)
  })
  await whileRunning({ RECOLLECT_BOOTSTRAP_KEY: LONG_KEY }, async (url) => {
    for (const given of [await preflight(url, origin), await read(url, origin)]) assert.equal(allowedOf(given), null)
  })
  assert.match(await refusedStart({ RECOLLECT_CORS_ORIGINS: '*' }), /RECOLLECT_CORS_ORIGINS/)
})

test('the log is JSON lines at info level, without keys', async () => {
  verifies('settings.log-level')
  const { output } = await whileRunning({ RECOLLECT_BOOTSTRAP_KEY: LONG_KEY }, async (url) => {
    assertStatus(await get(`${url}/v1/memories`, LONG_KEY), 200)
  })
  const lines = output.split('\n').filter((line) => line !== '')
  assert.ok(lines.length > 0)
  for (const line of lines) {
    const entry = JSON.parse(line) as { level: number | string; msg: string }
    assert.ok(!['debug', 'trace', 10, 20].includes(entry.level), line)
    assert.equal(typeof entry.msg, 'string', line)
  }
  assert.ok(!output.includes(LONG_KEY))
})

test('RECOLLECT_BOOTSTRAP_KEY of twenty characters is accepted, and no key is printed', async () => {
  verifies('keys.bootstrap', 'settings.bootstrap-key')
  const { output } = await whileRunning({ RECOLLECT_BOOTSTRAP_KEY: 'x'.repeat(20) }, async (url) => {
    assertStatus(await get(`${url}/v1/account`, 'x'.repeat(20)), 200)
    assertError(await get(`${url}/v1/account`, 'x'.repeat(21)), 401, 'invalid_api_key')
  })
  assert.equal(output.match(KEY), null)
  assert.match(await refusedStart({ RECOLLECT_BOOTSTRAP_KEY: 'x'.repeat(19) }), /RECOLLECT_BOOTSTRAP_KEY/)
  const unshown = 'a key of my own, très sûre'
  const refused = await refusedStart({ RECOLLECT_BOOTSTRAP_KEY: unshown })
  assert.match(refused, /RECOLLECT_BOOTSTRAP_KEY must have characters of ASCII alone.*choose another/)
  assert.ok(!refused.includes('sûre'))
})

test('PORT is read where RECOLLECT_PORT is absent', async () => {
  verifies('settings.port-fallback', 'settings.port')
  await whileRunning({ RECOLLECT_PORT: '', PORT: '0' }, async (url) => {
    assert.notEqual(new URL(url).port, '8080')
    assertStatus(await get(`${url}/health`), 200)
  })
})

test('with keys switched off no key is needed on loopback, and no other address is bound', async () => {
  verifies('settings.auth', 'keys.auth-off-loopback')
  await whileRunning({ RECOLLECT_AUTH: 'off' }, async (url) => {
    const body = JSON.stringify({ name: 'Open' })
    const headers = { 'content-type': 'application/json' }
    assert.equal((await fetch(`${url}/v1/memories`, { method: 'POST', body, headers })).status, 201)
    const foreign = { ...headers, origin: 'https://page.example' }
    assert.equal((await fetch(`${url}/v1/memories`, { method: 'POST', body, headers: foreign })).status, 403)
    assert.equal(await statusByName(url, 'page.example'), 403)
    assert.equal(await statusByName(url, 'page.example', '/health'), 403)
    for (const site of ['cross-site', 'same-site']) {
      assert.equal((await fetch(`${url}/v1/memories`, { headers: { 'sec-fetch-site': site } })).status, 403)
    }
    const form = {
      method: 'POST',
      body: new FormData(),
      headers: { accept: 'text/html', referer: 'https://page.example/' },
    }
    assert.equal((await fetch(`${url}/v1/memories/import`, form)).status, 403)
    assert.equal((await fetch(url, { headers: { 'sec-fetch-site': 'cross-site', accept: 'text/html' } })).status, 200)
    assert.equal((await fetch(`${url}/v1/memories`, { headers: { 'sec-fetch-site': 'same-origin' } })).status, 200)
    assert.equal((await get<List<'memories', Memory>>(`${url}/v1/memories`)).json.total, 1)
  })
  for (const host of ['0.0.0.0', '::', '192.0.2.7']) {
    assert.match(await refusedStart({ RECOLLECT_AUTH: 'off', RECOLLECT_HOST: host }), /RECOLLECT_(AUTH|HOST)/)
  }
})

/** The status of a list request with a foreign host name, as DNS rebinding would send. */
async function statusByName(url: string, host: string, path = '/v1/memories'): Promise<number | undefined> {
  const request = httpRequest(`${url}${path}`, { headers: { host } }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

test('an invalid value stops the start with status 78, its name and the allowed values', async () => {
  verifies('settings.wrong-value', 'settings.role', 'settings.plan', 'settings.auth', 'settings.rate-limit')
  verifies('settings.ocr', 'settings.url-allow-private')
  // A single start names all faults; one start a row would take seconds.
  const rows: [string, string, RegExp][] = [
    ['RECOLLECT_PORT', '99999', /65535/],
    ['RECOLLECT_PLAN', 'gold', /free.*starter.*unlimited/],
    ['RECOLLECT_AUTH', 'maybe', /\bon\b.*\boff\b/],
    ['RECOLLECT_ROLE', 'boss', /\ball\b/],
    ['RECOLLECT_RATE_LIMIT_PER_MINUTE', '-1', /./],
    ['RECOLLECT_LOG_LEVEL', 'loud', /info/],
    ['RECOLLECT_OCR_ENGINE', 'magic', /embedded/],
    ['RECOLLECT_URL_ALLOW_PRIVATE', 'everything', /host:port/],
  ]
  const lines = (await refusedStart(Object.fromEntries(rows))).split('\n')
  for (const [name, , allowed] of rows) assert.match(lines.find((line) => line.includes(name)) ?? '', allowed, name)
  assert.match(await refusedStart({ RECOLLECT_PORT: 'http' }), /RECOLLECT_PORT/)
})

test('a role in a cluster needs a shared database and object store', async () => {
  verifies('settings.roles', 'settings.database-url')
  for (const role of ['api', 'worker']) {
    const output = await refusedStart({ RECOLLECT_ROLE: role })
    assert.match(
      output,
      new RegExp(`RECOLLECT_ROLE=${role} needs RECOLLECT_DATABASE_URL and RECOLLECT_OBJECT_STORE_URL`),
    )
  }
  assert.match(await refusedStart({ RECOLLECT_DATABASE_URL: 'mysql://me:hunter2@db/x' }), /such as postgres:\/\//)
})

test('an object store is configured by address and the usual names, and uses its prefix', async () => {
  verifies('settings.object-store-url')
  const store = await startFakeS3('honoured')
  const settings = {
    RECOLLECT_OBJECT_STORE_URL: 's3://bucket/some/prefix',
    RECOLLECT_S3_ENDPOINT: store.endpoint,
    AWS_ACCESS_KEY_ID: 'an-id',
    AWS_SECRET_ACCESS_KEY: 'a-secret-that-is-not-said',
    AWS_REGION: 'eu-west-1',
  }
  const { output } = await whileRunning(settings, async (url) => {
    assertStatus(await get(`${url}/health/ready`), 200)
    assert.ok(store.written.length > 0)
    for (const { path } of store.written) assert.match(path, /^bucket\/some\/prefix\//)
    assert.match(store.written[0]?.headers.authorization ?? '', /Credential=an-id\/\d+\/eu-west-1\/s3\//)
  })
  await store.close()
  assert.ok(!output.includes('a-secret-that-is-not-said'))
  for (const wrong of ['s3://', 'https://bucket'])
    assert.match(await refusedStart({ RECOLLECT_OBJECT_STORE_URL: wrong }), /must be s3:\/\/bucket or s3:/)
})

test('an unknown RECOLLECT_ name stops the start with status 78, and all faults are named together', async () => {
  verifies('settings.unknown-name', 'settings.wrong-value')
  const output = await refusedStart({ RECOLLECT_PROT: '1', RECOLLECT_COLOUR: 'blue', RECOLLECT_PLAN: 'gold' })
  for (const name of ['RECOLLECT_PROT', 'RECOLLECT_COLOUR', 'RECOLLECT_PLAN']) assert.ok(output.includes(name), output)
})

test('a rate limit holds for a key and minute, is announced, and answers 429 with Retry-After', async () => {
  verifies('settings.rate-limit', 'errors.429.rate_limited', 'rules.headers.rate-limit', 'rules.headers.retry-after')
  const settings = { RECOLLECT_BOOTSTRAP_KEY: LONG_KEY, RECOLLECT_RATE_LIMIT_PER_MINUTE: '8' }
  await whileRunning(settings, async (url) => {
    const made = await fetch(`${url}/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${LONG_KEY}`, 'content-type': 'application/json' },
      body: '{"name":"other"}',
    })
    const { key } = (await made.json()) as { key: string }
    const answers: Answer<unknown>[] = []
    for (let index = 0; index < 30; index += 1) answers.push(await get(`${url}/v1/account`, LONG_KEY))
    const passed = answers.filter(({ status }) => status === 200)
    // Up to twice the limit, for a run that crosses a minute boundary.
    assert.ok(passed.length >= 7 && passed.length <= 16, String(passed.length))
    assert.match(passed[0]?.headers.get('ratelimit') ?? '', /\d/)
    assert.match(passed[0]?.headers.get('ratelimit-policy') ?? '', /8/)
    const last = answers.find(({ status }) => status === 429)
    assert.ok(last)
    assertError(last, 429, 'rate_limited')
    assert.match(last.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assertStatus(await get(`${url}/v1/account`, key), 200)
    assertStatus(await get(`${url}/health`), 200)
  })
})

test('scans are recognised without any setting', async () => {
  verifies('settings.ocr')
  const content = await makeScannedPdf([{ scan: 'The words of a picture.' }])
  await whileRunning({ RECOLLECT_BOOTSTRAP_KEY: LONG_KEY }, async (url) => {
    const headers = { authorization: `Bearer ${LONG_KEY}` }
    const named = { ...headers, 'content-type': 'application/json' }
    const made = await fetch(`${url}/v1/memories`, { method: 'POST', headers: named, body: '{"name":"Scans"}' })
    const { id } = (await made.json()) as Memory
    const form = new FormData()
    form.append('file', new Blob([content]), 'scan.pdf')
    const added = await fetch(`${url}/v1/memories/${id}/documents`, { method: 'POST', headers, body: form })
    assert.equal(added.status, 200, await added.text())
  })
})

test('a language without installed data stops the start with how to install it', async () => {
  verifies('settings.ocr', 'settings.wrong-value')
  const output = await refusedStart({ RECOLLECT_OCR_LANGUAGES: 'eng,tlh' })
  assert.match(output, /RECOLLECT_OCR_LANGUAGES/)
  assert.match(output, /tlh/)
})
