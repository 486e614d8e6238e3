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
import { bodyTooLarge, requireLength } from './read-bytes.ts'

/** Bytes of a part beside the file; the largest is `options`, whose object has a handful of fields. */
const MAX_FIELD_BYTES = 64 * 1024
/** Parts of one form; few have a meaning, the others are named in warnings. */
const MAX_PARTS = 20

/** A form that a route takes. */
export type UploadForm = {
  /** Its parts, as the OpenAPI document shows them: `file`, and those that have a meaning beside it. */
  parts: TObject
  maxFileBytes: number
  /** The error for a larger file. */
  tooLarge: ErrorCode
}

/** A form with its one file on the local disk. `discard` removes that file and may be called whenever, and twice. */
export type Upload = {
  file: UploadedFile
  /** The parts beside the file, not checked: `options` is parsed, all others are their text. */
  fields: Readonly<Record<string, unknown>>
  /** One for every part that has no meaning. */
  warnings: Warning[]
  /** Text that is the same for the same file, name, type and fields, whatever the boundary of the form. */
  identity: string
  discard(): Promise<void>
}

/** What `-F file=handbook.md`, without the `@`, sends is the name itself, as the content of a file. */
const NAMELESS: Warning = {
  code: 'file_without_name',
  message: 'The part file came without a file name; was its content meant? With curl, a file is sent by -F file=@name.',
  param: 'file',
}

/** What HTTP has no need of (RFC 7578, section 4.7), and what would be stored as the text that it is. */
const ENCODED = /^(?:base64|quoted-printable)$/i

type Received = {
  files: (UploadedFile & { sha256: string })[]
  texts: Map<string, string>
  warnings: Warning[]
}

/** Where the file of a form goes, and what is taken of it. */
type Receiving = {
  path: string
  form: UploadForm
  maxBodyBytes: number
  share: BodyShare
  disk: DiskShare
  signal: AbortSignal
}

/**
 * Streams a form of one `file` part and the other parts of `form`, in any order, to a new file in `directory` (mode 0600).
 * Rejects with the form's error the moment the file is too large, `body_too_large` past `maxBodyBytes`,
 * `validation_failed` for another number of files or options that are not JSON, `content_type_mismatch` for a broken
 * form, `insufficient_storage` when the disk is full, `rate_limited` past the caller's share of it; no file is left then.
 */
export async function receiveUpload(
  request: FastifyRequest,
  { directory, ...given }: Omit<Receiving, 'path'> & { directory: string },
): Promise<Upload> {
  requireLength(request.raw, given.maxBodyBytes)
  const path = join(directory, `upload-${randomUUID()}`)
  const discard = () => rm(path, { force: true })
  try {
    const { files, texts, warnings } = await receiveParts(request, { path, ...given })
    const [file] = files
    if (file === undefined) throw invalid('file', 'is required and must be a file part of the form')
    const { sha256, ...uploaded } = file
    const identity = JSON.stringify([sha256, file.filename, file.declaredType, [...texts].sort()])
    return { file: uploaded, fields: parseFields(texts), warnings, identity, discard }
  } catch (error) {
    await discard()
    throw toUploadError(error)
  }
}

async function receiveParts(request: FastifyRequest, receiving: Receiving): Promise<Received> {
  const { maxBodyBytes, share, signal } = receiving
  const received: Received = { files: [], texts: new Map(), warnings: [] }
  share.take(BODY_BUDGET.streamBytes)
  let bytes = 0
  const limits = { fieldSize: MAX_FIELD_BYTES, fileSize: Number.POSITIVE_INFINITY, parts: MAX_PARTS }
  request.raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    // What lies around the parts passes no other limit. The form reader ends on an error event of the request; destroying
    // the request instead would take the connection that the answer needs.
    if (bytes > maxBodyBytes) request.raw.emit('error', bodyTooLarge(maxBodyBytes))
  })
  for await (const part of request.parts({ limits })) {
    signal.throwIfAborted()
    // The form reader keeps all of them, those without a meaning as well.
    if (part.type === 'field') share.take(Buffer.byteLength(toText(part.value)))
    await receivePart(part, receiving, received)
  }
  return received
}

async function receivePart(part: Multipart, receiving: Receiving, received: Received): Promise<void> {
  const { fieldname: name } = part
  if (part.type === 'file' && name === 'file') {
    if (received.files.length > 0) throw invalid('file', 'must be one file: send one request for each')
    if (ENCODED.test(part.encoding)) throw invalid('file', `must come as its bytes, and not in ${part.encoding}`)
    if (part.filename === undefined) received.warnings.push(NAMELESS)
    received.files.push(await store(part, receiving))
  } else if (name !== 'file' && Object.hasOwn(receiving.form.parts.properties, name)) {
    if (received.texts.has(name)) throw invalid(name, 'must be given once')
    received.texts.set(name, await readField(part))
  } else {
    if (part.type === 'file') part.file.resume()
    received.warnings.push(unknownField(name.slice(0, 200)))
  }
}

async function store(part: Extract<Multipart, { type: 'file' }>, { path, form, disk }: Receiving) {
  const hash = createHash('sha256')
  let bytes = 0
  async function* count(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > form.maxFileBytes) throw tooLargeFile(form, 'file')
      await disk.take(chunk.length)
      hash.update(chunk)
      yield chunk
    }
  }
  await writeNewFile(path, part.file, { through: count })
  const filename = cleanFileName(part.filename)
  return { path, bytes, filename, declaredType: part.mimetype || null, sha256: hash.digest('hex') }
}

/** The error for a file that came under `param` and is too large. */
export function tooLargeFile({ tooLarge }: Pick<UploadForm, 'tooLarge'>, param: string): ApiError {
  return new ApiError(tooLarge, { param })
}

/** A client may send options as a field, as a field of type JSON, which comes parsed, or as a Blob, which comes as a file. */
async function readField(part: Multipart): Promise<string> {
  if (part.type === 'file') return readText(part.file, part.fieldname)
  if (part.valueTruncated) throw fieldTooLarge(part.fieldname)
  return toText(part.value)
}

/** The form reader parses a field whose type is JSON. */
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

function parseFields(texts: ReadonlyMap<string, string>): Record<string, unknown> {
  const options = texts.get('options')
  return { ...Object.fromEntries(texts), ...(options !== undefined && { options: parseOptions(options) }) }
}

function parseOptions(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch {
    throw invalid('options', 'must be a JSON object')
  }
}

/** The errors of the form reader, which names them by code or, where busboy makes them, by words alone. */
function toUploadError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'FST_INVALID_JSON_FIELD_ERROR') return invalid('options', 'must be a JSON object')
  if (code === 'FST_PROTO_VIOLATION') return invalid('form', 'has a part whose name is not allowed')
  if (code === 'FST_PARTS_LIMIT') return invalid('form', `must have at most ${MAX_PARTS} parts`)
  // What the system says of the disk (ENOSPC, EIO) is not the sender's doing; ERR_… are ends of streams, which is.
  if (/^E(?!RR_)/.test(code)) return error
  return new ApiError('content_type_mismatch', {
    message: 'The multipart body is broken or ended before it was complete.',
    cause: error,
  })
}
