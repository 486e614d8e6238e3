import { glob, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { getHintedFormat, getPackedFormat } from '../../parsers/formats.ts'
import { UsageError } from '../failures.ts'

/**
 * Sources of the arguments, in order and without duplicates. `skipped` counts files in folders and
 * patterns with an unsupported type.
 */
type SourceList = { sources: Source[]; passedOver: number }

type ListSourcesOptions = { inputName: string; readInput: () => Promise<Uint8Array> }

const URL_START = /^https?:\/\//i
const PATTERN = /[*?[\]{}]/

/**
 * Resolves arguments: a file or URL, `-` for standard input, a folder with all files except hidden
 * ones, or a pattern. An unreadable folder becomes a source that fails later. Rejects with
 * UsageError for an argument that matches nothing.
 */
export async function listSources(
  names: readonly string[],
  { inputName, readInput }: ListSourcesOptions,
): Promise<SourceList> {
  const sources = new Map<string, Source>()
  let passedOver = 0
  const takeFound = (paths: readonly string[]) => {
    for (const path of paths) {
      const format = getHintedFormat(path, null) ?? getPackedFormat(path)
      if (format === null) passedOver += 1
      else sources.set(resolve(path), { kind: 'file', name: path, path })
    }
  }
  for (const name of names) {
    if (name === '-') sources.set('-', { kind: 'input', name: inputName, content: await readInput() })
    else if (URL_START.test(name)) sources.set(name, { kind: 'url', name, url: name })
    else if (await isFolder(name)) {
      const { found, barred } = await listFolder(name)
      takeFound(found)
      // Unreadable folders become sources that fail while the others are added.
      for (const path of barred) sources.set(resolve(path), { kind: 'file', name: path, path })
    }
    // A file named explicitly is added with any type.
    else if (await isFile(name)) sources.set(resolve(name), { kind: 'file', name, path: name })
    else takeFound(await listFitting(name))
  }
  return { sources: [...sources.values()], passedOver }
}

async function listFitting(pattern: string): Promise<string[]> {
  if (!PATTERN.test(pattern)) return refuse(pattern)
  const fitting: string[] = []
  for await (const path of glob(pattern)) if (await isFile(path)) fitting.push(path)
  if (fitting.length === 0) throw new UsageError(`No file matches ${pattern}.`)
  return fitting.sort()
}

/** Reports a name that is not a file, a folder or a pattern. */
async function refuse(path: string): Promise<never> {
  await stat(path).catch(({ code, message }: NodeJS.ErrnoException) => {
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR'
    throw new UsageError(isAbsent ? `There is no file or folder ${path}.` : `${path} cannot be read: ${message}.`)
  })
  throw new UsageError(`${path} is neither a file nor a folder. To add its output, run: cat ${path} | recollect add -`)
}

/**
 * Files in the folder, and subfolders that cannot be read: no permission, or deleted in the
 * meantime.
 */
async function listFolder(folder: string): Promise<{ found: string[]; barred: string[] }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
  if (entries === null) return { found: [], barred: [folder] }
  const seen = entries.filter(({ name }) => !name.startsWith('.')).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const found: string[] = []
  const barred: string[] = []
  for (const entry of seen) {
    const path = join(folder, entry.name)
    // A link to a folder may lead back to a parent.
    if (entry.isDirectory()) {
      const below = await listFolder(path)
      found.push(...below.found)
      barred.push(...below.barred)
    } else if (entry.isFile() || (await isFile(path))) found.push(path)
  }
  return { found, barred }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false
}

/** A source to add: a file, a URL or standard input; `name` as given by the user. */
export type Source =
  | { kind: 'file'; name: string; path: string }
  | { kind: 'url'; name: string; url: string }
  | { kind: 'input'; name: string; content: Uint8Array }

/** Outcome of a source. */
export type Outcome = {
  source: string
  /**
   * `added` and `partial`: searchable now. `duplicate`: similar to another document. `skipped`:
   * added before. `accepted`: in a job that was not waited for.
   */
  status: 'added' | 'partial' | 'duplicate' | 'skipped' | 'accepted' | 'failed'
  documentIds: readonly string[]
  jobId: string | null
  /** Details as a sentence; `null` if the status says all. */
  message: string | null
}
