import type { Hash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../../errors.ts'
import { BODY_BUDGET, JSON_BODY_BYTES } from '../../limits.ts'
import { startFingerprint } from '../idempotency.ts'
import type { Route } from '../route.ts'
import type { BodyBudget, BodyShare, DiskBudget, DiskShare } from './budgets.ts'
import { parseJsonBody, rejectMultipart } from './json-body.ts'
import type { JsonParser } from './json-parser.ts'
import { createByteCollector, LARGE_BODY_BYTES, readBytes, readPieces, requireContentLength } from './read-bytes.ts'
import { receiveEncodedFile } from './receive-encoded-file.ts'
import { receiveUpload, type Upload } from './upload.ts'

/**
 * Received body. `fingerprint` identifies the request. `discard` deletes its files and releases its
 * disk and memory shares.
 */
export type ReceivedBody = { json: unknown; upload: Upload | null; fingerprint: string; discard(): Promise<void> }

/** Dependencies for receiving a body. Without `jsonParser`, the event loop parses large bodies. */
type ReceiveBodyDeps = {
  directory: string
  jsonParser: Pick<JsonParser, 'parse'> | null
  bodyBudget: BodyBudget
  diskBudget: DiskBudget
  signal: AbortSignal
}

type ReceiveJsonDeps = Pick<ReceiveBodyDeps, 'directory' | 'jsonParser' | 'signal'> & {
  kind: Exclude<BodyKind, 'none'>
  maxBodyBytes: number
  share: BodyShare
  disk: DiskShare
  hash: Hash
}
type ReceivedParts = { json: unknown; upload: Upload | null }

/**
 * Reads the body of a request in a format that its route accepts. The memory counts from the first
 * byte until `discard`. Rejects with `unsupported_media_type`, `content_type_mismatch`,
 * `malformed_json`, `body_too_large`, and with `rate_limited` or `service_unavailable` under load.
 * Passes on errors of {@link receiveUpload}, {@link receiveEncodedFile} and {@link rejectJsonBody}.
 */
export async function receiveBody(
  request: FastifyRequest,
  route: Route,
  { bodyBudget, diskBudget, ...receiving }: ReceiveBodyDeps,
): Promise<ReceivedBody> {
  const { maxBodyBytes } = route
  const hash = startFingerprint(request.method, request.url)
  const kind = maxBodyBytes === undefined ? 'none' : readBodyKind(request.headers)
  if (maxBodyBytes === undefined || kind === 'none') {
    return { json: undefined, upload: null, fingerprint: hash.digest('hex'), discard: async () => undefined }
  }
  const [share, disk] = [bodyBudget.open(request.caller), diskBudget.open(request.caller)]
  const release = () => {
    share.release()
    disk.release()
  }
  try {
    share.reserve(BODY_BUDGET.leastBytes)
    const { json, upload } = await receiveByKind(request, route, {
      ...receiving,
      kind,
      maxBodyBytes,
      share,
      disk,
      hash,
    })
    const discard = () => (upload?.discard() ?? Promise.resolve()).finally(release)
    return { json, upload, fingerprint: hash.digest('hex'), discard }
  } catch (error) {
    release()
    throw error
  }
}

async function receiveByKind(
  request: FastifyRequest,
  { form, encodedField, body }: Route,
  receiving: ReceiveJsonDeps,
): Promise<ReceivedParts> {
  const { kind, hash } = receiving
  if (kind === 'json' && form !== undefined && encodedField !== undefined) {
    const options = { ...receiving, field: encodedField, form }
    const { json, upload, identity } = await receiveEncodedFile(request.raw, options)
    hash.update(identity)
    return { json, upload }
  }
  if (kind === 'json' && form !== undefined && body === null) {
    return { json: await rejectJsonBody(request.raw, reserveAndHash(receiving)), upload: null }
  }
  if (kind === 'json') return { json: await receiveJson(request.raw, receiving), upload: null }
  if (form === undefined) {
    throw new ApiError('unsupported_media_type', { message: 'This endpoint accepts only application/json.' })
  }
  const upload = await receiveUpload(request, { ...receiving, form })
  hash.update(upload.identity)
  return { json: undefined, upload }
}

/** Holds the body in memory until the response, or the end of its stream. */
async function receiveJson(request: IncomingMessage, receiving: ReceiveJsonDeps): Promise<unknown> {
  const { maxBodyBytes, jsonParser, share, signal } = receiving
  requireContentLength(request, maxBodyBytes)
  // Check before the body uses memory that others need.
  share.requireAvailable(Number(request.headers['content-length'] ?? 0))
  const bytes = await readBytes(request, maxBodyBytes, reserveAndHash(receiving))
  const isLarge = bytes.length >= LARGE_BODY_BYTES
  return isLarge && jsonParser !== null ? jsonParser.parse(bytes, signal) : parseJsonBody(bytes)
}

function reserveAndHash({ share, hash }: ReceiveJsonDeps): (piece: Buffer) => void {
  return (piece) => {
    share.reserve(piece.length)
    hash.update(piece)
  }
}

/** Format of a body. */
type BodyKind = 'none' | 'json' | 'multipart'

/**
 * Returns the format of the body from the headers. A request without a body is `none`, regardless
 * of its Content-Type. Throws `unsupported_media_type` for other types, compressed bodies, and JSON
 * in a charset other than UTF-8.
 */
export function readBodyKind(headers: IncomingHttpHeaders): BodyKind {
  if (!hasBody(headers)) return 'none'
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ApiError('unsupported_media_type', {
      message: `Content-Encoding ${encoding.slice(0, 40)} is not supported.`,
      remedy: 'Send the body uncompressed, without a Content-Encoding header.',
    })
  }
  return readMediaType(headers['content-type'] ?? '')
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function readMediaType(contentType: string): BodyKind {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  if (type === 'multipart/form-data') return 'multipart'
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type)) {
    const named = type === '' ? 'A request body without a Content-Type header' : `Content-Type ${type.slice(0, 100)}`
    throw new ApiError('unsupported_media_type', { message: `${named} is not supported.` })
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length)
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) {
    throw new ApiError('unsupported_media_type', {
      message: 'JSON must be encoded as UTF-8.',
      remedy: 'Encode the body as UTF-8, with Content-Type: application/json.',
    })
  }
  return 'json'
}

/**
 * Handles a JSON body on a route that only accepts a form. A small body is parsed, so that the
 * route can name the missing field. Reading stops after 1 MB with `validation_failed`. Rejects with
 * `content_type_mismatch` for a form sent as JSON, and with `malformed_json`. Passes each piece to
 * `see`.
 */
async function rejectJsonBody(request: IncomingMessage, see: (piece: Buffer) => void): Promise<unknown> {
  const collected = createByteCollector()
  for await (const piece of readPieces(request)) {
    see(piece)
    collected.add(piece)
    if (collected.bytes() <= JSON_BODY_BYTES) continue
    rejectMultipart(Buffer.concat(collected.blocks()))
    throw invalid('file', 'is required and must be a file part of a form')
  }
  return parseJsonBody(Buffer.concat(collected.blocks()))
}
