import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FolderSettings } from '../../api/source.ts'
import { ApiError } from '../../errors.ts'
import { describeFileError, type FolderEntry, isWithin, scanFolder } from '../../files/scan-folder.ts'
import { MAX_FILE_BYTES, SOURCES } from '../../limits.ts'
import { getHintedFormat } from '../../parsers/formats.ts'
import type { SourceRun } from './source-run.ts'
import { requireSourceFolder } from './source-settings.ts'

/** Dependencies of reading folders. */
export type FolderDeps = { folders: readonly string[]; temporaryDirectory: string }

type FolderFile = Extract<FolderEntry, { kind: 'file' }>

/**
 * Reads a folder into a run, by relative path. A file with the same size and time as before is not
 * opened, and one with the same hash is not read again.
 */
export async function readFolder(deps: FolderDeps, { path, exclude }: FolderSettings, run: SourceRun): Promise<void> {
  const root = await requireSourceFolder(deps.folders, path)
  const unread: string[] = []
  let found = 0
  for await (const entry of scanFolder(root, { exclude })) {
    run.signal.throwIfAborted()
    found += 1
    if (found > SOURCES.items) throw tooMany()
    if (entry.kind === 'failed') {
      unread.push(entry.path)
      run.fail(entry.path, entry.reason)
    } else if (entry.kind === 'skipped') run.skip(entry.path, entry.reason)
    else await readFile(deps, run, { root, file: entry })
  }
  await removeGone(run, { found, unread })
}

function tooMany(): ApiError {
  return new ApiError('validation_failed', {
    message: `The source has more than ${SOURCES.items.toLocaleString('en')} files. Leave some out with exclude.`,
  })
}

/**
 * Removes what is gone, but for files below a subfolder that could not be read. An empty folder is
 * taken for one that is not mounted.
 */
export async function removeGone(
  run: SourceRun,
  { found, unread }: { found: number; unread: readonly string[] },
): Promise<void> {
  const gone = new Set<string>()
  for await (const { key } of run.listUnseen())
    if (!unread.some((folder) => key.startsWith(`${folder}/`))) gone.add(key)
  if (found === 0 && gone.size > 0) {
    await run.finish(new Set())
    throw new ApiError('validation_failed', {
      message:
        'The source is empty, so its documents were kept. ' +
        'To remove them, delete the source with documents=delete.',
    })
  }
  await run.finish(gone)
}

async function readFile(
  { temporaryDirectory }: FolderDeps,
  run: SourceRun,
  { root, file }: { root: string; file: FolderFile },
): Promise<void> {
  const { path, bytes, modifiedMs } = file
  if (getHintedFormat(path, null) === null) return run.skip(path, 'The service does not read this file type.')
  if (bytes > MAX_FILE_BYTES) return run.skip(path, 'The file is larger than 100 MB.')
  const known = await run.getKnown(path)
  const stamp = `${bytes} ${modifiedMs}`
  if (known?.fingerprint?.startsWith(`${stamp} `)) return run.keepUnchanged(known)
  const copy = join(temporaryDirectory, `source-${randomUUID()}`)
  try {
    const copied = await copyFile(root, file, copy).catch((error: unknown) => run.fail(path, describeFileError(error)))
    if (copied === undefined) return
    const fingerprint = `${stamp} ${copied.hash}`
    if (known?.fingerprint?.endsWith(` ${copied.hash}`)) return await run.keepUnchanged(known, fingerprint)
    const filename = path.split('/').at(-1) ?? path
    const content = { path: copy, bytes: copied.bytes, filename, declaredType: null }
    await run.put(path, { file: content, fingerprint, url: null })
  } finally {
    await rm(copy, { force: true })
  }
}

/** Windows has neither; a pipe without a writer would block the open. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Copies a file, if the open file is still inside the folder. Nothing changes the copy during the
 * read.
 */
async function copyFile(root: string, { realPath }: FolderFile, to: string): Promise<{ hash: string; bytes: number }> {
  const file = await open(realPath, FLAGS)
  try {
    if (!isWithin(root, await realpath(realPath))) throw new Error('The file was moved while it was read')
    const hash = createHash('sha256')
    let bytes = 0
    const target = await open(to, 'wx', 0o600)
    const count = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > MAX_FILE_BYTES) throw new Error('The file grew over 100 MB while it was read')
        hash.update(chunk)
        yield chunk
      }
    }
    await pipeline(file.createReadStream({ autoClose: false }), count, target.createWriteStream())
    return { hash: hash.digest('hex'), bytes }
  } finally {
    await file.close()
  }
}
