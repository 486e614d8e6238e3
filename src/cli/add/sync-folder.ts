import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Client } from '../../client/client.ts'
import { AuthenticationError, ConnectionError, RecollectError } from '../../client/client-errors.ts'
import type { MemoryDocument } from '../../client/resources.ts'
import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import { type FolderEntry, scanFolder } from '../../files/scan-folder.ts'
import { DOCUMENT_FIELDS, MAX_FILE_BYTES } from '../../limits.ts'
import { getHintedFormat, ZIP } from '../../parsers/formats.ts'
import { describeFailure, UsageError } from '../failures.ts'
import { oneLine } from '../printing.ts'

/** Metadata of synchronized documents: the name of the folder, and the SHA-256 of the file. */
const FOLDER_KEY = 'syncFolder'
const HASH_KEY = 'syncHash'

/** Documents per deletion. */
const DELETED_PER_REQUEST = 500

/** One synchronization of a folder. */
export type SyncDeps = {
  client: Client
  memoryId: string
  folder: string
  /** Name of the folder in the memory: documents of further names are left alone. */
  name: string
  /** Text before the paths; empty for none. */
  prefix: string
  exclude: readonly string[]
  tags: readonly string[]
  parallel: number
  isDryRun: boolean
  signal: AbortSignal
  /** Hashes by path from earlier synchronizations of this process. */
  hashes: Map<string, { stamp: string; hash: string }>
  report(change: SyncChange): void
}

/** A change of a path, made or planned. */
export type SyncChange = {
  path: string
  status: 'added' | 'replaced' | 'deleted' | 'unchanged' | 'skipped' | 'failed'
  message: string | null
}

type FoundFile = Extract<FolderEntry, { kind: 'file' }>

/** Documents of the memory by external identifier. */
type Known = { own: Map<string, MemoryDocument>; foreign: ReadonlySet<string> }

/**
 * Makes the documents of a folder equal to the files. The state is in the service alone, so an
 * interrupted synchronization is simply repeated. Rejects if the folder cannot be read, or without
 * connection, key or memory; and, to keep the documents, if the folder is empty.
 */
export async function syncFolder(deps: SyncDeps): Promise<void> {
  const { files, unread } = await listFiles(deps)
  const known = await listKnown(deps)
  if (files.length === 0 && known.own.size > 0)
    throw new UsageError(`${deps.folder} has no files to add, so its ${known.own.size} documents are kept.`)
  const seen = new Set<string>()
  await mapConcurrent(files, deps.parallel, async (file) => {
    deps.signal.throwIfAborted()
    seen.add(deps.prefix + file.path)
    deps.report(await syncFile(deps, file, known))
  })
  await deleteGone(deps, { known, seen, unread })
}

/** Files to add; reports all further entries. `unread`: subfolders whose files are unknown. */
async function listFiles(deps: SyncDeps): Promise<{ files: FoundFile[]; unread: string[] }> {
  const files: FoundFile[] = []
  const unread: string[] = []
  for await (const entry of scanFolder(deps.folder, { exclude: deps.exclude })) {
    deps.signal.throwIfAborted()
    if (entry.kind === 'file') files.push(entry)
    else {
      if (entry.kind === 'failed') unread.push(entry.path)
      deps.report({ path: entry.path, status: entry.kind, message: entry.reason })
    }
  }
  return { files, unread }
}

async function listKnown({ client, memoryId, name, signal }: SyncDeps): Promise<Known> {
  const own = new Map<string, MemoryDocument>()
  const foreign = new Set<string>()
  for await (const document of client.documents.list(memoryId, { limit: 100 }, { signal })) {
    const { externalId, metadata, status } = document
    if (externalId === null || status === 'failed') continue
    if (metadata[FOLDER_KEY] === name) own.set(externalId, document)
    else foreign.add(externalId)
  }
  return { own, foreign }
}

async function syncFile(deps: SyncDeps, file: FoundFile, { own, foreign }: Known): Promise<SyncChange> {
  const { path } = file
  const externalId = deps.prefix + path
  const refusal = findRefusal(file, externalId)
  if (refusal !== null) return { path, status: 'skipped', message: refusal }
  if (foreign.has(externalId) && !own.has(externalId)) return { path, status: 'failed', message: FOREIGN }
  try {
    const hash = await hashFile(deps, file)
    const before = own.get(externalId)
    if (before?.metadata[HASH_KEY] === hash) return { path, status: 'unchanged', message: null }
    const message = deps.isDryRun ? null : await add(deps, { file, externalId, hash })
    return { path, status: before === undefined ? 'added' : 'replaced', message }
  } catch (error) {
    if (deps.signal.aborted || concernsAll(error)) throw error
    return { path, status: 'failed', message: oneLine(describeFailure(error)) }
  }
}

const FOREIGN = 'The memory has a document of this name from elsewhere. Use --as to put a name before the paths.'

function findRefusal({ path, bytes }: FoundFile, externalId: string): string | null {
  const format = getHintedFormat(path, null)?.format ?? null
  if (format === null) return 'unsupported type'
  if (format === ZIP) return 'archives are not synchronized; unpack it'
  if (bytes > MAX_FILE_BYTES) return 'larger than 100 MB'
  return externalId.length > DOCUMENT_FIELDS.externalIdCharacters ? 'path too long' : null
}

function concernsAll(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof AuthenticationError) return true
  return error instanceof RecollectError && error.code === 'memory_not_found'
}

async function hashFile({ hashes }: SyncDeps, { path, realPath, bytes, modifiedMs }: FoundFile): Promise<string> {
  const stamp = `${bytes} ${modifiedMs}`
  const known = hashes.get(path)
  if (known?.stamp === stamp) return known.hash
  const digest = createHash('sha256')
  for await (const piece of createReadStream(realPath)) digest.update(piece as Buffer)
  const hash = digest.digest('hex')
  hashes.set(path, { stamp, hash })
  return hash
}

/** Adds a file and waits for the job, if any. Rejects if the job fails. */
async function add(
  { client, memoryId, name, tags, signal }: SyncDeps,
  { file, externalId, hash }: { file: FoundFile; externalId: string; hash: string },
): Promise<string | null> {
  const upload = { path: file.realPath, name: file.path.split('/').at(-1) ?? file.path }
  const metadata = { [FOLDER_KEY]: name, [HASH_KEY]: hash }
  const options = { externalId, metadata, tags: [...tags], signal }
  const isImage = getHintedFormat(file.path, null)?.isImage === true
  const answer = isImage
    ? await client.recognize(memoryId, upload, options)
    : await client.documents.addFile(memoryId, upload, options)
  if (!('jobId' in answer)) return answer.documentsAdded === 0 ? 'no text was found in it' : null
  const job = await client.jobs.wait(answer.jobId, { signal })
  if (job.status === 'failed') throw new Error(job.error ?? job.message)
  return job.status === 'partial' ? oneLine(job.error ?? job.message) : null
}

type Gone = { known: Known; seen: ReadonlySet<string>; unread: readonly string[] }

async function deleteGone(deps: SyncDeps, { known, seen, unread }: Gone): Promise<void> {
  const { client, memoryId, prefix, signal, isDryRun } = deps
  const isUnread = (id: string) =>
    unread.some((folder) => id === prefix + folder || id.startsWith(`${prefix}${folder}/`))
  const gone = [...known.own].filter(([id]) => !seen.has(id) && !isUnread(id))
  for (let at = 0; at < gone.length; at += DELETED_PER_REQUEST) {
    const some = gone.slice(at, at + DELETED_PER_REQUEST)
    if (!isDryRun) await client.documents.deleteMany(memoryId, { ids: some.map(([, { id }]) => id), signal })
    for (const [id] of some) deps.report({ path: id.slice(prefix.length), status: 'deleted', message: null })
  }
}
