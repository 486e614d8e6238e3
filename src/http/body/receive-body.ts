import type { Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import { beginFingerprint } from '../idempotency.ts'
import type { Route } from '../route.ts'
import type { BodyRoom } from './body-room.ts'
import { readBodyKind } from './content-type.ts'
import { parseJsonBody } from './json-body.ts'
import type { JsonParser } from './json-parser.ts'
import { LARGE_BODY_BYTES, readBytes, requireLength } from './read-bytes.ts'
import { receiveEncodedFile } from './receive-encoded-file.ts'
import { receiveUnwantedJson } from './receive-unwanted-json.ts'
import { receiveUpload, type Upload } from './upload.ts'

/** A body as it came. `fingerprint` is the same for the same request only; `discard` removes what was put on disk, and gives back the room in memory. */
export type ReceivedBody = { json: unknown; upload: Upload | null; fingerprint: string; discard(): Promise<void> }

/** With what a body is received; without a parser a large one is parsed like any other. */
export type BodyReceiving = {
  directory: string
  jsonParser: Pick<JsonParser, 'parse'> | null
  bodyRoom: BodyRoom
  signal: AbortSignal
}

/**
 * Reads the body of a request in the ways its route takes one. Rejects with `unsupported_media_type`,
 * `content_type_mismatch`, `malformed_json`, `body_too_large`, `service_unavailable` where too much is under way, and as {@link receiveUpload}, {@link receiveEncodedFile} and {@link receiveUnwantedJson} do.
 */
export async function receiveBody(
  request: FastifyRequest,
  route: Route,
  { directory, jsonParser, bodyRoom, signal }: BodyReceiving,
): Promise<ReceivedBody> {
  const { maxBodyBytes, form, encodedField } = route
  const print = beginFingerprint(request.method, request.url)
  const kind = maxBodyBytes === undefined ? 'none' : readBodyKind(request.headers)
  if (maxBodyBytes === undefined || kind === 'none') return describe(print, undefined, null)
  if (kind === 'json' && form !== undefined && encodedField !== undefined) {
    const options = { field: encodedField, form, directory, maxBodyBytes, signal }
    const { json, upload, identity } = await receiveEncodedFile(request.raw, options)
    return describe(print.update(identity), json, upload)
  }
  const see = (piece: Buffer) => void print.update(piece)
  if (kind === 'json' && form !== undefined && route.body === null) {
    return describe(print, await receiveUnwantedJson(request.raw, see), null)
  }
  if (kind === 'json') return receiveJson(request.raw, print, { maxBodyBytes, jsonParser, bodyRoom, signal })
  if (form === undefined) {
    throw new ApiError('unsupported_media_type', { message: 'This endpoint takes JSON only.' })
  }
  const upload = await receiveUpload(request, { form, directory, maxBodyBytes, signal })
  return describe(print.update(upload.identity), undefined, upload)
}

/** Held in memory until its work has given an answer, and all of it where that is a stream. */
async function receiveJson(
  request: IncomingMessage,
  print: Hash,
  { maxBodyBytes, jsonParser, bodyRoom, signal }: Omit<BodyReceiving, 'directory'> & { maxBodyBytes: number },
): Promise<ReceivedBody> {
  const share = bodyRoom.enter()
  const see = (piece: Buffer) => {
    share.take(piece.length)
    print.update(piece)
  }
  try {
    requireLength(request, maxBodyBytes)
    // Before it fills what others may still take.
    share.requireRoom(Number(request.headers['content-length'] ?? 0))
    const bytes = await readBytes(request, maxBodyBytes, see)
    const isLarge = bytes.length >= LARGE_BODY_BYTES
    const json = isLarge && jsonParser !== null ? await jsonParser.parse(bytes, signal) : parseJsonBody(bytes)
    return { ...describe(print, json, null), discard: async () => share.leave() }
  } catch (error) {
    share.leave()
    throw error
  }
}

function describe(print: Hash, json: unknown, upload: Upload | null): ReceivedBody {
  return { json, upload, fingerprint: print.digest('hex'), discard: async () => upload?.discard() }
}
