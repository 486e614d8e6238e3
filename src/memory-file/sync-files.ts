import { open, readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isShort } from './is-short.ts'
import { isWhole, readManifest } from './manifest/read-manifest.ts'
import { manifestFile } from './version-files.ts'

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
export type SyncedFiles = { paths: Set<string>; version: number | null }

/** What of a memory file is known before anything is. */
export function nothingSynced(): SyncedFiles {
  return { paths: new Set(), version: null }
}

/** A version names a file that found no room for all of it, or was set aside for that. */
export class ShortFileError extends Error {
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
 * there before the call. Files that vanish meanwhile were cleaned up and are skipped. Rejects with {@link ShortFileError}.
 */
export async function syncFiles(folder: string, synced: SyncedFiles, version: number): Promise<void> {
  const files = (await listFiles(folder)).filter(isKept)
  const named = await listNew(folder, synced, version)
  await flushFresh(folder, synced, new Map(files.map((path) => [path, named?.get(path)])))
  const present = new Set(files.flatMap((file) => [file, dirname(file)]))
  for (const path of synced.paths) if (!present.has(path)) synced.paths.delete(path)
  noteSynced(synced, version)
}

/** Flushes what the commit wrote that made `version`, by itself or, where that is not known, by {@link syncFiles}. Rejects with {@link ShortFileError}. */
export async function syncCommit(folder: string, synced: SyncedFiles, version: number): Promise<void> {
  const manifest = join(folder, VERSIONS_FOLDER, manifestFile(version))
  const named = await listNamed(folder, version)
  // Set aside by who saw before that a file of it is short.
  if (named === null) throw new ShortFileError(manifest)
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
    if (bytes !== undefined && (await isShort(handle, path, bytes))) throw new ShortFileError(path)
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
