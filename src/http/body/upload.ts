import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import type { Warning } from '../../api/values.ts'
import { ApiError, type ErrorCode, invalid } from '../../errors.ts'
import { writeNewFile } from '../../files/write-new-file.ts'
import { BODY_BUDGET } from '../../limits.ts'
import type { UploadedFile } from '../../services/ingest/ingest.ts'
import { cleanFileName } from '../../text/clean-file-name.ts'
import { unknownField } from '../read-value.ts'
import type { BodyShare, DiskShare } from './budgets.ts'
import { parseJsonText } from './json-body.ts'
import { bodyTooLarge, requireContentLength } from './read-bytes.ts'

/** Maximum size of a form field. The largest have 32,768 characters of metadata. */
const MAX_FIELD_BYTES = 256 * 1024
/** Maximum number of parts in a form. Unknown parts cause warnings. */
const MAX_PARTS = 20

/** Form of a route. */
export type UploadForm = {
  /** Parts for the OpenAPI document: `file` and the known fields. */
  parts: TObject
  maxFileBytes: number
  /** Error for a file that is too large. */
  tooLarge: ErrorCode
}

/**
 * Form with its file on the local disk. `discard` deletes the file; safe to call at any time, and
 * twice.
 */
export type Upload = {
  file: UploadedFile
  /** Unchecked fields besides the file. Lists and objects are parsed, the rest is text. */
  fields: Readonly<Record<string, unknown>>
  /** A warning for every unknown part. */
  warnings: Warning[]
  /** Identical for the same file, name, type and fields, regardless of the form boundary. */
  identity: string
  discard(): Promise<void>
}

/**
 * `curl -F file=handbook.md`, without the `@`, sends the name itself as the content of the file.
 */
const MISSING_FILE_NAME: Warning = {
  code: 'file_without_name',
  message: 'The part file has no file name. To upload a file with curl, use -F file=@name.',
  param: 'file',
}

/**
 * Content-Transfer-Encoding is deprecated in HTTP (RFC 7578, section 4.7); the encoded text would
 * be stored undecoded.
 */
const TRANSFER_ENCODING = /^(?:base64|quoted-printable)$/i

type ReceivedForm = {
  files: (UploadedFile & { sha256: string })[]
  texts: Map<string, string[]>
  warnings: Warning[]
}

/** Target and limits of a received form. */
type ReceiveFormOptions = {
  path: string
  form: UploadForm
  maxBodyBytes: number
  share: BodyShare
  disk: DiskShare
  signal: AbortSignal
}

/**
 * Streams a form with one `file` part and the known fields, in any order, to a new file in
 * `directory` (mode 0600). Rejects with the form's error as soon as the file is too large, and with
 * `body_too_large` beyond `maxBodyBytes`. Rejects with `validation_failed` for no file, several
 * files or invalid options, and `content_type_mismatch` for an invalid form. Rejects with
 * `insufficient_storage` on a full disk and `rate_limited` beyond the caller's disk share. Leaves
 * no file on errors.
 */
export async function receiveUpload(
  request: FastifyRequest,
  { directory, ...given }: Omit<ReceiveFormOptions, 'path'> & { directory: string },
): Promise<Upload> {
  requireContentLength(request.raw, given.maxBodyBytes)
  const path = join(directory, `upload-${randomUUID()}`)
  const discard = () => rm(path, { force: true })
  try {
    const { files, texts, warnings } = await receiveParts(request, { path, ...given })
    const [file] = files
    if (file === undefined) throw invalid('file', 'is required and must be a file part of the form')
    const { sha256, ...uploaded } = file
    const identity = JSON.stringify([sha256, file.filename, file.declaredType, [...texts].sort()])
    return { file: uploaded, fields: parseFields(given.form, texts), warnings, identity, discard }
  } catch (error) {
    await discard()
    throw toUploadError(error)
  }
}

async function receiveParts(request: FastifyRequest, receiving: ReceiveFormOptions): Promise<ReceivedForm> {
  const { maxBodyBytes, share, signal } = receiving
  const received: ReceivedForm = { files: [], texts: new Map(), warnings: [] }
  share.reserve(BODY_BUDGET.streamBytes)
  let bytes = 0
  const limits = { fieldSize: MAX_FIELD_BYTES, fileSize: Number.POSITIVE_INFINITY, parts: MAX_PARTS }
  request.raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    // No other limit covers the bytes between parts. The form parser ends on an error event;
    // destroying the request would close the connection that the response needs.
    if (bytes > maxBodyBytes) request.raw.emit('error', bodyTooLarge(maxBodyBytes))
  })
  for await (const part of request.parts({ limits })) {
    signal.throwIfAborted()
    // The form parser holds all fields in memory, including unknown ones.
    if (part.type === 'field') share.reserve(Buffer.byteLength(toText(part.value)))
    await receivePart(part, receiving, received)
  }
  return received
}

async function receivePart(part: Multipart, receiving: ReceiveFormOptions, received: ReceivedForm): Promise<void> {
  const { fieldname: name } = part
  if (part.type === 'file' && name === 'file') {
    if (received.files.length > 0) throw invalid('file', 'must be a single file: send one request per file')
    if (TRANSFER_ENCODING.test(part.encoding))
      throw invalid('file', `must be sent as raw bytes, not in ${part.encoding}`)
    if (part.filename === undefined) received.warnings.push(MISSING_FILE_NAME)
    received.files.push(await storeFile(part, receiving))
  } else if (name !== 'file' && Object.hasOwn(receiving.form.parts.properties, name)) {
    const earlier = received.texts.get(name) ?? []
    if (earlier.length > 0 && !isList(receiving.form, name)) throw invalid(name, 'must be given only once')
    received.texts.set(name, [...earlier, await readField(part)])
  } else {
    if (part.type === 'file') part.file.resume()
    received.warnings.push(unknownField(name.slice(0, 200)))
  }
}

async function storeFile(part: Extract<Multipart, { type: 'file' }>, { path, form, disk }: ReceiveFormOptions) {
  const hash = createHash('sha256')
  let bytes = 0
  async function* count(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > form.maxFileBytes) throw tooLargeFile(form, 'file')
      await disk.reserve(chunk.length)
      hash.update(chunk)
      yield chunk
    }
  }
  await writeNewFile(path, part.file, { through: count })
  const filename = cleanFileName(part.filename)
  return { path, bytes, filename, declaredType: part.mimetype || null, sha256: hash.digest('hex') }
}

/** Error for a file that is too large. */
export function tooLargeFile({ tooLarge }: Pick<UploadForm, 'tooLarge'>, param: string): ApiError {
  return new ApiError(tooLarge, { param })
}

/**
 * Clients send options as a text field, as a JSON field (already parsed), or as a Blob (received as
 * a file).
 */
async function readField(part: Multipart): Promise<string> {
  if (part.type === 'file') return readText(part.file, part.fieldname)
  if (part.valueTruncated) throw fieldTooLarge(part.fieldname)
  return toText(part.value)
}

/** The form parser parses fields of type JSON. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

async function readText(content: Readable, name: string): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_FIELD_BYTES) throw fieldTooLarge(name)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function fieldTooLarge(name: string): ApiError {
  return invalid(name, `must have at most ${MAX_FIELD_BYTES} bytes`)
}

function isList({ parts }: UploadForm, name: string): boolean {
  return (parts.properties[name] as { type?: string } | undefined)?.type === 'array'
}

function parseFields(form: UploadForm, texts: ReadonlyMap<string, readonly string[]>): Record<string, unknown> {
  const fields = [...texts].map(([name, values]) => {
    const [first = ''] = values
    if (isList(form, name)) return [name, values.length === 1 ? parseList(name, first) : values] as const
    return [name, isObject(form, name) ? parseObject(name, first) : first] as const
  })
  return Object.fromEntries(fields)
}

function isObject({ parts }: UploadForm, name: string): boolean {
  return (parts.properties[name] as { type?: string } | undefined)?.type === 'object'
}

function parseObject(name: string, text: string): unknown {
  try {
    return parseJsonText(text)
  } catch {
    throw invalid(name, 'must be a JSON object')
  }
}

/** Parses `["de","en"]` or `de, en`. */
function parseList(name: string, text: string): unknown {
  if (!text.trimStart().startsWith('[')) return text.split(',').flatMap((item) => item.trim() || [])
  try {
    return parseJsonText(text)
  } catch {
    throw invalid(name, 'must be a comma-separated list or a JSON array of strings')
  }
}

/** Maps errors of the form parser. Busboy's own errors have no code. */
function toUploadError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'FST_INVALID_JSON_FIELD_ERROR') return invalid('options', 'must be a JSON object')
  if (code === 'FST_PROTO_VIOLATION') return invalid('form', 'contains a part with a reserved name')
  if (code === 'FST_PARTS_LIMIT') return invalid('form', `must have at most ${MAX_PARTS} parts`)
  // Disk errors (ENOSPC, EIO) are not the client's fault. `ERR_…` codes are stream ends, caused by
  // the client.
  if (/^E(?!RR_)/.test(code)) return error
  return new ApiError('content_type_mismatch', {
    message: 'The multipart body is malformed or incomplete.',
    cause: error,
  })
}
