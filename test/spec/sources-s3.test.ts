import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { startFakeS3 } from '../support/fake-s3.ts'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Source } from './shapes.ts'
import { assertRun, documentsByKey, endOfRun, makeSource, runAgain } from './source-steps.ts'
import { makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const store = await startFakeS3('honoured')
after(() => store.close())
const { host } = new URL(store.endpoint)
const endless = createServer((_, response) => {
  const keys = '<Contents><Key>docs/a.md</Key></Contents>'.repeat(20_000)
  const send = () => {
    while (response.write(keys));
  }
  response.write('<ListBucketResult>')
  response.on('drain', send)
  send()
})
await once(endless.listen(0, '127.0.0.1'), 'listening')
after(() => endless.close())
const endlessHost = `127.0.0.1:${(endless.address() as AddressInfo).port}`
const SECRET = 'a-secret-of-the-bucket'
const service = useService({
  RECOLLECT_URL_ALLOW_PRIVATE: `${host},${endlessHost}`,
  AWS_ACCESS_KEY_ID: 'key-of-the-service',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-service',
})

const bucket = (name: string, more: object = {}) => ({
  type: 's3',
  s3: { bucket: name, prefix: 'docs/', endpoint: store.endpoint, pathStyle: true, ...more },
})

function put(path: string, text: string): void {
  store.objects.set(path, Buffer.from(text))
}

/** The reads of objects of a bucket so far. */
function readsOf(name: string): string[] {
  return store.read.map(({ path }) => path).filter((path) => path.startsWith(`/${name}/docs/`))
}

test('a bucket is followed by key, and an unchanged object is not downloaded', async () => {
  verifies('sources.s3', 'sources.s3.anonymous')
  const memory = await makeMemory(service)
  put('shelf/docs/a.md', 'The gate opens at nine.')
  put('shelf/docs/sub/b.txt', 'Cats sleep all day.')
  put('shelf/docs/', '')
  put('shelf/docs/picture.exe', 'x')
  put('shelf/other.txt', 'Outside of the prefix.')
  const id = await makeSource(service, memory, bucket('shelf', { exclude: ['old/'] }))
  assertRun(await endOfRun(service, memory, id), 'completed', { added: 2, skipped: 1 })
  const keys = [...(await documentsByKey(service, memory)).keys()].sort()
  assert.deepEqual(keys, ['docs/a.md', 'docs/sub/b.txt'])
  assert.equal(readsOf('shelf').length, 2)
  assertRun(await runAgain(service, memory, id), 'completed', { unchanged: 2, skipped: 1 })
  assert.equal(readsOf('shelf').length, 2)
  put('shelf/docs/a.md', 'The gate opens at ten.')
  store.objects.delete('shelf/docs/sub/b.txt')
  assertRun(await runAgain(service, memory, id), 'completed', { changed: 1, removed: 1, skipped: 1 })
  const anonymous = store.read.filter(({ path }) => path.startsWith('/shelf'))
  assert.ok(anonymous.length > 0)
  for (const { headers } of anonymous) assert.equal(headers.authorization, undefined)
})

test('credentials sign the requests, and are in no answer, no log and not in plain text on the disk', async () => {
  verifies('sources.s3.credentials')
  const memory = await makeMemory(service)
  put('vault/docs/a.md', 'The gate opens at nine.')
  const credentials = { accessKeyId: 'key-of-the-caller', secretAccessKey: SECRET }
  const made = await service.post<Source>(`/v1/memories/${memory}/sources`, bucket('vault', { credentials }))
  assertStatus(made, 201)
  assert.equal(made.json.s3?.hasCredentials, true)
  assertRun(await endOfRun(service, memory, made.json.id), 'completed', { added: 1 })
  const [first] = store.read.filter(({ path }) => path.startsWith('/vault'))
  assert.match(first?.headers.authorization ?? '', /Credential=key-of-the-caller\//)
  const path = `/v1/memories/${memory}/sources/${made.json.id}`
  await service.restart()
  assertRun(await runAgain(service, memory, made.json.id), 'completed', { unchanged: 1 })
  assertStatus(await service.call('PATCH', path, { body: { s3: { prefix: 'docs' } } }), 200)
  const read = await service.get<Source>(path)
  assert.deepEqual([read.json.s3?.prefix, read.json.s3?.hasCredentials], ['docs', true])
  for (const text of [made.text, read.text, service.output()]) assert.ok(!text.includes(SECRET))
  await service.stop()
  const database = await readFile(join(service.dataDirectory, 'recollect.sqlite'))
  assert.ok(database.includes('vault') && !database.includes(SECRET))
  await service.restart()
})

test('a listing that fails or is empty removes nothing', async () => {
  verifies('sources.s3.failed')
  const memory = await makeMemory(service)
  put('attic/docs/a.md', 'The gate opens at nine.')
  const id = await makeSource(service, memory, bucket('attic'))
  await endOfRun(service, memory, id)
  store.refuse({ status: 403, code: 'AccessDenied' })
  const refused = await runAgain(service, memory, id)
  store.refuse(null)
  assertRun(refused, 'failed', {})
  assert.match(refused.lastRun?.reason ?? '', /AccessDenied/)
  store.objects.delete('attic/docs/a.md')
  assertRun(await runAgain(service, memory, id), 'failed', {})
  assert.equal((await documentsByKey(service, memory)).size, 1)
  const inner = bucket('attic', { endpoint: 'http://169.254.169.254' })
  assertError(await service.post(`/v1/memories/${memory}/sources`, inner), 422, 'url_not_allowed')
})

test('a listing without end fails instead of filling the memory', async () => {
  verifies('sources.s3.failed')
  const memory = await makeMemory(service)
  const id = await makeSource(service, memory, bucket('endless', { endpoint: `http://${endlessHost}` }))
  const source = await endOfRun(service, memory, id)
  assertRun(source, 'failed', {})
  assert.match(source.lastRun?.reason ?? '', /could not be listed: the store sent a page of more than 8 MB/)
})
