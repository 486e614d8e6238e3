/**
 * A copy of a data folder that a service may be using meanwhile. The order makes it whole:
 *
 * 1. The database, as it is at one moment. It decides what exists.
 * 2. Each memory file: first its versions, then the files that these name. Lance never changes a file, and keeps those of an old version
 *    for ten minutes (upkeep.ts), so all that the copied versions name is still there. The other way round a version could be copied
 *    that names files which were not there when files were. On a disk without room old versions go at once (reclaim.ts): while the newest that was
 *    copied stands, so do its files; where it has gone meanwhile, what came since is copied, too.
 * 3. The objects, which never change either.
 *
 * A memory that is re-embedded meanwhile takes another file, and its old one goes some minutes later. Then the first two are done again; what is in the
 * copy already is not copied twice.
 *
 * So the copy has all that the database of it names, but for what was deleted or replaced meanwhile; and what was added meanwhile is
 * there without being named, and never shows. `recollect doctor --storage --fix` tells of both: what was deleted is whole again
 * where its text is in the copy (remake-chunks.ts), and told of where it is not; what was added is cleared.
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
import { hasDatabase } from './has-database.ts'

/** What was copied. */
export type Copied = { memoryFiles: number; files: number }

/** Less than Lance's ten minutes: a memory file that took longer is copied once more, which takes only what is new. */
const VERSIONS_HOLD_MS = 8 * 60_000
const FILES_AT_ONCE = 8
/** Ours: re-embeddings that end while so many copies are made follow each other faster than any does. */
const MOST_TRIES = 10
/** Shares the blocks where the file system can. */
const CLONE_IF_ABSENT = constants.COPYFILE_EXCL + constants.COPYFILE_FICLONE

/** Copies the folder to another, which must be empty or absent, and elsewhere. Rejects when it is not, and when a file cannot be read or written. */
export async function copyDataFolder(from: string, to: string): Promise<Copied> {
  // There it would be copied into itself, be lost with what it is to replace, and look like objects that nothing names.
  if (`${resolve(to)}${sep}`.startsWith(`${resolve(from)}${sep}`) && resolve(to) !== resolve(from))
    throw new UsageError(`${to} is in the data folder itself; name a folder elsewhere.`)
  await requireEmptyFolder(to)
  let files = 0
  let memoryFiles = 0
  let isOfOneKind = false
  for (let tries = 0; !isOfOneKind && tries < MOST_TRIES; tries += 1) {
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

/** Copies the database and the memory files; `isOfOneKind` is false where a memory has another file since. */
async function copyMemories(from: string, to: string): Promise<Copied & { isOfOneKind: boolean }> {
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

/** The names of the memories' files, by memory. */
function readFileNames(path: string): Map<string, string> {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = database.prepare('select id, coalesce(file, id) as file from memories').all()
    return new Map(rows.map(({ id, file }) => [String(id), String(file)]))
  } finally {
    database.close()
  }
}

/** Makes it of one moment, whatever is written meanwhile; nobody waits for it. */
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

/** False where the newest version of the copy is gone from the memory file, and its files may be, too. */
async function isNewestStanding(from: string, to: string): Promise<boolean> {
  const versionsOf = (folder: string): Promise<string[]> => readdir(join(folder, '_versions')).catch(nothingIfMissing)
  const standing = await versionsOf(from)
  // Lance names the newest so that it comes first. A memory that is deleted has none.
  const [newest] = (await versionsOf(to)).filter((name) => name.endsWith('.manifest')).sort()
  return newest === undefined || standing.length === 0 || standing.includes(newest)
}

/** Copies what is not there yet; gives the number of files. What goes while it is read is gone. */
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

/** Copies the data folder that the settings name. Rejects where it is not there, where the data is (also) elsewhere, and where the copy did not become whole. */
export async function backUp(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<Copied> {
  const { database, objectStore, dataDir } = readConfig(environment)
  if (database !== null || objectStore !== null)
    throw new ConfigError([
      'The data is not all in the data folder. docs/backup.md says how to copy a database and a bucket.',
    ])
  if (!hasDatabase(dataDir)) throw new Error(`There is no data in ${dataDir} (RECOLLECT_DATA_DIR).`)
  return copyDataFolder(dataDir, folder).catch((cause: Error) => {
    if (cause instanceof UsageError) throw cause
    throw new Error(`The copy in ${folder} is not whole; remove it. What went wrong: ${cause.message}`, { cause })
  })
}

/** Makes the folder where it is missing. Rejects with {@link UsageError} where it holds anything, cannot be made, and may not be written by this user. */
async function requireEmptyFolder(folder: string): Promise<void> {
  const entries = await openFolder(folder).catch(({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw new UsageError(`This user may not write ${folder}; name a folder elsewhere.`)
    throw new UsageError(`${folder} is no folder and cannot be made one (${code ?? message}); name another.`)
  })
  if (entries.length > 0) throw new UsageError(`${folder} is not empty; name a folder that is not there yet.`)
}

async function openFolder(folder: string): Promise<string[]> {
  await makeFolder(folder)
  await access(folder, constants.W_OK)
  return readdir(folder)
}
