import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { S3Credentials, S3Settings } from '../../api/source.ts'
import type { Source } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { createRules, isTooDeep, TOO_DEEP } from '../../files/scan-folder.ts'
import { MAX_FILE_BYTES, SOURCES } from '../../limits.ts'
import { type BucketObject, type BucketReader, openBucketReader } from '../../objects/bucket-reader.ts'
import { getHintedFormat } from '../../parsers/formats.ts'
import type { OpenAgents } from '../../url-fetch/guarded-agent.ts'
import type { SecretBox } from './encrypt-secret.ts'
import { removeGone } from './read-folder.ts'
import type { SourceRun } from './source-run.ts'

/** Dependencies of reading buckets; `openAgents` connects only to allowed addresses. */
export type BucketDeps = { secrets: SecretBox | null; openAgents: OpenAgents; temporaryDirectory: string }

/**
 * Reads a bucket into a run. The external identifier is the key. An object with the same ETag as
 * before is not downloaded, and one with the same hash is not read again.
 */
export async function readBucket(
  deps: BucketDeps,
  { source, settings }: { source: Source; settings: S3Settings },
  run: SourceRun,
): Promise<void> {
  const credentials = openCredentials(deps.secrets, source)
  const agents = await deps.openAgents(run.signal)
  const reader = openBucketReader({ ...settings, credentials }, agents)
  const rules = createRules(settings.exclude)
  let [listed, found] = [0, 0]
  try {
    for await (const object of list(reader, settings, run)) {
      run.signal.throwIfAborted()
      const { key } = object
      listed += 1
      if (listed > SOURCES.items) throw tooMany()
      // Consoles of stores make such objects for folders.
      if (key === '' || key.endsWith('/')) continue
      found += 1
      const path = key.replace(/^\/+/, '')
      if (isTooDeep(path)) run.skip(key, TOO_DEEP)
      else if (!rules.ignores(path)) await readObject(deps, run, { reader, object })
    }
    await removeGone(run, { found, unread: [] })
  } finally {
    reader.close()
  }
}

function tooMany(): ApiError {
  const most = SOURCES.items.toLocaleString('en')
  return new ApiError('validation_failed', { message: `The bucket has more than ${most} objects. Give a prefix.` })
}

/** A failed listing fails the run: what a broken listing does not name is not gone. */
async function* list(reader: BucketReader, { bucket }: S3Settings, run: SourceRun): AsyncGenerator<BucketObject> {
  try {
    yield* reader.list(run.signal)
  } catch (error) {
    run.signal.throwIfAborted()
    throw new ApiError('url_fetch_failed', {
      message: `The bucket ${bucket} could not be listed: ${describe(error)}.`,
      cause: error,
    })
  }
}

/** The code of the store or of the connection; messages may repeat parts of a request. */
function describe(error: unknown): string {
  if (error instanceof ApiError) return error.message.replace(/\.$/, '')
  if (!(error instanceof Error)) return 'the store answered with an error'
  if (error.name === 'UrlFailure') return error.message
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return `the store answered ${code}`
}

function openCredentials(secrets: SecretBox | null, { id, credentials }: Source): S3Credentials | null {
  if (credentials === null) return null
  const text = secrets?.open(id, credentials) ?? null
  if (text !== null) return JSON.parse(text) as S3Credentials
  throw new ApiError('validation_failed', {
    message: 'The credentials were stored with another key. Send s3.credentials again with PATCH.',
  })
}

async function readObject(
  { temporaryDirectory }: BucketDeps,
  run: SourceRun,
  { reader, object }: { reader: BucketReader; object: BucketObject },
): Promise<void> {
  const { key, bytes, etag } = object
  if (getHintedFormat(key, null) === null) return run.skip(key, 'The service does not read this file type.')
  if (bytes > MAX_FILE_BYTES) return run.skip(key, 'The object is larger than 100 MB.')
  const known = await run.getKnown(key)
  const stamp = `${bytes} ${etag}`
  if (etag !== '' && known?.fingerprint?.startsWith(`${stamp} `)) return run.keepUnchanged(known)
  const path = join(temporaryDirectory, `source-${randomUUID()}`)
  try {
    const saved = await download(reader, { object, path, signal: run.signal }).catch((error: unknown) => {
      run.signal.throwIfAborted()
      run.fail(key, `The object could not be downloaded: ${describe(error)}.`)
    })
    if (saved === undefined) return
    const fingerprint = `${stamp} ${saved.hash}`
    if (known?.fingerprint?.endsWith(` ${saved.hash}`)) return await run.keepUnchanged(known, fingerprint)
    const filename = key.split('/').at(-1) ?? key
    await run.put(key, { file: { path, bytes: saved.bytes, filename, declaredType: null }, fingerprint, url: null })
  } finally {
    await rm(path, { force: true })
  }
}

async function download(
  reader: BucketReader,
  { object, path, signal }: { object: BucketObject; path: string; signal: AbortSignal },
): Promise<{ hash: string; bytes: number }> {
  const body = await reader.get(object, signal)
  const hash = createHash('sha256')
  let bytes = 0
  const count = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > MAX_FILE_BYTES) throw new ApiError('url_too_large')
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(body, count, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
  return { hash: hash.digest('hex'), bytes }
}
