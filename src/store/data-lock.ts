import { DatabaseSync } from 'node:sqlite'

/**
 * Takes a data folder for this process; the function it returns gives it back. The lock is the operating system's, on a
 * small SQLite file in an exclusive transaction: it goes with the process, however that ends, so nothing stale is left.
 * Throws when another process has it.
 */
export function lockData(path: string): () => void {
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma journal_mode = delete; begin exclusive')
  } catch (cause) {
    database.close()
    throw new Error('Another Recollect process uses this data folder; stop it, or set RECOLLECT_DATA_DIR.', { cause })
  }
  return () => database.close()
}
