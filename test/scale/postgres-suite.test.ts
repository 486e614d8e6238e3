/**
 * The tests of the store, the queue and the services, which run on SQLite in `npm test`, on
 * PostgreSQL.
 */
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
/**
 * All tests that open the database with `temporaryStore`. Tests specific to SQLite
 * (open-sqlite.test.ts) open their files directly.
 */
const SUITE = [
  'test/integration/database/{migrations,races,set-clock}.test.ts',
  'test/integration/jobs/*.test.ts',
  'test/integration/services/{account,corrections,documents,idempotency,keys,memories,projects,usage}-service.test.ts',
  'test/integration/services/{count-pages,deleted-while-ingested,doctor,doctor-contents,erasure,ingest,outranking,reembed,webhooks}.test.ts',
]

describe('on PostgreSQL', unlessLacking(reason), () => {
  let server: PostgresServer
  before(async () => {
    assert.equal(reason, null)
    // Other tests cover server crashes.
    server = await startPostgres({ isDurable: false })
  })
  after(() => server?.stop())

  test('the tests that run on SQLite pass', async () => {
    const files = SUITE.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    assert.ok(files.length > 10)
    const halves = [0, 1].map((half) => files.filter((_, index) => index % 2 === half))
    await Promise.all(halves.map((half) => assertPass(half, server.url)))
  })
})

/** Runs the files in one process, since each process would load the product again. */
async function assertPass(files: readonly string[], databaseUrl: string): Promise<void> {
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env
  const options = ['--test', '--test-isolation=none', '--test-force-exit', '--test-reporter=spec']
  const child = spawn(process.execPath, [...options, ...files], {
    cwd: ROOT,
    env: { ...environment, RECOLLECT_TEST_DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.equal(status, 0, output)
  assert.match(output, /^ℹ fail 0$/mu)
}
