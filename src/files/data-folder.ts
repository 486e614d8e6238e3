import { join } from 'node:path'

/** Paths in the data folder; absolute if `dataDir` is absolute. */
export type DataFolder = {
  /** SQLite database of the metadata. SQLite also writes `-wal` and `-shm` files. */
  database: string
  /** Lock file of the process that serves the folder. */
  lock: string
  /** Root of the object store: originals, and extracted texts too long for the database. */
  objects: string
  /** Root of the memory files (`memories/mem_….lance`). */
  memoryFiles: string
  /** Uploads in progress. On the same disk, so that a finished upload is moved, not copied. */
  temporary: string
  /** Key of stored credentials; made when the first ones are stored. */
  secretsKey: string
  /** Cache of memory files in a bucket; cleared at every start. */
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
    secretsKey: join(dataDir, 'secrets.key'),
    cache: join(dataDir, 'cache'),
  }
}
