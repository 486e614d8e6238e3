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
import { readMemoryBytes } from './read-memory-bytes.ts'

/** The object store and the memory files, wherever the settings say. */
export type Storage = {
  blobs: Blobs
  memoryFile: LanceMemoryFile
  /** Takes away what unfinished writes left; to be called now and then. */
  sweep(): Promise<void>
  /** To be called after the memory file was closed. */
  close(): void
}

/** No write takes longer, of whichever node; the parts that a crash leaves cost no more than their room until then. */
const UPLOAD_OVER_MS = 24 * 60 * 60_000
const SWEEP_PAUSE_MS = 60 * 60_000

/** Opens both; `now` is the time that all processes on them agree on. Rejects with {@link ConfigError} where the store refuses, or cannot keep what several writers write; with what it answered where it is down. */
export async function openStorage(
  { dataDir, objectStore }: Config,
  { log, now, openFiles }: { log: Log; now: () => Date; openFiles?: OpenFiles },
): Promise<Storage> {
  const folder = dataFolder(dataDir)
  const gate =
    openFiles === undefined ? {} : { maxFiles: openFiles.maxOfMemoryFiles, onOutOfFiles: openFiles.noteExhausted }
  const common = { log, now, memoryBytes: readMemoryBytes(), ...gate }
  if (objectStore === null) {
    const blobs = await createDiskBlobs({ directory: folder.objects })
    // The folder is ours alone, so whatever is unfinished in it is of a process that died.
    await blobs.sweepTemporary(0)
    await blobs.removeAll('probe/')
    const memoryFile = await createLanceMemoryFile({ directory: folder.memoryFiles, ...common })
    return { blobs, memoryFile, sweep: async () => undefined, close: () => undefined }
  }
  // Its SDK takes a quarter of a second and 30 MB, which a service on a disk saves.
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
 * Memory files need a store that refuses to make an object which is there (`If-None-Match: *`): Lance tells by it that another commit came
 * first. On one that takes both, 180 to 250 of 500 acknowledged chunks were lost without an error; one process is enough for that, as it puts a
 * file in order while it adds.
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
    'The store of RECOLLECT_OBJECT_STORE_URL does not honour If-None-Match: *, by which two commits to a memory are told apart: acknowledged documents would be lost. docs/scaling.md says which stores do.',
  ])
}
