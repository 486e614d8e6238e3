import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { ApiError, invalid } from '../../errors.ts'
import { BODY_BUDGET, JSON_BODY_BYTES, MAX_BASE64_PAYLOAD_BYTES } from '../../limits.ts'
import { createBase64Decoder } from './base64-decoder.ts'
import type { BodyShare, DiskShare } from './budgets.ts'
import { parseJsonBody, requireNoForm } from './json-body.ts'
import { bodyTooLarge, createByteCollector, readPieces, requireLength } from './read-bytes.ts'
import { createStringDiverter } from './string-diverter.ts'
import { tooLargeFile, type Upload, type UploadForm } from './upload.ts'

/** A JSON body whose file is on the local disk. */
export type EncodedFile = {
  /** The body with an empty string in the file's place, parsed but not checked. */
  json: unknown
  /** `null` when the body has no such string. */
  upload: Upload | null
  /** The same for the same file and fields. */
  identity: string
}

/** How such a body is received. */
export type EncodedFileOptions = {
  /** The field that holds the file as base64. */
  field: string
  form: Pick<UploadForm, 'maxFileBytes' | 'tooLarge'>
  directory: string
  maxBodyBytes: number
  share: BodyShare
  disk: DiskShare
  signal: AbortSignal
}

/**
 * Streams a JSON body, and the file that one of its fields holds as base64 to a new file in `directory` (mode 0600): the body is never
 * held whole. Rejects with the form's error for a file or a payload that is too large, saying which; with `validation_failed` for what
 * is no base64, `body_too_large` for more than 1 MB beside the file, `malformed_json`, `content_type_mismatch`, `rate_limited` past the caller's share of the disk; no file is left then.
 */
export async function receiveEncodedFile(request: IncomingMessage, options: EncodedFileOptions): Promise<EncodedFile> {
  requireLength(request, options.maxBodyBytes)
  const path = join(options.directory, `upload-${randomUUID()}`)
  const discard = () => rm(path, { force: true })
  const file = createDecodedFile(path, options)
  try {
    const rest = await receiveRest(request, file, options)
    const decoded = await file.finish()
    const json = parseJsonBody(rest)
    if (decoded === null) return { json, upload: null, identity: rest.toString('latin1') }
    const { sha256, bytes, declaredType } = decoded
    const identity = `${sha256}\n${rest.toString('latin1')}`
    const upload = { file: { path, bytes, filename: null, declaredType }, fields: {}, warnings: [], identity, discard }
    return { json, upload, identity }
  } catch (error) {
    await file.close()
    await discard()
    throw error
  }
}

async function receiveRest(
  request: IncomingMessage,
  file: DecodedFile,
  { field, share, signal }: EncodedFileOptions,
): Promise<Buffer> {
  const diverter = createStringDiverter(field, file)
  const kept = createByteCollector()
  share.take(BODY_BUDGET.streamBytes)
  for await (const chunk of readPieces(request)) {
    signal.throwIfAborted()
    const rest = diverter.pass(chunk)
    share.take(rest.length)
    kept.add(rest)
    if (kept.bytes() > JSON_BODY_BYTES) {
      requireNoForm(Buffer.concat(kept.blocks()))
      throw bodyTooLarge(JSON_BODY_BYTES)
    }
    await file.flush()
  }
  return Buffer.concat(kept.blocks())
}

type DecodedFile = ReturnType<typeof createDecodedFile>

/** Takes base64 and writes what it stands for; counts both. */
function createDecodedFile(path: string, { field, form, disk }: EncodedFileOptions) {
  const decoder = createBase64Decoder(field)
  const hash = createHash('sha256')
  let waiting: Buffer[] = []
  let handle: FileHandle | null = null
  let characters = 0
  let bytes = 0
  let hasBegun = false

  function add(piece: Buffer): void {
    bytes += piece.length
    // Read on, to say of which of the two limits it is over; nothing more of it is kept.
    if (bytes <= form.maxFileBytes) waiting.push(piece)
    else waiting = []
  }

  async function flush(): Promise<void> {
    const pieces = waiting
    waiting = []
    if (!hasBegun) return
    handle ??= await open(path, 'wx', 0o600)
    for (const piece of pieces) {
      await disk.take(piece.length)
      hash.update(piece)
      await handle.writeFile(piece)
    }
  }

  return {
    begin(): void {
      if (hasBegun) throw invalid(field, 'must be given once')
      hasBegun = true
    },
    take(text: string): void {
      characters += text.length
      if (characters > MAX_BASE64_PAYLOAD_BYTES) throw payloadTooLarge(field, form)
      add(decoder.write(text))
    },
    flush,
    /** What was written; `null` when nothing came. */
    async finish() {
      if (!hasBegun) return null
      add(decoder.end())
      if (bytes > form.maxFileBytes) throw tooLargeFile(form, field)
      await flush()
      await this.close()
      return { bytes, sha256: hash.digest('hex'), declaredType: decoder.mediaType() }
    },
    async close(): Promise<void> {
      await handle?.close()
      handle = null
    },
  }
}

function payloadTooLarge(field: string, { tooLarge }: EncodedFileOptions['form']): ApiError {
  const megabytes = Math.round(MAX_BASE64_PAYLOAD_BYTES / (1024 * 1024))
  return new ApiError(tooLarge, { message: `The base64 payload is larger than ${megabytes} MB.`, param: field })
}
