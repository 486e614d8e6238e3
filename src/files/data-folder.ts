import { join } from 'node:path'

/** Where everything stands in the data folder; all paths as absolute as `dataDir` is. */
export type DataFolder = {
  /** The SQLite database of the metadata; SQLite keeps `-wal` and `-shm` beside it. */
  database: string
  /** Held by the one process that serves this folder. */
  lock: string
  /** Root of the object store: originals, and extracted texts that are too long for the database. */
  objects: string
  /** Root of the memory files, which stand under it as `memories/mem_….lance`. */
  memoryFiles: string
  /** Uploads under way. On the same disk, so that a finished one is moved, not copied. */
  temporary: string
  /** What was read of memory files in a bucket; emptied at every start. */
  cache: string
}

/** The layout of a data folder. Makes nothing. */
export function dataFolder(dataDir: string): DataFolder {
  return {
    database: join(dataDir, 'recollect.sqlite'),
    lock: join(dataDir, 'recollect.lock'),
    objects: join(dataDir, 'objects'),
    memoryFiles: dataDir,
    temporary: join(dataDir, 'tmp'),
    cache: join(dataDir, 'cache'),
  }
}
