import type { Hash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../../errors.ts'
import { BODY_BUDGET, JSON_BODY_BYTES } from '../../limits.ts'
import { beginFingerprint } from '../idempotency.ts'
import type { Route } from '../route.ts'
import type { BodyBudget, BodyShare, DiskBudget, DiskShare } from './budgets.ts'
import { parseJsonBody, requireNoForm } from './json-body.ts'
import type { JsonParser } from './json-parser.ts'
import { createByteCollector, LARGE_BODY_BYTES, readBytes, readPieces, requireLength } from './read-bytes.ts'
import { receiveEncodedFile } from './receive-encoded-file.ts'
import { receiveUpload, type Upload } from './upload.ts'

/** A body as it came. `fingerprint` is the same for the same request only; `discard` removes what was put on disk, and gives back its room and the memory. */
export type ReceivedBody = { json: unknown; upload: Upload | null; fingerprint: string; discard(): Promise<void> }

/** With what a body is received; without a parser a large one is parsed like any other. */
type BodyReceiving = {
  directory: string
  jsonParser: Pick<JsonParser, 'parse'> | null
  bodyBudget: BodyBudget
  diskBudget: DiskBudget
  signal: AbortSignal
}

type Receiving = Pick<BodyReceiving, 'directory' | 'jsonParser' | 'signal'> & {
  kind: Exclude<BodyKind, 'none'>
  maxBodyBytes: number
  share: BodyShare
  disk: DiskShare
  print: Hash
}
type Received = { json: unknown; upload: Upload | null }

/**
 * Reads the body of a request in the ways its route takes one. Its memory counts from the first byte until `discard`. Rejects with `unsupported_media_type`,
 * `content_type_mismatch`, `malformed_json`, `body_too_large`, `rate_limited` or `service_unavailable` where too much is under way, and as {@link receiveUpload},
 * {@link receiveEncodedFile} and {@link receiveUnwantedJson} do.
 */
export async function receiveBody(
  request: FastifyRequest,
  route: Route,
  { bodyBudget, diskBudget, ...receiving }: BodyReceiving,
): Promise<ReceivedBody> {
  const { maxBodyBytes } = route
  const print = beginFingerprint(request.method, request.url)
  const kind = maxBodyBytes === undefined ? 'none' : readBodyKind(request.headers)
  if (maxBodyBytes === undefined || kind === 'none') {
    return { json: undefined, upload: null, fingerprint: print.digest('hex'), discard: async () => undefined }
  }
  const [share, disk] = [bodyBudget.open(request.caller), diskBudget.open(request.caller)]
  const release = () => {
    share.release()
    disk.release()
  }
  try {
    share.take(BODY_BUDGET.leastBytes)
    const { json, upload } = await receiveKind(request, route, { ...receiving, kind, maxBodyBytes, share, disk, print })
    const discard = () => (upload?.discard() ?? Promise.resolve()).finally(release)
    return { json, upload, fingerprint: print.digest('hex'), discard }
  } catch (error) {
    release()
    throw error
  }
}

async function receiveKind(
  request: FastifyRequest,
  { form, encodedField, body }: Route,
  receiving: Receiving,
): Promise<Received> {
  const { kind, print } = receiving
  if (kind === 'json' && form !== undefined && encodedField !== undefined) {
    const options = { ...receiving, field: encodedField, form }
    const { json, upload, identity } = await receiveEncodedFile(request.raw, options)
    print.update(identity)
    return { json, upload }
  }
  if (kind === 'json' && form !== undefined && body === null) {
    return { json: await receiveUnwantedJson(request.raw, takeAndPrint(receiving)), upload: null }
  }
  if (kind === 'json') return { json: await receiveJson(request.raw, receiving), upload: null }
  if (form === undefined) {
    throw new ApiError('unsupported_media_type', { message: 'This endpoint takes JSON only.' })
  }
  const upload = await receiveUpload(request, { ...receiving, form })
  print.update(upload.identity)
  return { json: undefined, upload }
}

/** Held in memory until its work has given an answer, and all of it where that is a stream. */
async function receiveJson(request: IncomingMessage, receiving: Receiving): Promise<unknown> {
  const { maxBodyBytes, jsonParser, share, signal } = receiving
  requireLength(request, maxBodyBytes)
  // Before it fills what others may still take.
  share.requireRoom(Number(request.headers['content-length'] ?? 0))
  const bytes = await readBytes(request, maxBodyBytes, takeAndPrint(receiving))
  const isLarge = bytes.length >= LARGE_BODY_BYTES
  return isLarge && jsonParser !== null ? jsonParser.parse(bytes, signal) : parseJsonBody(bytes)
}

function takeAndPrint({ share, print }: Receiving): (piece: Buffer) => void {
  return (piece) => {
    share.take(piece.length)
    print.update(piece)
  }
}

/** How a body has to be read. */
type BodyKind = 'none' | 'json' | 'multipart'

/**
 * What the headers say the body is. A request without a body is `none` whatever its Content-Type says. Throws
 * `unsupported_media_type` for every other type, for a compressed body and for JSON in another charset than UTF-8.
 */
export function readBodyKind(headers: IncomingHttpHeaders): BodyKind {
  if (!hasBody(headers)) return 'none'
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ApiError('unsupported_media_type', {
      message: `Content-Encoding ${encoding.slice(0, 40)} is not supported.`,
      remedy: 'Send the body uncompressed, without Content-Encoding.',
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
    const named = type === '' ? 'A body without Content-Type' : `Content-Type ${type.slice(0, 100)}`
    throw new ApiError('unsupported_media_type', { message: `${named} is not supported.` })
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length)
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) {
    throw new ApiError('unsupported_media_type', {
      message: 'JSON is taken in UTF-8 only.',
      remedy: 'Send the body in UTF-8, with Content-Type: application/json.',
    })
  }
  return 'json'
}

/**
 * A JSON body where a form alone is taken: a small one is parsed, for the route to say what is missing of it; of one of more than
 * 1 MB no more is read, whatever a form may hold. Rejects with `validation_failed` for that, with `content_type_mismatch` where it is
 * the form under a JSON type, and with `malformed_json`. Each piece is shown to `see` as it comes.
 */
async function receiveUnwantedJson(request: IncomingMessage, see: (piece: Buffer) => void): Promise<unknown> {
  const collected = createByteCollector()
  for await (const piece of readPieces(request)) {
    see(piece)
    collected.add(piece)
    if (collected.bytes() <= JSON_BODY_BYTES) continue
    requireNoForm(Buffer.concat(collected.blocks()))
    throw invalid('file', 'is required and must be a file part of a form')
  }
  return parseJsonBody(Buffer.concat(collected.blocks()))
}
