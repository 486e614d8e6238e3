import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { migrate } from '../../../src/database/migrations.ts'
import { openStore } from '../../../src/database/open-store.ts'
import type { Store } from '../../../src/database/store.ts'

const SERVER_URL = process.env['RECOLLECT_TEST_DATABASE_URL']
const SILENT = { warn() {} }

/**
 * True where these tests run on PostgreSQL: `npm run test:scale` repeats them with the URL of a
 * server.
 */
export const ON_POSTGRES = SERVER_URL !== undefined

/**
 * A new open database with all tables, closed and removed after the test. `place` opens the same
 * database again.
 */
export async function temporaryStore(test: Pick<TestContext, 'after'>): Promise<Store & { place: string }> {
  const { place, remove } = await makePlace()
  const store = await openPlace(place)
  test.after(async () => {
    await store.close()
    await remove()
  })
  await migrate(store)
  return { ...store, place }
}

/** Opens a database by the place of another store. */
export function openPlace(place: string): Promise<Store> {
  return openStore({ place, maxConnections: 4, log: SILENT })
}

/** A place for an empty database; remove after closing everything opened there. */
export async function makePlace(): Promise<{ place: string; remove(): Promise<void> }> {
  if (SERVER_URL !== undefined) return makeSchema(SERVER_URL)
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'))
  return {
    place: join(folder, 'data', 'recollect.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A schema is as separate as a database here, and is created in a tenth of the time. */
async function makeSchema(url: string): Promise<{ place: string; remove(): Promise<void> }> {
  const schema = `test_${randomBytes(8).toString('hex')}`
  const run = async (statement: string) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await run(`create schema ${schema}`)
  return {
    place: `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`,
    remove: () => run(`drop schema ${schema} cascade`),
  }
}

/**
 * A temporary folder, removed after the test; everything opened in the folder must be closed by
 * then.
 */
export async function temporaryFolder(test: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'))
  test.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Objects for tests without a full disk. */
export const NO_RESERVE = { releaseBallast: async () => {} }
