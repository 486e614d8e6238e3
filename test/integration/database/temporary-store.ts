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

/** True where these tests run on PostgreSQL: `npm run test:scale` runs them again with the URL of a server. */
export const ON_POSTGRES = SERVER_URL !== undefined

/** An open database with all its tables, of its own; closed and removed after the test. `place` opens it once more. */
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

/** Opens a database by the place of another store of these tests. */
export function openPlace(place: string): Promise<Store> {
  return openStore({ place, maxConnections: 4, log: SILENT })
}

/** Where an empty database may be opened; to be removed when all that opened it is closed. */
export async function makePlace(): Promise<{ place: string; remove(): Promise<void> }> {
  if (SERVER_URL !== undefined) return makeSchema(SERVER_URL)
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'))
  return {
    place: join(folder, 'data', 'recollect.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A schema is as good as a database of its own here, and made in a tenth of the time. */
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

/** A folder of its own that is removed after the test; what is opened in it must be closed by then. */
export async function temporaryFolder(test: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'))
  test.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Objects of a test in which no disk is full. */
export const NO_RESERVE = { releaseReserve: async () => {} }
