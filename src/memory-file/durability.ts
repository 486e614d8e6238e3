import { type FileHandle, open, readdir, readFile, rename, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isComplete, type Manifest, readManifest } from './manifest.ts'
import { manifestFile, openVersionFolder, type VersionFiles } from './version-files.ts'

/**
 * Memory files whose flushed files are remembered. Flushing the files of any other again only costs
 * time.
 */
const MAX_TRACKED_FILES = 200

/** Flushes Lance's writes to disk, per memory file. */
export type DiskSync = {
  /** Flushes all files of a memory file. `version` existed before the call. */
  all(memoryId: string, version: number): Promise<void>
  /** Flushes the files that the commit of `version` wrote. */
  commit(memoryId: string, version: number): Promise<void>
  /** Forgets a dropped memory file. */
  forget(memoryId: string): void
}

/** For memory files in a bucket, whose writes are durable. */
const NO_SYNC: DiskSync = { all: async () => undefined, commit: async () => undefined, forget: () => undefined }

/**
 * Creates the sync for a directory of memory files; `null` means a bucket, where nothing has to be
 * flushed. When a version names a truncated file, `onTruncated` is called before the caller's
 * commit is rejected.
 */
export function createDiskSync(folder: string | null, onTruncated: (memoryId: string) => void): DiskSync {
  if (folder === null) return NO_SYNC
  // In order of last use, oldest first.
  const synced = new Map<string, SyncState>()

  function syncedOf(memoryId: string): SyncState {
    const files = synced.get(memoryId) ?? emptySyncState()
    synced.delete(memoryId)
    synced.set(memoryId, files)
    for (const oldest of synced.keys()) {
      if (synced.size <= MAX_TRACKED_FILES) break
      synced.delete(oldest)
    }
    return files
  }

  const withTruncationCheck = async (memoryId: string, sync: (files: SyncState) => Promise<void>): Promise<void> => {
    const files = syncedOf(memoryId)
    try {
      await sync(files)
    } catch (error) {
      if (!(error instanceof TruncatedFileError)) throw error
      // A concurrent compaction may have based another version on the truncated file.
      if (files.version !== null) await setAsideNewer(folder, memoryId, files.version)
      onTruncated(memoryId)
      throw error
    }
  }

  const pathOf = (memoryId: string) => join(folder, `${memoryId}.lance`)
  return {
    all: (memoryId, version) =>
      withTruncationCheck(memoryId, async (files) => {
        if (files.version !== version) await syncFiles(pathOf(memoryId), files, version)
      }),
    commit: (memoryId, version) =>
      withTruncationCheck(memoryId, (files) => syncCommit(pathOf(memoryId), files, version)),
    forget: (memoryId) => void synced.delete(memoryId),
  }
}

/*
 * Lance never calls fsync, so that a power failure can lose acknowledged chunks. Lance writes each
 * file once and never changes it, so one flush per file is enough.
 *
 * Old versions stay for ten minutes, in which single adds create over ten thousand files; listing
 * them took most of the time of an add. So a commit that directly follows a flushed version flushes
 * only the new files of its manifest. All files are listed only after a gap.
 *
 * Lance also does not notice when the last write of a data file, deletion file or index hits a full
 * disk. If there is room again for the manifest, the commit succeeds over a truncated file. So each
 * file is measured before it counts as written.
 */

/** Flushed files of a memory file by path, and the newest version whose files are all flushed. */
type SyncState = { paths: Set<string>; version: number | null }

/** The state of a memory file before anything is known. */
export function emptySyncState(): SyncState {
  return { paths: new Set(), version: null }
}

/** A version names a file that is truncated, or was set aside for that reason. */
class TruncatedFileError extends Error {
  constructor(path: string) {
    super(`no space left on device: ${basename(path)} is not as long as its version says, or gone`)
  }
}

/** Files flushed in parallel; more would occupy all four of Node's file threads. */
const PARALLEL_FLUSHES = 3
const DATA_FOLDER = 'data'
const VERSIONS_FOLDER = '_versions'

/** True if a memory file has a folder of versions. */
export async function hasVersions(folder: string, name: string): Promise<boolean> {
  return (await stat(join(folder, `${name}.lance`, VERSIONS_FOLDER)).catch(nullIfMissing)) !== null
}

/**
 * Files by path with their expected size: `null` means at least one byte, `undefined` means
 * unknown.
 */
type ExpectedSizes = ReadonlyMap<string, number | null | undefined>

/**
 * Flushes and records every file below `folder` that is not in `synced`, and the directories of
 * these files. `version` existed before the call. Files deleted in the meantime are skipped.
 * Rejects with {@link TruncatedFileError}.
 */
export async function syncFiles(folder: string, synced: SyncState, version: number): Promise<void> {
  const files = (await listFiles(folder)).filter(needsFlush)
  const named = await listFilesToMeasure(folder, synced, version)
  await flushNewFiles(folder, synced, new Map(files.map((path) => [path, named?.get(path)])))
  const present = new Set(files.flatMap((file) => [file, dirname(file)]))
  for (const path of synced.paths) if (!present.has(path)) synced.paths.delete(path)
  recordSynced(synced, version)
}

/**
 * Flushes the files that the commit of `version` wrote, or all files by {@link syncFiles} if those
 * are unknown. Rejects with {@link TruncatedFileError}.
 */
export async function syncCommit(folder: string, synced: SyncState, version: number): Promise<void> {
  const manifest = join(folder, VERSIONS_FOLDER, manifestFile(version))
  const named = await listManifestFiles(folder, version)
  // Another caller found a truncated file and set the version aside.
  if (named === null) throw new TruncatedFileError(manifest)
  if (synced.version !== version - 1) return syncFiles(folder, synced, version)
  await flushNewFiles(folder, synced, named.set(manifest, null))
  recordSynced(synced, version)
}

/** Never lowers the version: a slower, older flush must not unmark newer acknowledged files. */
function recordSynced(synced: SyncState, version: number): void {
  synced.version = Math.max(synced.version ?? version, version)
}

/**
 * Files of a version to measure. With no known state, files of the previous version are excluded:
 * damage in those was acknowledged, and rejecting this commit would not repair it.
 */
async function listFilesToMeasure(folder: string, { version: synced }: SyncState, version: number) {
  const named = await listManifestFiles(folder, version)
  if (synced !== null) return named
  const before = await listManifestFiles(folder, version - 1)
  return before === null ? null : new Map([...(named ?? [])].filter(([path]) => !before.has(path)))
}

/** Files that a version names; `null` if its manifest is missing or unreadable. */
async function listManifestFiles(folder: string, version: number): Promise<Map<string, number | null> | null> {
  const manifest = await readFile(join(folder, VERSIONS_FOLDER, manifestFile(version))).catch(nullIfMissing)
  if (manifest === null || !isComplete(manifest)) return null
  return new Map([...readManifest(manifest).files].map(([path, bytes]) => [join(folder, path), bytes]))
}

async function flushNewFiles(folder: string, { paths }: SyncState, files: ExpectedSizes): Promise<void> {
  const fresh = [...files.keys()].filter((file) => !paths.has(file))
  const folders = new Set(fresh.map((file) => dirname(file)))
  // The first file of a kind creates its directory, whose own entry is new, too. The first file of
  // all creates the memory file's directory.
  for (const held of folders) if (held !== dirname(folder) && !paths.has(held)) folders.add(dirname(held))
  const toFlush = [...fresh, ...folders]
  for (let i = 0; i < toFlush.length; i += PARALLEL_FLUSHES)
    await Promise.all(toFlush.slice(i, i + PARALLEL_FLUSHES).map((path) => flush(path, files.get(path))))
  for (const path of [...fresh, ...folders]) paths.add(path)
}

/** Every file below a directory, by path. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(nullIfMissing)) ?? []
  const lists = entries.map((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return [path]
    // Two directories contain nearly all files and no subdirectories. Listing only names is far
    // faster.
    return entry.name === DATA_FOLDER || entry.name === VERSIONS_FOLDER ? listFolder(path) : listFiles(path)
  })
  return (await Promise.all(lists)).flat()
}

async function listFolder(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(nullIfMissing)) ?? []
  return names.map((name) => join(folder, name))
}

/**
 * False for files that need no flush. Lance renames or deletes its temporary files. The version
 * hint only saves a listing. Only concurrent commits read a transaction file.
 */
function needsFlush(file: string): boolean {
  const name = basename(file)
  if (name.startsWith('.tmp') || name === 'latest_version_hint.json' || /#\d+$/.test(name)) return false
  return basename(dirname(file)) !== '_transactions'
}

async function flush(path: string, bytes: number | null | undefined): Promise<void> {
  const handle = await open(path, 'r').catch(nullIfMissing)
  if (handle === null) return
  try {
    if (bytes !== undefined && (await isTruncated(handle, path, bytes))) throw new TruncatedFileError(path)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Returns `null` for a missing file; throws any other error. */
function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** The last bytes of every complete Arrow file. */
const ARROW_FOOT = 'ARROW1'

/**
 * True if an open file is shorter than a version says. If `bytes` is unknown (`null`, for deletion
 * files), true for an empty file or an Arrow file without its footer.
 */
async function isTruncated(file: FileHandle, path: string, bytes: number | null): Promise<boolean> {
  const { size } = await file.stat()
  if (bytes !== null) return size !== bytes
  if (!path.endsWith('.arrow')) return size === 0
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(ARROW_FOOT.length),
    0,
    ARROW_FOOT.length,
    Math.max(0, size - ARROW_FOOT.length),
  )
  return buffer.toString('latin1', 0, bytesRead) !== ARROW_FOOT
}

/** The same by path. False for a missing file: a manifest only names files that were created. */
async function isTruncatedAt(path: string, bytes: number | null): Promise<boolean> {
  try {
    await using file = await open(path, 'r')
    return await isTruncated(file, path, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/**
 * Lance creates a table, then its full-text index. Rows are written and acknowledged only
 * afterwards.
 */
const VERSIONS_WITHOUT_ROWS = 2

/**
 * Sets aside the newest version of a memory file if it is incomplete. Returns true if it did.
 *
 * Lance links a manifest only when the manifest is complete, but flushes nothing. So a power
 * failure can leave an incomplete version that was never acknowledged, and so can a full disk. Once
 * the manifest is out of the way, Lance opens the previous version, which is complete: maintenance
 * keeps it until a newer one is flushed.
 *
 * Files older than the version are not checked. Damage in those was acknowledged, and an older
 * version would lack more.
 */
export async function setAsideTornVersion(folder: string, name: string): Promise<boolean> {
  const versions = openVersionFolder(folder)
  const [newest, before] = await versions.list(name)
  if (newest === undefined || (before === undefined && newest > VERSIONS_WITHOUT_ROWS)) return false
  const manifest = await readIfComplete(versions, name, newest)
  if (manifest !== null) {
    const known = before === undefined ? null : await readIfComplete(versions, name, before)
    const fresh = [...manifest.files].filter(([path]) => !known?.files.has(path))
    const areShort = fresh.map(([path, bytes]) => isTruncatedAt(join(folder, `${name}.lance`, path), bytes))
    if (!(await Promise.all(areShort)).includes(true)) return false
  }
  await setAside(folder, name, newest)
  return true
}

/**
 * Sets aside all versions newer than `version`, newest first. None was acknowledged, since each
 * names a truncated file.
 */
async function setAsideNewer(folder: string, name: string, version: number): Promise<void> {
  for (const newer of await openVersionFolder(folder).list(name))
    if (newer > version) await setAside(folder, name, newer)
}

async function setAside(folder: string, name: string, version: number): Promise<void> {
  const path = join(folder, `${name}.lance`, '_versions', manifestFile(version))
  await rename(path, `${path}.torn`)
}

async function readIfComplete(versions: VersionFiles, name: string, version: number): Promise<Manifest | null> {
  const file = await versions.read(name, version)
  return isComplete(file) ? readManifest(file) : null
}
