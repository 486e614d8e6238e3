import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import { fingerprint } from '../idempotency.ts'
import type { Route } from '../route.ts'
import { readBodyKind } from './content-type.ts'
import { parseJsonBody } from './json-body.ts'
import { readBytes } from './read-bytes.ts'
import { receiveEncodedFile } from './receive-encoded-file.ts'
import { receiveUpload, type Upload } from './upload.ts'

/** A body as it came. `fingerprint` is the same for the same request only; `discard` removes what was put on disk. */
export type ReceivedBody = { json: unknown; upload: Upload | null; fingerprint: string; discard(): Promise<void> }

/**
 * Reads the body of a request in the ways its route takes one. Rejects with `unsupported_media_type`,
 * `content_type_mismatch`, `malformed_json`, `body_too_large` and as {@link receiveUpload} and {@link receiveEncodedFile} do.
 */
export async function receiveBody(
  request: FastifyRequest,
  route: Route,
  { directory, signal }: { directory: string; signal: AbortSignal },
): Promise<ReceivedBody> {
  const { maxBodyBytes, form, encodedField } = route
  const kind = maxBodyBytes === undefined ? 'none' : readBodyKind(request.headers)
  if (maxBodyBytes === undefined || kind === 'none') return describe(request, Buffer.alloc(0), undefined, null)
  if (kind === 'json' && form !== undefined && encodedField !== undefined) {
    const options = { field: encodedField, form, directory, maxBodyBytes, signal }
    const { json, upload, identity } = await receiveEncodedFile(request.raw, options)
    return describe(request, identity, json, upload)
  }
  if (kind === 'json') {
    const bytes = await readBytes(request.raw, maxBodyBytes)
    return describe(request, bytes, parseJsonBody(bytes), null)
  }
  if (form === undefined) {
    throw new ApiError('unsupported_media_type', { message: 'This endpoint takes JSON only.' })
  }
  const upload = await receiveUpload(request, { form, directory, maxBodyBytes, signal })
  return describe(request, upload.identity, undefined, upload)
}

function describe(
  request: FastifyRequest,
  content: string | Buffer,
  json: unknown,
  upload: Upload | null,
): ReceivedBody {
  const print = fingerprint(request.method, request.url, content)
  return { json, upload, fingerprint: print, discard: async () => upload?.discard() }
}
