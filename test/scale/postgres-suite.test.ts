/** The tests of the store, the queue and the services, which run on SQLite in `npm test`, on PostgreSQL. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { unlessLacking } from './support/installed-programs.ts'
import { type PostgresServer, startPostgres, whyNoPostgres } from './support/postgres-server.ts'

const reason = whyNoPostgres()
const ROOT = join(import.meta.dirname, '..', '..')
/** All that open their database by `temporaryStore`. What is SQLite's own (open-sqlite.test.ts) opens its files itself. */
const SUITE = [
  'test/integration/database/{migrations,races,set-clock}.test.ts',
  'test/integration/jobs/*.test.ts',
  'test/integration/services/{account,corrections,documents,idempotency,keys,memories,projects}-service.test.ts',
  'test/integration/services/{count-pages,deleted-while-ingested,doctor,doctor-contents,erasure,ingest,outranking,reembed,webhooks}.test.ts',
]

describe('on PostgreSQL', unlessLacking(reason), () => {
  let server: PostgresServer
  before(async () => {
    assert.equal(reason, null)
    // What a crash of the server costs is another test's matter.
    server = await startPostgres({ isDurable: false })
  })
  after(() => server?.stop())

  test('the tests that run on SQLite pass', async () => {
    const files = SUITE.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    assert.ok(files.length > 10)
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env
    const child = spawn(process.execPath, ['--test', '--test-reporter=dot', '--test-concurrency=2', ...files], {
      cwd: ROOT,
      env: { ...environment, RECOLLECT_TEST_DATABASE_URL: server.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    assert.equal(status, 0, output)
  })
})
