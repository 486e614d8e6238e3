import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { ApiError } from '../errors.ts'

/** File in a folder with patterns of files to leave out, in the syntax of `.gitignore`. */
const IGNORE_FILE = '.recollectignore'

/** Left out unless an ignore file includes them again: hidden files, and installed packages. */
const DEFAULT_PATTERNS = ['.*', 'node_modules/']
/**
 * Limits of patterns with `**` before further folders, and of the folders of a path. The time of a
 * check is their power: with four such patterns and 200 folders, it would take years.
 */
const MAX_ANY_DEPTHS = 2
const MAX_DEPTH = 40
/** An ignore file is written by hand. */
const MAX_IGNORE_BYTES = 1024 * 1024

/**
 * A found file, or an excluded entry with the reason. `path` is relative, with `/` between
 * names.
 */
export type FolderEntry =
  | { kind: 'file'; path: string; realPath: string; bytes: number; modifiedMs: number }
  | { kind: 'skipped'; path: string; reason: string }
  | { kind: 'failed'; path: string; reason: string }

/**
 * Finds the files below a folder in the order of their paths. A link to a file inside the folder is
 * a file. Other links and special files are skipped, so nothing outside is ever read. A subfolder
 * that cannot be read is one failure. Rejects if the folder itself cannot be
 * read.
 */
export async function* scanFolder(
  folder: string,
  { exclude = [] }: { exclude?: readonly string[] } = {},
): AsyncGenerator<FolderEntry> {
  const root = await realpath(folder)
  yield* scan(root, '', await readRules(root, exclude))
}

/** The rules of an ignore file of a folder, after the defaults and before `exclude`. */
async function readRules(folder: string, exclude: readonly string[] = []): Promise<Ignore> {
  const path = join(folder, IGNORE_FILE)
  const { size } = await stat(path).catch(asAbsent)
  if (size > MAX_IGNORE_BYTES) throw invalidRules(`${IGNORE_FILE} has more than 1 MB.`)
  const own = size === 0 ? '' : await readFile(path, 'utf8')
  return createRules([...DEFAULT_PATTERNS, ...own.split(/\r?\n/), ...exclude])
}

/**
 * Rules for relative paths of at most 40 folders. Throws `validation_failed` for a pattern that is
 * slow to check.
 */
export function createRules(patterns: readonly string[]): Ignore {
  const slow = patterns.find(isSlowPattern)
  if (slow !== undefined)
    throw invalidRules(`The pattern ${slow.slice(0, 100)} has ** before further folders more than twice.`)
  return ignore({ allowRelativePaths: true }).add([...patterns])
}

function invalidRules(message: string): ApiError {
  return new ApiError('validation_failed', { message })
}

/** True for a pattern with more than two `**` before further folders, unless it is a comment. */
export function isSlowPattern(pattern: string): boolean {
  if (pattern.startsWith('#')) return false
  return (pattern.match(/(?<=^!?|\/)\*{2,}(?=\/)/g) ?? []).length > MAX_ANY_DEPTHS
}

/** Reason why a path is left out. */
export const TOO_DEEP = `It lies in more than ${MAX_DEPTH} folders.`

/** True for a path in more folders than patterns are checked for. */
export function isTooDeep(path: string): boolean {
  return path.split('/').length > MAX_DEPTH + 1
}

function asAbsent(error: NodeJS.ErrnoException): { size: number } {
  if (error.code === 'ENOENT') return { size: 0 }
  throw error
}

async function* scan(root: string, folder: string, rules: Ignore): AsyncGenerator<FolderEntry> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (isTooDeep(path)) {
      yield { kind: 'skipped', path, reason: TOO_DEEP }
      continue
    }
    if (rules.ignores(entry.isDirectory() ? `${path}/` : path)) continue
    try {
      if (entry.isDirectory()) yield* scan(root, path, rules)
      else yield await look(root, path)
    } catch (error) {
      yield { kind: 'failed', path, reason: describeFileError(error) }
    }
  }
}

async function look(root: string, path: string): Promise<FolderEntry> {
  const place = join(root, path)
  const own = await lstat(place)
  const real = own.isSymbolicLink() ? await realpath(place) : place
  if (!isWithin(root, real)) return { kind: 'skipped', path, reason: 'The link leads out of the folder.' }
  const found = own.isSymbolicLink() ? await stat(real) : own
  if (found.isDirectory()) return { kind: 'skipped', path, reason: 'Links to folders are not followed.' }
  if (!found.isFile()) return { kind: 'skipped', path, reason: 'It is not a file.' }
  return { kind: 'file', path, realPath: real, bytes: found.size, modifiedMs: found.mtimeMs }
}

/** True if `path` is the folder or below it; both are real paths. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'The permission to read it is missing.',
  EPERM: 'The permission to read it is missing.',
  ENOENT: 'It does not exist.',
  ELOOP: 'The link leads to itself.',
  ENOTDIR: 'It is not a folder.',
}

/** A sentence for an error of the file system, without paths of the machine. */
export function describeFileError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === '') return error instanceof Error ? `${error.message}.` : 'It could not be read.'
  return REASONS[code] ?? `It could not be read (${code}).`
}
