import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { ApiError, invalid } from '../../errors.ts'
import { BODY_BUDGET, JSON_BODY_BYTES, MAX_BASE64_PAYLOAD_BYTES } from '../../limits.ts'
import { createBase64Decoder } from './base64-decoder.ts'
import type { BodyShare, DiskShare } from './budgets.ts'
import { parseJsonBody, rejectMultipart } from './json-body.ts'
import { createJsonStringExtractor } from './json-string-extractor.ts'
import { bodyTooLarge, createByteCollector, readPieces, requireContentLength } from './read-bytes.ts'
import { tooLargeFile, type Upload, type UploadForm } from './upload.ts'

/** JSON body with a file, stored on the local disk. */
export type EncodedFile = {
  /** Parsed but unchecked body, with an empty string in place of the file. */
  json: unknown
  /** `null` if the body has no file. */
  upload: Upload | null
  /** Identical for the same file and fields. */
  identity: string
}

/** Options for receiving a JSON body with a file. */
export type EncodedFileOptions = {
  /** Field with the file as base64. */
  field: string
  form: Pick<UploadForm, 'maxFileBytes' | 'tooLarge'>
  directory: string
  maxBodyBytes: number
  share: BodyShare
  disk: DiskShare
  signal: AbortSignal
}

/**
 * Streams a JSON body and writes its base64 file to a new file in `directory` (mode 0600), without
 * holding the whole body in memory. Rejects with the form's error if the file or the payload is too
 * large. Rejects with `validation_failed` for invalid base64, `body_too_large` for more than 1 MB
 * besides the file, `malformed_json`, `content_type_mismatch`, and `rate_limited` beyond the
 * caller's disk share. Leaves no file on errors.
 */
export async function receiveEncodedFile(request: IncomingMessage, options: EncodedFileOptions): Promise<EncodedFile> {
  requireContentLength(request, options.maxBodyBytes)
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
  const extractor = createJsonStringExtractor(field, file)
  const kept = createByteCollector()
  share.reserve(BODY_BUDGET.streamBytes)
  for await (const chunk of readPieces(request)) {
    signal.throwIfAborted()
    const rest = extractor.pass(chunk)
    share.reserve(rest.length)
    kept.add(rest)
    if (kept.bytes() > JSON_BODY_BYTES) {
      rejectMultipart(Buffer.concat(kept.blocks()))
      throw bodyTooLarge(JSON_BODY_BYTES)
    }
    await file.flush()
  }
  return Buffer.concat(kept.blocks())
}

type DecodedFile = ReturnType<typeof createDecodedFile>

/** Decodes base64 to a file and counts both sizes. */
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
    // Decoding continues, to report the correct limit, but drops the bytes.
    if (bytes <= form.maxFileBytes) waiting.push(piece)
    else waiting = []
  }

  async function flush(): Promise<void> {
    const pieces = waiting
    waiting = []
    if (!hasBegun) return
    handle ??= await open(path, 'wx', 0o600)
    for (const piece of pieces) {
      await disk.reserve(piece.length)
      hash.update(piece)
      await handle.writeFile(piece)
    }
  }

  return {
    onStart(): void {
      if (hasBegun) throw invalid(field, 'must be given only once')
      hasBegun = true
    },
    onChunk(text: string): void {
      characters += text.length
      if (characters > MAX_BASE64_PAYLOAD_BYTES) throw payloadTooLarge(field, form)
      add(decoder.write(text))
    },
    flush,
    /** Returns the size, hash and type of the file; `null` without a file. */
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
