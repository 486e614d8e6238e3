import { memoizeSuccess } from '../concurrency/wait.ts'
import { type Config, ConfigError } from '../config.ts'
import { dataFolder } from '../files/data-folder.ts'
import { createLanceMemoryFile, type LanceMemoryFile } from '../memory-file/lance-memory-file.ts'
import type { Blobs } from '../objects/blobs.ts'
import { createDiskBlobs } from '../objects/disk-blobs.ts'
import type { S3Blobs } from '../objects/s3-blobs.ts'
import { S3Failure } from '../objects/s3-errors.ts'
import type { Log } from '../observability/log.ts'
import type { OpenFiles } from './open-files.ts'
import { readMemoryBytes } from './open-files.ts'

/** Object store and memory files, at their configured places. */
export type Storage = {
  blobs: Blobs
  memoryFile: LanceMemoryFile
  /** Deletes the remains of unfinished writes; call regularly. */
  sweep(): Promise<void>
  /** Call after the memory file is closed. */
  close(): void
}

/** No write of any process takes longer. Until then, parts left by a crash only take space. */
const UPLOAD_OVER_MS = 24 * 60 * 60_000
const SWEEP_PAUSE_MS = 60 * 60_000
/** Share of all memory for the indexes of searched memories. */
const SEARCH_MEMORY_SHARE = 1 / 4

/**
 * Opens both stores. `now` is the time that all processes agree on. Rejects with {@link
 * ConfigError} if the store refuses access or cannot handle concurrent writers, and with the
 * store's error if it is down.
 */
export async function openStorage(
  { dataDir, objectStore, search }: Config,
  { log, now, openFiles }: { log: Log; now: () => Date; openFiles?: OpenFiles },
): Promise<Storage> {
  const folder = dataFolder(dataDir)
  const gate =
    openFiles === undefined ? {} : { maxFiles: openFiles.maxOfMemoryFiles, onOutOfFiles: openFiles.noteExhausted }
  const memoryBytes = readMemoryBytes()
  const indexBytes = search.memoryBytes ?? memoryBytes * SEARCH_MEMORY_SHARE
  const common = { log, now, memoryBytes, indexBytes, ...gate }
  if (objectStore === null) {
    const blobs = await createDiskBlobs({ directory: folder.objects })
    // Only this process uses the folder, so every unfinished file belongs to a dead process.
    await blobs.sweepTemporary(0)
    await blobs.purge('probe/')
    const memoryFile = await createLanceMemoryFile({ directory: folder.memoryFiles, ...common })
    return { blobs, memoryFile, sweep: async () => undefined, close: () => undefined }
  }
  // The SDK takes a quarter of a second and 30 MB, which a service on disk saves.
  const { createS3Blobs } = await import('../objects/s3-blobs.ts')
  const blobs = createS3Blobs({ place: objectStore, directory: folder.temporary, now })
  await requireFitStore(blobs)
  const { files, ping } = blobs
  const { cacheBytes } = objectStore
  const cache = cacheBytes === 0 ? {} : { cache: { directory: folder.cache, maxBytes: cacheBytes } }
  const directory = { bucket: objectStore, ping, files, ...cache }
  const memoryFile = await createLanceMemoryFile({ directory, ...common })
  const sweep = memoizeSuccess(async () => void (await blobs.sweepTemporary(UPLOAD_OVER_MS)), SWEEP_PAUSE_MS)
  return { blobs, memoryFile, sweep, close: blobs.close }
}

/**
 * Memory files need a store that refuses to overwrite an object with `If-None-Match: *`: Lance
 * detects concurrent commits by it. On a store that ignores it, 180 to 250 of 500 acknowledged
 * chunks were lost without an error. A single process is enough for the loss, since compaction runs
 * beside adds.
 */
async function requireFitStore(blobs: S3Blobs): Promise<void> {
  try {
    await blobs.probe()
    if (await blobs.hasConditionalWrites()) return
  } catch (error) {
    const { cause } = error as Error
    if (!(cause instanceof S3Failure)) throw error
    throw cause.isRefusal ? new ConfigError([cause.message]) : new Error(cause.message, { cause })
  }
  throw new ConfigError([
    'The store of RECOLLECT_OBJECT_STORE_URL does not support If-None-Match: *, ' +
      'so concurrent commits to a memory would lose documents. docs/scaling.md lists compatible stores.',
  ])
}
