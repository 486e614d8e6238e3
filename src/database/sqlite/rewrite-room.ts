import { statfs } from 'node:fs/promises'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Every page goes into the log, and the rows that are longer now into more pages. Seen: 1.03. */
const ROOM_FACTOR = 1.5
const MEGABYTE = 1024 * 1024

/** Rejects where so much is not free that every row of these tables can be written anew in one transaction, and says how much is missing. */
export async function requireRoomToRewrite(
  transaction: Transaction<Tables>,
  tables: readonly string[],
  freeBytes: () => Promise<number>,
): Promise<void> {
  const { rows } = await sql<{ bytes: number | null }>`
    select sum(pgsize) as bytes from dbstat where aggregate = true and name in (${sql.join(tables)})`.execute(
    transaction,
  )
  const needed = (rows[0]?.bytes ?? 0) * ROOM_FACTOR
  const free = await freeBytes()
  if (free >= needed) return
  const [neededMegabytes, freeMegabytes] = [needed, free].map((bytes) => Math.ceil(bytes / MEGABYTE))
  throw new Error(
    `this version writes the rows of an earlier one anew when it starts first, which takes ${neededMegabytes} MB of disk, and ${freeMegabytes} MB are free: make room and start it again, nothing was changed`,
  )
}

/** What is free of the disk of a folder. */
export async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
