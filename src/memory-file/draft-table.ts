import { randomUUID } from 'node:crypto'
import type { Connection, Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import type { ReadRange } from './page-cache/object-pages.ts'

/** The objects of the bucket, by their whole keys. */
export type BucketFiles = {
  readRange: ReadRange
  listKeys(prefix: string): Promise<string[]>
  /** False, with nothing changed, where there is one already. */
  putNew(key: string, content: Buffer): Promise<boolean>
  removeAll(prefix: string): Promise<void>
}

const MANIFEST = /\/_versions\/\d+\.manifest$/
/** An empty table is two small files. */
const MOST_BYTES = 1024 * 1024

/**
 * Makes an empty table in a bucket, or opens the one that another node made meanwhile. Where two nodes let Lance make one table at once, the
 * later one overwrites the first, with what was added to it by then: of 60 memories begun by two nodes, 3 lost acknowledged documents. So a
 * draft is made under a name of its own, and its manifest, which is the table, put where it belongs if there is none.
 */
export async function makeByDraft(
  { connection, files, root }: { connection: Connection; files: BucketFiles; root: string },
  name: string,
  schema: Schema,
): Promise<Table> {
  const draft = `draft_${randomUUID()}`
  const from = `${root}/${draft}.lance/`
  try {
    const made = await connection.createEmptyTable(draft, schema)
    made.close()
    const keys = await files.listKeys(from)
    const manifestLast = keys.sort((a, b) => Number(MANIFEST.test(a)) - Number(MANIFEST.test(b)))
    for (const key of manifestLast) await copyNew(files, key, `${root}/${name}.lance/${key.slice(from.length)}`)
  } finally {
    await files.removeAll(from)
  }
  return connection.openTable(name)
}

async function copyNew({ readRange, putNew }: BucketFiles, from: string, to: string): Promise<void> {
  const file = await readRange(from, 0, MOST_BYTES - 1)
  if (file !== null) await putNew(to, file.content)
}
