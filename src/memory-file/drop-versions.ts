/**
 * Takes the old versions of a memory file off the disk. Lance does that at the end of an optimize, which writes all of a table anew before: on a full disk it never
 * comes so far. Here nothing is written.
 */
import { open, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readManifest } from './manifest/read-manifest.ts'
import { manifestFile, openVersionFolder } from './version-files.ts'

const DATA = 'data'
const DELETIONS = '_deletions'
const INDICES = '_indices'
const TRANSACTIONS = '_transactions'
const VERSIONS = '_versions'
/** A transaction's file is named after the version that it was begun at. */
const TRANSACTION = /^(\d+)-/

/**
 * Removes every version before `oldest`, and every file that no version from there on names. Nobody may be writing to the memory file meanwhile; `oldest` must be whole on the
 * disk; whoever reads an older version fails. Gives the number of files removed. Rejects, and removes nothing, where a version that stays cannot be read.
 */
export async function dropVersionsBefore(folder: string, name: string, oldest: number): Promise<number> {
  const versions = openVersionFolder(folder)
  const standing = await versions.list(name)
  const kept = new Set<string>()
  for (const version of standing.filter((version) => version >= oldest)) {
    const { files, indexes } = readManifest(await versions.read(name, version))
    for (const path of files.keys()) kept.add(path)
    for (const index of indexes) kept.add(index.folder)
  }
  const root = join(folder, `${name}.lance`)
  // The versions first: none is to stand whose files are gone.
  const old = standing.filter((version) => version < oldest).map((version) => join(VERSIONS, manifestFile(version)))
  await removeAll(root, old)
  const unnamed = [
    ...(await listUnnamed(root, DATA, kept)),
    ...(await listUnnamed(root, DELETIONS, kept)),
    ...(await listUnnamed(root, INDICES, kept)),
    ...(await listNames(root, TRANSACTIONS)).filter((name) => isBefore(name, oldest - 1)),
  ]
  await removeAll(root, unnamed)
  return old.length + unnamed.length
}

async function listUnnamed(root: string, folder: string, kept: ReadonlySet<string>): Promise<string[]> {
  return (await listNames(root, folder)).filter((path) => !kept.has(path))
}

async function listNames(root: string, folder: string): Promise<string[]> {
  try {
    return (await readdir(join(root, folder))).map((name) => `${folder}/${name}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Lance reads the transactions since the version that a commit was begun at. */
function isBefore(path: string, version: number): boolean {
  const begunAt = TRANSACTION.exec(basename(path))?.[1]
  return begunAt !== undefined && Number(begunAt) < version
}

async function removeAll(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(join(root, path), { recursive: true, force: true })
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    await using names = await open(join(root, folder), 'r')
    await names.sync()
  }
}
