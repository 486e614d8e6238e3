import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { mapConcurrent } from '../concurrency/map-concurrent.ts'
import { makeFolder } from '../files/make-folder.ts'
import { type Blobs, requireKey, requireListedPrefix, requirePrefix } from './blobs.ts'
import { createBallastFile, createDiskRoom, hasCode, isMissing, toBlobError } from './disk-space.ts'
import { probeBlobs } from './probe-blobs.ts'

/**
 * Object store on a local disk. Each object is a file under `objects/` whose path is the key. Files
 * and folders are private to the owner.
 *
 * A write goes to a file under `temporary/`, which is synced and renamed; then the target folder is
 * synced. After a power loss the object exists completely or not at all.
 *
 * A start deletes leftovers under `temporary/` that are older than the longest write. Newer files
 * may belong to other processes.
 *
 * An object store on disk, with operations that only a disk needs.
 */
export type DiskBlobs = Blobs & {
  /**
   * Deletes temporary files of unfinished writes older than `olderThanMs`. Returns the number of
   * files.
   */
  sweepTemporary(olderThanMs: number): Promise<number>
}

/** No write lasts longer: the longest request time-out is 10 minutes (API document, "Limits"). */
const MAX_WRITE_MS = 60 * 60 * 1000
/**
 * Disk bytes per byte of text while adding: chunks, vectors, logs. Measured with originals of 1.5
 * MB.
 */
const DISK_BYTES_PER_TEXT_BYTE = 4
/** Concurrent `stat` calls. More would occupy all four threads of Node's file pool. */
const MAX_CONCURRENT_STATS = 3
/** The object's folder may be pruned before the rename; both are then repeated. */
const MAX_RENAME_ATTEMPTS = 5

type Places = { objects: string; temporary: string }

/**
 * Opens the store, creates missing folders and sweeps temporary files. Rejects if a folder cannot
 * be created or read.
 */
export async function createDiskBlobs({ directory }: { directory: string }): Promise<DiskBlobs> {
  const places = { objects: join(directory, 'objects'), temporary: join(directory, 'temporary') }
  for (const folder of [directory, places.objects, places.temporary]) await makeDurableFolder(folder)
  const reserve = createBallastFile(directory)
  const room = createDiskRoom(directory)
  const blobs: DiskBlobs = {
    put: (key, content) => withBlobErrors(() => put(places, requireKey(key), content)),
    putFile: (key, path) => withBlobErrors(() => putFile(places, requireKey(key), path)),
    get: (key, range) => withBlobErrors(() => get(join(places.objects, requireKey(key)), range)),
    size: (key) => withBlobErrors(() => size(join(places.objects, requireKey(key)))),
    list: (prefix) => withBlobErrors(() => list(places, requirePrefix(prefix))),
    measure: (prefix) => withBlobErrors(() => measure(places, requireListedPrefix(prefix))),
    purge: (...prefixes) => withBlobErrors(() => purge(places, prefixes.map(requirePrefix))),
    requireRoom: (bytes) =>
      withBlobErrors(async () => {
        await room.require(bytes * DISK_BYTES_PER_TEXT_BYTE)
        await reserve.hold()
      }),
    isShortOfRoom: () => withBlobErrors(room.isShort),
    releaseBallast: () => withBlobErrors(reserve.release),
    probe: () => probeBlobs(blobs),
    sweepTemporary: (olderThanMs) => sweepTemporary(places, olderThanMs),
  }
  await blobs.sweepTemporary(MAX_WRITE_MS)
  return blobs
}

async function withBlobErrors<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    throw toBlobError(error)
  }
}

async function put(places: Places, key: string, content: Buffer | Readable): Promise<{ bytes: number }> {
  const path = join(places.temporary, randomUUID())
  try {
    const bytes = await writeDurably(path, content)
    await place(places, key, path)
    return { bytes }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

async function writeDurably(path: string, content: Buffer | Readable): Promise<number> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(content)
  await file.sync()
  return (await file.stat()).size
}

/** Renames a synced file to the path of its key and syncs the target folder. */
async function place(places: Places, key: string, path: string): Promise<void> {
  const target = join(places.objects, key)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makeDurableFolder(dirname(target))
      await rename(path, target)
      break
    } catch (error) {
      if (!isMissing(error) || attempt === MAX_RENAME_ATTEMPTS || (await size(path)) === null) throw error
    }
  }
  await syncFolder(dirname(target))
}

async function putFile(places: Places, key: string, path: string): Promise<{ bytes: number }> {
  const bytes = await syncFile(path)
  try {
    await place(places, key, path)
    return { bytes }
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error
  }
  // A rename across devices is not atomic: copy durably, then delete.
  const copied = await put(places, key, createReadStream(path))
  await rm(path, { force: true })
  return copied
}

async function syncFile(path: string): Promise<number> {
  await using file = await open(path, 'r+')
  await file.chmod(0o600)
  await file.sync()
  return (await file.stat()).size
}

async function get(path: string, range?: { start: number; end: number }): Promise<Readable | null> {
  const file = await openIfThere(path)
  if (file === null) return null
  return file.createReadStream(range ?? {})
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (isMissing(error)) return null
    throw toBlobError(error)
  }
}

async function size(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return null
    throw toBlobError(error)
  }
}

/** Splits a prefix into a folder and the start of the names inside. */
function splitPrefix(prefix: string): { folder: string; beginning: string } {
  const end = prefix.lastIndexOf('/') + 1
  return { folder: prefix.slice(0, end), beginning: prefix.slice(end) }
}

async function listNames(places: Places, prefix: string): Promise<string[]> {
  const { folder, beginning } = splitPrefix(prefix)
  try {
    const names = await readdir(join(places.objects, folder))
    return names.filter((name) => name.startsWith(beginning)).map((name) => folder + name)
  } catch (error) {
    if (isMissing(error)) return []
    throw toBlobError(error)
  }
}

async function list(places: Places, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for (const name of await listNames(places, prefix)) {
    const path = join(places.objects, name)
    const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return null
      throw toBlobError(error)
    })
    if (entries === null) keys.push(name)
    for (const entry of entries ?? []) {
      if (entry.isFile()) keys.push(join(entry.parentPath, entry.name).slice(places.objects.length + 1))
    }
  }
  return keys.sort()
}

async function measure(places: Places, prefix: string): Promise<Map<string, number>> {
  const keys = await list(places, prefix)
  const sizes = await mapConcurrent(keys, MAX_CONCURRENT_STATS, (key) => size(join(places.objects, key)))
  // Skip objects deleted since the listing.
  return new Map(keys.flatMap((key, i) => (typeof sizes[i] === 'number' ? [[key, sizes[i]] as const] : [])))
}

async function purge(places: Places, prefixes: readonly string[]): Promise<void> {
  for (const prefix of prefixes) {
    const names = await listNames(places, prefix)
    for (const name of names) await rm(join(places.objects, name), { recursive: true, force: true, maxRetries: 3 })
  }
  // Includes prefixes without files: a process may have died before the deletion was durable.
  const folders = prefixes.map((prefix) => join(places.objects, splitPrefix(prefix).folder))
  await pruneFolders(folders, places.objects)
}

async function sweepTemporary(places: Places, olderThanMs: number): Promise<number> {
  let swept = 0
  for (const name of await readdir(places.temporary)) {
    const path = join(places.temporary, name)
    const found = await stat(path).catch(() => null)
    if (found === null || Date.now() - found.mtimeMs < olderThanMs) continue
    await rm(path, { force: true })
    swept += 1
  }
  return swept
}

/** Creates a folder and its parents, private to the owner, and syncs the parent of each. */
async function makeDurableFolder(path: string): Promise<void> {
  const firstMade = await makeFolder(path)
  if (firstMade === null) return
  for (let folder = path; folder.length >= firstMade.length; folder = dirname(folder)) await syncFolder(dirname(folder))
}

/** Syncs the names in a folder. A missing folder is not an error. */
async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r')
    await folder.sync()
  } catch (error) {
    // Windows cannot open folders; its file systems persist names without a sync.
    if (!isMissing(error) && !hasCode(error, 'EISDIR', 'EPERM')) throw error
  }
}

/** Deletes empty folders upwards, up to but excluding `root`, and syncs. */
async function pruneFolders(paths: readonly string[], root: string): Promise<void> {
  const gone = new Set<string>()
  const kept = new Set<string>()
  for (const path of paths) {
    let folder = path.replace(/[/\\]$/, '')
    while (folder.length > root.length && (gone.has(folder) || (await removeEmpty(folder)))) {
      gone.add(folder)
      folder = dirname(folder)
    }
    kept.add(folder)
  }
  // A folder kept for one path may be deleted for a later path.
  for (const folder of kept) if (!gone.has(folder)) await syncFolder(folder)
}

/** False when the folder holds something. */
async function removeEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    if (isMissing(error)) return true
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) return false
    throw error
  }
}
