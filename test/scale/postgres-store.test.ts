/**
 * Behaviour specific to a PostgreSQL server: notices, server clock, deadlocks, timeouts, lost
 * connections.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabaseClock } from '../../src/database/database-clock.ts'
import { claimJobs } from '../../src/database/jobs/claim-jobs.ts'
import { insertJob } from '../../src/database/jobs/jobs-table.ts'
import { MIGRATIONS, migrate } from '../../src/database/migrations.ts'
import { openNotices } from '../../src/database/postgres/notices.ts'
import { openPostgres } from '../../src/database/postgres/open-postgres.ts'
import type { Store } from '../../src/database/store.ts'
import { ApiError, type ErrorCode } from '../../src/errors.ts'
import { newId } from '../../src/ids.ts'
import { unlessLacking } from './support/installed-programs.ts'
import { type PostgresServer, startPostgres, whyNoPostgres } from './support/postgres-server.ts'

const reason = whyNoPostgres()
const LOG = { debug() {}, warn() {} }
const hasCode = (code: ErrorCode) => (error: unknown) => error instanceof ApiError && error.code === code

describe('a PostgreSQL server', unlessLacking(reason), () => {
  let server: PostgresServer
  let store: Store
  before(async () => {
    assert.equal(reason, null)
    server = await startPostgres({ isDurable: false })
    store = await openPostgres({ url: server.url, maxConnections: 4, log: LOG })
    await migrate(store)
    const two = ['a', 'b'].map((id) => ({ id, name: '0', plan: 'free', created_at: '' }))
    await store.db.insertInto('organizations').values(two).execute()
  })
  after(async () => {
    await store?.close()
    await server?.stop()
  })

  async function untilTrue(isSo: () => boolean | Promise<boolean>): Promise<void> {
    const until = performance.now() + 30_000
    while (!(await isSo())) {
      assert.ok(performance.now() < until, 'it did not come to that')
      await pause(50)
    }
  }

  test('counts and sums are numbers', async () => {
    const { rows } =
      await sql`select count(*) as many, sum(9::bigint) as total, 5::bigint as one from organizations`.execute(store.db)
    assert.deepEqual(rows, [{ many: 2, total: 18, one: 5 }])
  })

  test('transactions that block each other are run again until both came through', async () => {
    const touch = (first: string, second: string) =>
      store.db.transaction().execute(async (transaction) => {
        for (const id of [first, second]) {
          const name = sql<string>`(name::int + 1)::text`
          await transaction.updateTable('organizations').set({ name }).where('id', '=', id).execute()
          await pause(100)
        }
      })
    await Promise.all([touch('a', 'b'), touch('b', 'a')])
    const rows = await store.db.selectFrom('organizations').select('name').execute()
    assert.deepEqual(rows, [{ name: '2' }, { name: '2' }])
  })

  test('a statement over its time limit is ended, and its connection remains usable', async () => {
    await assert.rejects(sql`select pg_sleep(60)`.execute(store.db), hasCode('service_unavailable'))
    await sql`select 1`.execute(store.db)
  })

  test('a schema migration has no time limit, and other starts wait for it', async () => {
    const url = await server.makeDatabase('slow')
    const [one, other] = await Promise.all([1, 2].map(() => openPostgres({ url, maxConnections: 2, log: LOG })))
    assert.ok(one && other)
    const steps = [...MIGRATIONS, { name: '9999-slow', statements: () => ['select pg_sleep(9)'] }]
    try {
      const taken = await Promise.all([one, other].map((store) => migrate(store, steps)))
      assert.deepEqual(taken.map(({ length }) => length).sort(), [0, steps.length])
    } finally {
      await Promise.all([one.close(), other.close()])
    }
  })

  test('connections that the server ends are replaced, also in the middle of a transaction', async () => {
    const end = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null`
    const cutOff = store.db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction)
      await end().execute(store.db)
      await pause(100)
      await sql`select 1`.execute(transaction)
    })
    await assert.rejects(cutOff, hasCode('service_unavailable'))
    await untilTrue(() =>
      store.probe().then(
        () => true,
        () => false,
      ),
    )
  })

  test('one job of an organization is claimed quickly beside 10,000 of another', async () => {
    const job = { jobType: 'x', payload: {}, now: new Date() }
    const [many, one] = await store.db
      .transaction()
      .execute(async (transaction) => [
        await insertJob(transaction, { ...job, organizationId: 'many', memoryId: 'mem_0' }),
        await insertJob(transaction, { ...job, organizationId: 'one', memoryId: 'mem_one' }),
      ])
    assert.ok(many && one)
    await sql`insert into jobs (id, organization_id, memory_id, job_type, payload, max_attempts, created_at, message,
        status, progress, is_partial, cancel_requested, attempts, run_after)
      select id || number, organization_id, 'mem_' || number % 300, job_type, payload, max_attempts, created_at, message,
        status, progress, is_partial, cancel_requested, attempts, run_after
      from jobs, generate_series(1, 10000) number where id = ${many.id}`.execute(store.db)
    const workers = Array.from({ length: 4 }, () =>
      claimJobs(store.db, { limit: 1, leaseMs: 30_000, token: newId('req'), now: new Date() }),
    )
    const claimed = (await Promise.all(workers)).flat()
    assert.equal(new Set(claimed.map(({ id }) => id)).size, claimed.length)
    const next = await claimJobs(store.db, { limit: 1, leaseMs: 30_000, token: newId('req'), now: new Date() })
    assert.ok([...claimed, ...next].some(({ id }) => id === one.id))
  })

  test('the clock of the server counts, whatever the local clock says', async () => {
    const clock = await openDatabaseClock(store.db)
    const { rows } = await sql<{ at: string }>`
      select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`.execute(store.db)
    assert.ok(Math.abs(clock.now().getTime() - Date.parse(rows[0]?.at ?? '')) < 5000)
    const realNow = Date.now
    Date.now = () => 0
    try {
      assert.ok(clock.now().getFullYear() >= 2026)
    } finally {
      Date.now = realNow
    }
  })

  test('a notification reaches every process, also after its connection was cut', async () => {
    const other = await openPostgres({ url: server.url, maxConnections: 2, log: LOG })
    const heard: string[] = []
    const listen = ({ db, connection }: Store, receive: (text: string) => void) => {
      assert.ok(connection)
      return openNotices({ db, connection, receive, log: LOG })
    }
    const [here, there] = [listen(store, () => undefined), listen(other, (text) => heard.push(text))]
    await untilTrue(() => {
      here.send('first')
      return heard.includes('first')
    })
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen recollect'`.execute(store.db)
    await untilTrue(() => {
      here.send('second')
      return heard.includes('second')
    })
    await Promise.all([here.close(), there.close()])
    await other.close()
  })

  test('a server that is still starting is awaited, and a refusing one is not', async () => {
    await server.halt('fast')
    const opening = openPostgres({ url: server.url, maxConnections: 2, log: LOG })
    await pause(700)
    await server.start()
    await (await opening).close()
    const startedAt = performance.now()
    const nowhere = server.url.replace(/postgres$/, 'nowhere')
    await assert.rejects(openPostgres({ url: nowhere, maxConnections: 2, log: LOG }), /"nowhere" does not exist/)
    assert.ok(performance.now() - startedAt < 30_000)
    const closed = server.url.replace(/:\d+\//, ':1/')
    await assert.rejects(
      openPostgres({ url: closed, maxConnections: 2, log: LOG, startMs: 100 }),
      /RECOLLECT_DATABASE_URL is not available: .*ECONNREFUSED/,
    )
  })
})
