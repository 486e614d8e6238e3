import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Kysely } from 'kysely'
import { getObjectStoreId, setObjectStoreId } from '../../database/process-tables.ts'
import type { Tables } from '../../database/schema.ts'
import { lockDatabase } from '../../database/statements.ts'
import type { Blobs } from '../../objects/blobs.ts'

/** Object with the id of the object store; the database stores the same id. */
const ID_KEY = 'installation/id'

/**
 * Verifies that database and object store belong together: the first start writes the same id to
 * both. Rejects on a mismatch, such as a wrong bucket or data folder. Otherwise documents would
 * lose their contents, and the sweep would delete objects of the other installation.
 */
export async function bindObjectStore(db: Kysely<Tables>, blobs: Pick<Blobs, 'get' | 'put'>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockDatabase(transaction)
    const known = await getObjectStoreId(transaction)
    const content = await blobs.get(ID_KEY)
    const there = content === null ? null : await text(content)
    if (known === null && there === null) {
      const id = randomUUID()
      await blobs.put(ID_KEY, Buffer.from(id))
      return setObjectStoreId(transaction, id)
    }
    if (known !== there) throw new Error(describeMismatch(known, there))
  })
}

function describeMismatch(known: string | null, there: string | null): string {
  const both = 'Check RECOLLECT_DATABASE_URL, and RECOLLECT_OBJECT_STORE_URL or RECOLLECT_DATA_DIR.'
  if (known === null) return `The database is new, but the object store belongs to a different database. ${both}`
  if (there === null) return `The object store is new, but the database belongs to a different object store. ${both}`
  return `The database and the object store belong to different installations. ${both}`
}
