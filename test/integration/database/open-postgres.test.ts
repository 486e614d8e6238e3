import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPostgres } from '../../../src/database/postgres/open-postgres.ts'

/** A port without a listener. */
const CLOSED = 'postgres://me:hunter2@127.0.0.1:1/recollect'

test('waiting for an unreachable database logs the reason once, without the password', async () => {
  const said: string[] = []
  const log = { warn: (facts: unknown, message?: string) => void said.push(`${message} ${JSON.stringify(facts)}`) }
  await assert.rejects(
    openPostgres({ url: CLOSED, maxConnections: 2, log, startMs: 600 }),
    /is not available: connect ECONN/,
  )
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /^waiting for the database in RECOLLECT_DATABASE_URL .*ECONNREFUSED/)
  assert.doesNotMatch(said[0] ?? '', /hunter2/)
})
