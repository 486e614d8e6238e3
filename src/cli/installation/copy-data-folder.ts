/**
 * Copies a data folder that a service may be using. The order makes the copy consistent:
 *
 * 1. The database, as of one moment. It determines what exists.
 *
 * 2. Each memory file: first its versions, then the files that these name. Lance never changes a
 * file, and keeps those of an old version for ten minutes, so all files of the copied versions
 * still exist. In the reverse order, a version could be copied whose files were not there yet. On a
 * full disk old versions are deleted immediately (reclaim.ts). So if the newest copied version is
 * gone, the copy is repeated for the new files.
 *
 * 3. The objects, which never change either.
 *
 * A memory re-embedded during the copy switches to another file, and its old file is deleted some
 * minutes later. Then steps 1 and 2 are repeated; files already in the copy are not copied again.
 *
 * So the copy has everything its database names, except what was deleted or replaced during the
 * copy. Files added during the copy are there but unnamed, and never visible. `recollect doctor
 * --storage --fix` reports both. Deleted chunks are rebuilt if their text is in the copy
 * (rebuild-chunks.ts), and reported otherwise; added files are deleted.
 */
import { chmodSync, constants } from 'node:fs'
import { access, copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import { ConfigError, readConfig } from '../../config.ts'
import { dataFolder } from '../../files/data-folder.ts'
import { makeFolder } from '../../files/make-folder.ts'
import { UsageError } from '../failures.ts'
import { hasDatabase } from './open-metadata.ts'

/** Number of copied files. */
export type CopyResult = { memoryFiles: number; files: number }

/**
 * Less than Lance's ten minutes. A memory file that took longer is copied again, which copies only
 * new files.
 */
const VERSIONS_HOLD_MS = 8 * 60_000
const FILES_AT_ONCE = 8
/** Our choice: more re-embeddings than can finish during the attempts. */
const MAX_TRIES = 10
/** Shares blocks if the file system can. */
const CLONE_IF_ABSENT = constants.COPYFILE_EXCL + constants.COPYFILE_FICLONE

/**
 * Copies the folder to an empty or missing folder outside of it. Rejects if the target is unusable,
 * or if a file cannot be read or written.
 */
export async function copyDataFolder(from: string, to: string): Promise<CopyResult> {
  // The copy would copy itself, be lost together with the original, and look like unnamed objects.
  if (`${resolve(to)}${sep}`.startsWith(`${resolve(from)}${sep}`) && resolve(to) !== resolve(from))
    throw new UsageError(`${to} is in the data folder itself; name a folder elsewhere.`)
  await requireEmptyFolder(to)
  let files = 0
  let memoryFiles = 0
  let isOfOneKind = false
  for (let tries = 0; !isOfOneKind && tries < MAX_TRIES; tries += 1) {
    const copied = await copyMemories(from, to)
    files += copied.files
    memoryFiles = copied.memoryFiles
    isOfOneKind = copied.isOfOneKind
  }
  if (!isOfOneKind) throw new Error('Memories were re-embedded while they were copied; back up again later.')
  const objects = join('objects', 'objects')
  files += await copyTree(join(from, objects), join(to, objects), () => true)
  return { memoryFiles, files }
}

/**
 * Copies the database and the memory files; `isOfOneKind` is false if a memory has switched to
 * another file since.
 */
async function copyMemories(from: string, to: string): Promise<CopyResult & { isOfOneKind: boolean }> {
  const [source, target] = [dataFolder(from), dataFolder(to)]
  await rm(target.database, { force: true })
  copyDatabase(source.database, target.database)
  const memories = join(source.memoryFiles, 'memories')
  const names = await listNames(memories)
  let files = 0
  for (const name of names)
    files += await copyMemoryFile(join(memories, name), join(target.memoryFiles, 'memories', name))
  const now = readFileNames(source.database)
  const isOfOneKind = [...readFileNames(target.database)].every(([id, file]) => (now.get(id) ?? file) === file)
  return { memoryFiles: names.length, files, isOfOneKind }
}

/** Names of the memory files, by memory. */
function readFileNames(path: string): Map<string, string> {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = database.prepare('select id, coalesce(file, id) as file from memories').all()
    return new Map(rows.map(({ id, file }) => [String(id), String(file)]))
  } finally {
    database.close()
  }
}

/** Copies the state of one moment, without blocking writers. */
function copyDatabase(from: string, to: string): void {
  const database = new DatabaseSync(from)
  try {
    database.prepare('vacuum into ?').run(to)
    chmodSync(to, 0o600)
  } finally {
    database.close()
  }
}

async function copyMemoryFile(from: string, to: string): Promise<number> {
  let files = 0
  for (;;) {
    const begunAt = performance.now()
    files += await copyTree(join(from, '_versions'), join(to, '_versions'), () => true)
    files += await copyTree(from, to, (path) => !path.startsWith('_versions'))
    const isInTime = performance.now() - begunAt < VERSIONS_HOLD_MS
    if (isInTime && (await isNewestStanding(from, to))) return files
  }
}

/** False if the newest version of the copy is gone from the original, possibly with its files. */
async function isNewestStanding(from: string, to: string): Promise<boolean> {
  const versionsOf = (folder: string): Promise<string[]> => readdir(join(folder, '_versions')).catch(nothingIfMissing)
  const standing = await versionsOf(from)
  // Lance's names sort the newest first. A deleted memory has none.
  const [newest] = (await versionsOf(to)).filter((name) => name.endsWith('.manifest')).sort()
  return newest === undefined || standing.length === 0 || standing.includes(newest)
}

/** Copies missing files, and returns their number. Skips files deleted in the meantime. */
async function copyTree(from: string, to: string, isChosen: (path: string) => boolean): Promise<number> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(nothingIfMissing)
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1))
    .filter(isChosen)
  const copied = await mapConcurrent(paths, FILES_AT_ONCE, (path) => copyNew(join(from, path), join(to, path)))
  return copied.filter(Boolean).length
}

async function copyNew(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await copyFile(from, to, CLONE_IF_ABSENT)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EEXIST') return false
    throw error
  }
}

function nothingIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(nothingIfMissing)).filter((name) => name.endsWith('.lance'))
}

/**
 * Copies the configured data folder. Rejects if it is missing, if data is (also) elsewhere, or if
 * the copy is incomplete.
 */
export async function backUp(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<CopyResult> {
  const { database, objectStore, dataDir } = readConfig(environment)
  if (database !== null || objectStore !== null)
    throw new ConfigError([
      'The data is not all in the data folder. docs/backup.md says how to copy a database and a bucket.',
    ])
  if (!hasDatabase(dataDir)) throw new Error(`There is no data in ${dataDir} (RECOLLECT_DATA_DIR).`)
  return copyDataFolder(dataDir, folder).catch((cause: Error) => {
    if (cause instanceof UsageError) throw cause
    throw new Error(`The copy in ${folder} is incomplete; delete it. Cause: ${cause.message}`, { cause })
  })
}

/**
 * Creates the folder if missing. Rejects with {@link UsageError} if it is not empty, cannot be
 * created, or is not writable.
 */
async function requireEmptyFolder(folder: string): Promise<void> {
  const entries = await openFolder(folder).catch(({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw new UsageError(`This user may not write ${folder}; name a folder elsewhere.`)
    throw new UsageError(`${folder} is not a folder and cannot be created (${code ?? message}); name another.`)
  })
  if (entries.length > 0) throw new UsageError(`${folder} is not empty; choose a folder that does not exist yet.`)
}

async function openFolder(folder: string): Promise<string[]> {
  await makeFolder(folder)
  await access(folder, constants.W_OK)
  return readdir(folder)
}
