import { glob, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { getHintedFormat } from '../../parsers/formats.ts'
import { UsageError } from '../failures.ts'

/** What arguments name, in their order and each file once; `passedOver` are files of folders and patterns that are of no kind that is read. */
type Listed = { sources: Source[]; passedOver: number }

type Options = { inputName: string; readInput: () => Promise<Uint8Array> }

const URL_START = /^https?:\/\//i
const PATTERN = /[*?[\]{}]/

/**
 * Files and URLs stand for themselves, `-` for standard input, a folder for all in it but what is hidden, a pattern for the files it fits, a folder that
 * cannot be read for itself.
 * Rejects with UsageError for what names nothing.
 */
export async function listSources(names: readonly string[], { inputName, readInput }: Options): Promise<Listed> {
  const sources = new Map<string, Source>()
  let passedOver = 0
  const takeFound = (paths: readonly string[]) => {
    for (const path of paths) {
      const readIn = getHintedFormat(path, null)?.readIn ?? null
      if (readIn === null) passedOver += 1
      else sources.set(resolve(path), { kind: 'file', name: path, path })
    }
  }
  for (const name of names) {
    if (name === '-') sources.set('-', { kind: 'input', name: inputName, content: await readInput() })
    else if (URL_START.test(name)) sources.set(name, { kind: 'url', name, url: name })
    else if (await isFolder(name)) {
      const { found, barred } = await listFolder(name)
      takeFound(found)
      // What they hold is not known: they fail where the rest is added.
      for (const path of barred) sources.set(resolve(path), { kind: 'file', name: path, path })
    }
    // Whoever names a file wants it read, whatever its name looks like.
    else if (await isFile(name)) sources.set(resolve(name), { kind: 'file', name, path: name })
    else takeFound(await listFitting(name))
  }
  return { sources: [...sources.values()], passedOver }
}

async function listFitting(pattern: string): Promise<string[]> {
  if (!PATTERN.test(pattern)) return refuse(pattern)
  const fitting: string[] = []
  for await (const path of glob(pattern)) if (await isFile(path)) fitting.push(path)
  if (fitting.length === 0) throw new UsageError(`No file fits ${pattern}.`)
  return fitting.sort()
}

/** Says what is wrong with a name that is no file, no folder and no pattern. */
async function refuse(path: string): Promise<never> {
  await stat(path).catch(({ code, message }: NodeJS.ErrnoException) => {
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR'
    throw new UsageError(isAbsent ? `There is no file or folder ${path}.` : `${path} cannot be read: ${message}.`)
  })
  throw new UsageError(
    `${path} is neither a file nor a folder. What it gives is added by: cat ${path} | recollect add -`,
  )
}

/** The files in it, and the folders that cannot be read: barred to this user, or gone since they were seen. */
async function listFolder(folder: string): Promise<{ found: string[]; barred: string[] }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
  if (entries === null) return { found: [], barred: [folder] }
  const seen = entries.filter(({ name }) => !name.startsWith('.')).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const found: string[] = []
  const barred: string[] = []
  for (const entry of seen) {
    const path = join(folder, entry.name)
    // A link to a folder may lead back to where it stands.
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

/** Something to add: a file, what a URL names, or standard input; `name` is what the person called it. */
export type Source =
  | { kind: 'file'; name: string; path: string }
  | { kind: 'url'; name: string; url: string }
  | { kind: 'input'; name: string; content: Uint8Array }

/** What became of it. */
export type Outcome = {
  source: string
  /**
   * `added` and `partial` are there now; `duplicate`: much like another document; `skipped`: there already; `accepted`: a job reads it,
   * which was not waited for.
   */
  status: 'added' | 'partial' | 'duplicate' | 'skipped' | 'accepted' | 'failed'
  documentIds: readonly string[]
  jobId: string | null
  /** What there is to say of it, in a sentence; `null` where the status says it all. */
  message: string | null
}
