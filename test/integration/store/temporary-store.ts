import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { migrate } from '../../../src/store/migrations.ts'
import { openSqlite, type Store } from '../../../src/store/open-sqlite.ts'

/** An open database with all its tables, in a folder of its own; closed and removed after the test. */
export async function temporaryStore(test: Pick<TestContext, 'after'>): Promise<Store & { path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'))
  const path = join(folder, 'data', 'recollect.db')
  const store = await openSqlite({ path })
  test.after(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })
  await migrate(store.db)
  return { ...store, path }
}

/** A folder of its own that is removed after the test; what is opened in it must be closed by then. */
export async function temporaryFolder(test: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'))
  test.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
