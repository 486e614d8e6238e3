import { type FileHandle, open, readdir, readFile, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isWhole, type Manifest, readManifest } from './manifest.ts'
import { manifestFile, openVersionFolder, type VersionFiles } from './version-files.ts'

/** Memory files whose flushed files are remembered; flushing those of another one again only costs time. */
const MOST_SYNCED = 200

/** Forces what Lance wrote to the disk, memory file by memory file. */
export type DiskSync = {
  /** All files of a memory file; `version` is one that was there before the call. */
  all(memoryId: string, version: number): Promise<void>
  /** What the commit wrote that made `version`. */
  commit(memoryId: string, version: number): Promise<void>
  /** Forgets a memory file that is gone. */
  forget(memoryId: string): void
}

/** For memory files in a bucket, where what was written is durable. */
const NO_SYNC: DiskSync = { all: async () => undefined, commit: async () => undefined, forget: () => undefined }

/**
 * For the memory files in a folder; `null`: they lie in no folder, and nothing has to be forced. Where a file is too short for the version that names it, `onShort` is told
 * of the memory before the caller, whose commit is to be as if it had not been.
 */
export function createDiskSync(folder: string | null, onShort: (memoryId: string) => void): DiskSync {
  if (folder === null) return NO_SYNC
  // In order of last use, oldest first.
  const synced = new Map<string, SyncedFiles>()

  function syncedOf(memoryId: string): SyncedFiles {
    const files = synced.get(memoryId) ?? nothingSynced()
    synced.delete(memoryId)
    synced.set(memoryId, files)
    for (const oldest of synced.keys()) {
      if (synced.size <= MOST_SYNCED) break
      synced.delete(oldest)
    }
    return files
  }

  const measured = async (memoryId: string, sync: (files: SyncedFiles) => Promise<void>): Promise<void> => {
    const files = syncedOf(memoryId)
    try {
      await sync(files)
    } catch (error) {
      if (!(error instanceof TruncatedFileError)) throw error
      // Another version may stand on the short one by now, of an upkeep beside the add.
      if (files.version !== null) await setAsideBehind(folder, memoryId, files.version)
      onShort(memoryId)
      throw error
    }
  }

  const pathOf = (memoryId: string) => join(folder, `${memoryId}.lance`)
  return {
    all: (memoryId, version) =>
      measured(memoryId, async (files) => {
        if (files.version !== version) await syncFiles(pathOf(memoryId), files, version)
      }),
    commit: (memoryId, version) => measured(memoryId, (files) => syncCommit(pathOf(memoryId), files, version)),
    forget: (memoryId) => void synced.delete(memoryId),
  }
}

/*
 * Lance calls no fsync: without this an acknowledged chunk can be lost with the power. Its files are written once and
 * never changed, so each is flushed once. Old versions stay for ten minutes, in which single adds leave ten thousand and more
 * files: listing them took most of an add's time. So a commit right behind a version that is on the disk flushes what is
 * new in its own manifest, and all files are listed only where something else came between.
 *
 * Nor does Lance hear that the last write of a data file, a deletion file or an index found no room: where some is there again for the manifest, the commit stands, over
 * a file that is too short. So each is measured before it counts as written.
 */

/** What of a memory file is known to be on the disk: files by path, and the newest version up to which all is. */
type SyncedFiles = { paths: Set<string>; version: number | null }

/** What of a memory file is known before anything is. */
export function nothingSynced(): SyncedFiles {
  return { paths: new Set(), version: null }
}

/** A version names a file that found no room for all of it, or was set aside for that. */
class TruncatedFileError extends Error {
  constructor(path: string) {
    super(`no space left on device: ${basename(path)} is not as long as its version says, or gone`)
  }
}

/** Files flushed at a time; more would fill Node's four file threads for others. */
const AT_ONCE = 3
const DATA_FOLDER = 'data'
const VERSIONS_FOLDER = '_versions'

/** Files by path, with the bytes that they must have: `null` for one at least, `undefined` where nothing is said. */
type Expected = ReadonlyMap<string, number | null | undefined>

/**
 * Flushes every file under `folder` that is not in `synced`, and the folders that hold them, then notes them. `version` is one that was
 * there before the call. Files that vanish meanwhile were cleaned up and are skipped. Rejects with {@link TruncatedFileError}.
 */
export async function syncFiles(folder: string, synced: SyncedFiles, version: number): Promise<void> {
  const files = (await listFiles(folder)).filter(isKept)
  const named = await listNew(folder, synced, version)
  await flushFresh(folder, synced, new Map(files.map((path) => [path, named?.get(path)])))
  const present = new Set(files.flatMap((file) => [file, dirname(file)]))
  for (const path of synced.paths) if (!present.has(path)) synced.paths.delete(path)
  noteSynced(synced, version)
}

/** Flushes what the commit wrote that made `version`, by itself or, where that is not known, by {@link syncFiles}. Rejects with {@link TruncatedFileError}. */
export async function syncCommit(folder: string, synced: SyncedFiles, version: number): Promise<void> {
  const manifest = join(folder, VERSIONS_FOLDER, manifestFile(version))
  const named = await listNamed(folder, version)
  // Set aside by who saw before that a file of it is short.
  if (named === null) throw new TruncatedFileError(manifest)
  if (synced.version !== version - 1) return syncFiles(folder, synced, version)
  await flushFresh(folder, synced, named.set(manifest, null))
  noteSynced(synced, version)
}

/** One that began earlier may end later: what was noted meanwhile was acknowledged, and stays noted. */
function noteSynced(synced: SyncedFiles, version: number): void {
  synced.version = Math.max(synced.version ?? version, version)
}

/**
 * What is to be measured of a version: what the one before does not name, too, where nothing is known of this memory file yet. What is damaged of that was acknowledged, and
 * nothing that is refused would mend it.
 */
async function listNew(folder: string, { version: synced }: SyncedFiles, version: number) {
  const named = await listNamed(folder, version)
  if (synced !== null) return named
  const before = await listNamed(folder, version - 1)
  return before === null ? null : new Map([...(named ?? [])].filter(([path]) => !before.has(path)))
}

/** The files that a version names; `null` where its manifest is gone or not as expected. */
async function listNamed(folder: string, version: number): Promise<Map<string, number | null> | null> {
  const manifest = await readFile(join(folder, VERSIONS_FOLDER, manifestFile(version))).catch(skipAbsent)
  if (manifest === null || !isWhole(manifest)) return null
  return new Map([...readManifest(manifest).files].map(([path, bytes]) => [join(folder, path), bytes]))
}

async function flushFresh(folder: string, { paths }: SyncedFiles, files: Expected): Promise<void> {
  const fresh = [...files.keys()].filter((file) => !paths.has(file))
  const folders = new Set(fresh.map((file) => dirname(file)))
  // Where the first file of its kind made a folder, the name of that is new, too, and the first of all made the memory file's.
  for (const held of folders) if (held !== dirname(folder) && !paths.has(held)) folders.add(dirname(held))
  const toFlush = [...fresh, ...folders]
  for (let i = 0; i < toFlush.length; i += AT_ONCE)
    await Promise.all(toFlush.slice(i, i + AT_ONCE).map((path) => flush(path, files.get(path))))
  for (const path of [...fresh, ...folders]) paths.add(path)
}

/** Every file under a folder, by path. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(skipAbsent)) ?? []
  const lists = entries.map((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return [path]
    // Two folders hold nearly all files, by the thousand, and no folders: their names alone are far quicker to list.
    return entry.name === DATA_FOLDER || entry.name === VERSIONS_FOLDER ? listFolder(path) : listFiles(path)
  })
  return (await Promise.all(lists)).flat()
}

async function listFolder(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(skipAbsent)) ?? []
  return names.map((name) => join(folder, name))
}

/**
 * Lance's temporary files are renamed or dropped; the version hint is rewritten with each commit and only saves a
 * listing; a transaction file is of use to commits running beside it alone.
 */
function isKept(file: string): boolean {
  const name = basename(file)
  if (name.startsWith('.tmp') || name === 'latest_version_hint.json' || /#\d+$/.test(name)) return false
  return basename(dirname(file)) !== '_transactions'
}

async function flush(path: string, bytes: number | null | undefined): Promise<void> {
  const handle = await open(path, 'r').catch(skipAbsent)
  if (handle === null) return
  try {
    if (bytes !== undefined && (await isTruncated(handle, path, bytes))) throw new TruncatedFileError(path)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** `null` for what is not there; throws any other error. */
function skipAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** The letters every whole Arrow file ends with. */
const ARROW_FOOT = 'ARROW1'

/**
 * True for an open file that is not as long as a version says: of other than `bytes`; where that is not told (`null`, of deletion files), of none, or an Arrow file
 * without its foot.
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

/** The same by path; false where there is none, since whoever names a file in a manifest made it before. */
async function isTruncatedAt(path: string, bytes: number | null): Promise<boolean> {
  try {
    await using file = await open(path, 'r')
    return await isTruncated(file, path, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** A table is made, then its index of words; only then rows are written, and acknowledged. */
const VERSIONS_WITHOUT_ROWS = 2

/**
 * Sets the newest version of a memory file aside when it was not written whole, and tells whether it did. Lance links a manifest into place
 * only when it is complete; but it flushes nothing, so the loss of power can leave such a version of what was not yet acknowledged, and a disk
 * without room can (`sync-files.ts`). With the manifest out of the way Lance opens the version before, which was flushed whole, since
 * upkeep leaves it until more is (`TableCare`). Files that were there before the version do not count: what is damaged of those was acknowledged, and an
 * older version would lack more.
 */
export async function setAsideTornVersion(folder: string, name: string): Promise<boolean> {
  const versions = openVersionFolder(folder)
  const [newest, before] = await versions.list(name)
  if (newest === undefined || (before === undefined && newest > VERSIONS_WITHOUT_ROWS)) return false
  const manifest = await readIfWhole(versions, name, newest)
  if (manifest !== null) {
    const known = before === undefined ? null : await readIfWhole(versions, name, before)
    const fresh = [...manifest.files].filter(([path]) => !known?.files.has(path))
    const areShort = fresh.map(([path, bytes]) => isTruncatedAt(join(folder, `${name}.lance`, path), bytes))
    if (!(await Promise.all(areShort)).includes(true)) return false
  }
  await setAside(folder, name, newest)
  return true
}

/** Sets every version aside that is newer than this one, the newest first: none of them was acknowledged, since one names a file that found no room. */
async function setAsideBehind(folder: string, name: string, version: number): Promise<void> {
  for (const newer of await openVersionFolder(folder).list(name))
    if (newer > version) await setAside(folder, name, newer)
}

async function setAside(folder: string, name: string, version: number): Promise<void> {
  const path = join(folder, `${name}.lance`, '_versions', manifestFile(version))
  await rename(path, `${path}.torn`)
}

async function readIfWhole(versions: VersionFiles, name: string, version: number): Promise<Manifest | null> {
  const file = await versions.read(name, version)
  return isWhole(file) ? readManifest(file) : null
}
