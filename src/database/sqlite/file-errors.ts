/** Primary result codes of SQLite (https://sqlite.org/rescode.html) for a file that is damaged or no database: CORRUPT, NOTADB. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26])
/** The same for one that this user may not open or write: PERM, READONLY, CANTOPEN. */
const BARRED: ReadonlySet<number> = new Set([3, 8, 14])

/** True when SQLite says that a file is damaged, or no database. */
export function isDamaged(error: unknown): boolean {
  return DAMAGED.has(primaryCode(error))
}

/** True when SQLite could not open a file or not write it, which most often is a matter of rights. */
export function isBarred(error: unknown): boolean {
  return BARRED.has(primaryCode(error))
}

function primaryCode(error: unknown): number {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : 0
}
