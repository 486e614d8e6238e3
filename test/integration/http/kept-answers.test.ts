/**
 * A process dies directly after committing the work of a POST. The promise of its Idempotency-Key
 * still holds: the first answer was committed with the work. Claims that can neither be finished
 * nor released simulate the death.
 */

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { ApiError } from '../../../src/errors.ts'
import { ROUTES } from '../../../src/http/routes/routes.ts'
import type { ServerOptions } from '../../../src/http/server.ts'
import { createKeysService } from '../../../src/services/account/keys-service.ts'
import { createOrganizationsService } from '../../../src/services/account/organizations-service.ts'
import { createProjectsService } from '../../../src/services/account/projects-service.ts'
import { createArchiveService } from '../../../src/services/archive/archive-service.ts'
import { createCorrectionsService } from '../../../src/services/corrections/corrections-service.ts'
import { createDocumentFilters } from '../../../src/services/filters/document-filters.ts'
import { createIngestService } from '../../../src/services/ingest/ingest-service.ts'
import { createIngestionJob } from '../../../src/services/ingest/job/ingestion-job.ts'
import { INGESTION_JOB } from '../../../src/services/jobs/job-handler.ts'
import { createJobsService } from '../../../src/services/jobs/jobs-service.ts'
import { createReembedService } from '../../../src/services/memories/reembed-service.ts'
import type { IdempotencyService } from '../../../src/services/nodes/idempotency-service.ts'
import { createIdempotencyService } from '../../../src/services/nodes/idempotency-service.ts'
import type { Services } from '../../../src/services/services.ts'
import { createSourcesService } from '../../../src/services/sources/sources-service.ts'
import { createWebhooksService } from '../../../src/services/webhooks/webhooks-service.ts'
import type { UrlFetcher } from '../../../src/url-fetch/url-fetcher.ts'
import type { UrlSender } from '../../../src/url-fetch/url-sender.ts'
import { makeBlankPicture, makeTiff } from '../../support/sample-pictures.ts'
import { openIngestFixture, textDocument } from '../services/ingest-fixture.ts'
import { ORGANIZATION_KEY } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

/**
 * POSTs that are safe to repeat: reads, requests with nothing left to do, and the test of a webhook
 * (messages may arrive twice). MCP has no such keys.
 */
const OF_OPENAI = ['createChatCompletion', 'createEmbeddings', 'searchVectorStore']
const REPEATABLE = [
  ...[
    'find',
    'search',
    'cancelJob',
    'deleteDocuments',
    'ask',
    'askOnce',
    'askAcross',
    'findAcross',
    'evaluate',
    'extract',
    'testWebhook',
    'runSource',
    'pauseSource',
    'resumeSource',
    'mcp',
    'signOut',
  ],
  ...OF_OPENAI,
]
const KEY = { 'idempotency-key': 'once' }
const TABLES = ['organizations', 'documents', 'jobs', 'memories', 'projects', 'keys', 'webhooks', 'sources'] as const
/** Fields shown only once. */
const SHOWN_ONCE: Readonly<Record<string, object>> = {
  createKey: { key: null },
  createOrganization: { key: null },
  createWebhook: { secret: null },
}
const SENDER: UrlSender = {
  requireUrl: async (text) => new URL(text),
  post: () => Promise.reject(new Error('nothing is sent here')),
}
const FETCHER: UrlFetcher = {
  requireUrl: (text) => new URL(text),
  async fetchToFile(text, path) {
    await writeFile(path, 'Downloaded once.')
    return { bytes: 16, finalUrl: text, contentType: 'text/plain', charset: null, filename: 'a.txt' }
  },
}

/** All committing services on real stores, and servers of successive processes. */
async function openFixture(t: TestContext) {
  const fixture = await openIngestFixture(t)
  const { db, now, caller, memory, memories, parts, add } = fixture
  const handlers = { [INGESTION_JOB]: createIngestionJob(parts) }
  const real = {
    memories,
    archive: createArchiveService(parts),
    ingest: createIngestService({ ...parts, fetcher: FETCHER }),
    corrections: createCorrectionsService(parts),
    projects: createProjectsService(parts),
    keys: createKeysService(parts),
    organizations: createOrganizationsService({ db, now, plan: 'free' }),
    reembed: createReembedService(parts),
    sources: createSourcesService({ ...parts, secrets: null, folders: [], filters: createDocumentFilters(db) }),
    webhooks: createWebhooksService({ ...parts, urls: SENDER }),
    jobs: createJobsService({ ...parts, handlers }),
  }
  const start = async (
    idempotency: IdempotencyService,
    more: Partial<Services> = {},
    options: Partial<ServerOptions> = {},
  ) => {
    const operator = { adminKey: ORGANIZATION_KEY, caller }
    const server = await startServer(t, { anonymous: caller, operator, ...options })
    Object.assign(server.services, { ...real, idempotency, ...more })
    return server
  }
  const claimsOf = (owner: string) => createIdempotencyService({ db, now, owner })
  return {
    ...fixture,
    real,
    claimsOf,
    start,
    path: `/v1/memories/${memory.id}`,
    /** A process that dies after the commit. */
    startDying: (more: Partial<Services> = {}, options: Partial<ServerOptions> = {}) => {
      const died = () => Promise.reject(new Error('the process died'))
      return start({ ...claimsOf('first'), saveResponse: died, release: died }, more, options)
    },
    async startNext() {
      const claims = claimsOf('next')
      await claims.releaseStale('')
      return start(claims)
    },
    async toArchiveForm(options: object): Promise<FormData> {
      const { content } = await real.archive.export(caller, memory.id)
      const form = toForm('once.tar.gz', new Uint8Array(await buffer(content)))
      form.append('options', JSON.stringify(options))
      return form
    },
    async failJob(): Promise<string> {
      const added = await add({}, [textDocument('Later.')], { async: true })
      if (!('jobId' in added)) throw new Error('no job took it')
      await real.jobs.cancel(caller, added.jobId)
      return added.jobId
    },
    async countRows() {
      const counts = TABLES.map((table) =>
        db
          .selectFrom(table)
          .select((all) => all.fn.countAll().as('rows'))
          .execute(),
      )
      return Object.fromEntries((await Promise.all(counts)).map(([count], at) => [TABLES[at], count?.rows]))
    },
  }
}

type Fixture = Awaited<ReturnType<typeof openFixture>>
type Sent = { path: string; body: object }

function toForm(filename: string, content: string | Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData()
  form.append('file', new Blob([content], { type: 'application/octet-stream' }), filename)
  return form
}

/** One request for each way in which a POST commits. */
const REQUESTS: readonly [operationId: string, prepare: (fixture: Fixture) => Sent | Promise<Sent>][] = [
  ['createMemory', () => ({ path: '/v1/memories', body: { name: 'Once', projectName: 'New' } })],
  ['importMemory', async (fixture) => ({ path: '/v1/memories/import', body: await fixture.toArchiveForm({}) })],
  [
    'importMemory',
    async (fixture) => ({ path: '/v1/memories/import', body: await fixture.toArchiveForm({ async: true }) }),
  ],
  ['createProject', () => ({ path: '/v1/projects', body: { name: 'Once' } })],
  ['createKey', () => ({ path: '/v1/keys', body: { name: 'Once' } })],
  ['createOrganization', () => ({ path: '/v1/organizations', body: { name: 'Once' } })],
  [
    'createSource',
    ({ path }) => ({
      path: `${path}/sources`,
      body: { type: 'website', website: { startUrls: ['http://host.test/'] } },
    }),
  ],
  ['createWebhook', () => ({ path: '/v1/webhooks', body: { url: 'http://host.test/told' } })],
  ['addDocuments', ({ path }) => ({ path: `${path}/documents`, body: { documents: [{ text: 'Once.' }], odd: 1 } })],
  [
    'addDocuments',
    ({ path }) => ({ path: `${path}/documents`, body: { documents: [{ text: 'Later.' }], options: { async: true } } }),
  ],
  ['addDocuments', ({ path }) => ({ path: `${path}/documents`, body: toForm('a.txt', 'Uploaded once.') })],
  ['addDocuments', ({ path }) => ({ path: `${path}/documents`, body: { url: 'http://host.test/a.txt' } })],
  [
    'recognizeImage',
    async ({ path }) => ({
      path: `${path}/ocr`,
      body: toForm('a.tiff', await makeTiff(['The tide is low.', 'The tide is high.'])),
    }),
  ],
  ['recognizeImage', async ({ path }) => ({ path: `${path}/ocr`, body: toForm('a.png', await makeBlankPicture()) })],
  ['correct', ({ path }) => ({ path: `${path}/correct`, body: { statement: 'Once is enough.' } })],
  [
    'addCorrections',
    ({ path }) => ({ path: `${path}/corrections`, body: { corrections: [{ statement: 'Twice is too much.' }] } }),
  ],
  [
    'reembedMemory',
    ({ path, parts }) => ({ path: `${path}/reembed`, body: { embeddingModel: parts.embedders.default.model } }),
  ],
  ['retryJob', async (fixture) => ({ path: `/v1/jobs/${await fixture.failJob()}/retry`, body: {} })],
]

test('every POST that commits something is tried here', () => {
  const posts = ROUTES.filter(({ method }) => method === 'POST').map(({ operationId }) => operationId)
  const tried = REQUESTS.map(([operationId]) => operationId)
  assert.deepEqual(
    posts.filter((operationId) => !REPEATABLE.includes(operationId)).sort(),
    [...new Set(tried)].sort(),
    'a new POST keeps its answer by `storeResponseAs` in its own transaction, or commits nothing',
  )
})

test('a repeat after the process died behind the commit gets the first answer, and nothing is done twice', async (t) => {
  const fixture = await openFixture(t)
  const dying = await fixture.startDying()
  const firsts = []
  for (const [index, [operationId, prepare]] of REQUESTS.entries()) {
    const { path, body } = await prepare(fixture)
    const headers = { 'idempotency-key': `request ${index}` }
    const send = ({ send, sendJson }: typeof dying) =>
      body instanceof FormData ? send('POST', path, { headers, body }) : sendJson('POST', path, body, headers)
    const first = await send(dying)
    const said = (await first.json()) as Record<string, unknown>
    assert.ok(first.ok, JSON.stringify(said))
    firsts.push({ title: `${index}, ${operationId}`, operationId, send, first, said })
  }
  const rows = await fixture.countRows()
  const next = await fixture.startNext()
  for (const { title, operationId, send, first, said } of firsts) {
    const again = await send(next)
    assert.equal(again.headers.get('idempotent-replayed'), 'true', title)
    assert.deepEqual(await again.json(), { ...said, ...SHOWN_ONCE[operationId] }, title)
    const [expected, actual] = [first, again].map(({ status, headers }) => [
      status,
      headers.get('location'),
      headers.get('retry-after'),
    ])
    assert.deepEqual(actual, expected, title)
  }
  assert.deepEqual(await fixture.countRows(), rows)
})

test('a commit at the time limit is answered to the repeat', async (t) => {
  const fixture = await openFixture(t)
  const committed = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const { memories } = fixture.real
  const slow: Services['memories'] = {
    ...memories,
    async create(...given) {
      const made = await memories.create(...given)
      committed.resolve()
      await answered.promise
      return made
    },
  }
  const dying = await fixture.startDying({ memories: slow }, { requestTimeoutMs: 300 })
  const first = await dying.sendJson('POST', '/v1/memories', { name: 'Slow' }, KEY)
  assert.equal((await readError(first)).code, 'request_timeout')
  answered.resolve()
  await committed.promise
  const rows = await fixture.countRows()
  const again = await (await fixture.startNext()).sendJson('POST', '/v1/memories', { name: 'Slow' }, KEY)
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
  assert.deepEqual(await fixture.countRows(), rows)
})

test('an answer whose work is rolled back is not kept', async (t) => {
  const fixture = await openFixture(t)
  const claims = fixture.claimsOf('first')
  const failing: IdempotencyService = {
    ...claims,
    async saveInTransaction(...given) {
      await claims.saveInTransaction(...given)
      throw new ApiError('insufficient_storage')
    },
  }
  const body = { documents: [{ text: 'Once.' }] }
  const rows = await fixture.countRows()
  const refused = await (await fixture.start(failing)).sendJson('POST', `${fixture.path}/documents`, body, KEY)
  assert.equal((await readError(refused)).code, 'insufficient_storage')
  assert.deepEqual(await fixture.countRows(), rows)
  const again = await (await fixture.start(claims)).sendJson('POST', `${fixture.path}/documents`, body, KEY)
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, null])
})

test('a picture that cannot be read keeps no answer of success', async (t) => {
  const fixture = await openFixture(t)
  const damaged = (await makeBlankPicture()).slice(0, 200)
  const send = async (server: Awaited<ReturnType<Fixture['start']>>) =>
    readError(await server.send('POST', `${fixture.path}/ocr`, { headers: KEY, body: toForm('a.png', damaged) }))
  const first = await send(await fixture.startDying())
  assert.equal(first.code, 'image_unreadable')
  assert.deepEqual(await send(await fixture.startNext()), first)
})

test('nothing is committed under a claim released by another process', async (t) => {
  const fixture = await openFixture(t)
  const rows = await fixture.countRows()
  const claims = fixture.claimsOf('first')
  const robbed: IdempotencyService = {
    ...claims,
    async claim(...given) {
      const begun = await claims.claim(...given)
      await fixture.claimsOf('other').releaseStale('')
      return begun
    },
  }
  const server = await fixture.start(robbed)
  const refused = await server.sendJson('POST', `${fixture.path}/documents`, { documents: [{ text: 'Once.' }] }, KEY)
  assert.deepEqual(
    [(await readError(refused)).code, refused.headers.get('retry-after')],
    ['idempotency_in_progress', '1'],
  )
  assert.deepEqual(await fixture.countRows(), rows)
})
