import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../errors.ts'

/** How a body has to be read. */
export type BodyKind = 'none' | 'json' | 'multipart'

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
