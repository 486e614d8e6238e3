import { ApiError } from '../../errors.ts'
import { JSON_DEPTH, JSON_VALUES } from '../../limits.ts'
import { findExcess } from '../../services/json-excess.ts'

/**
 * The value of a JSON body, `undefined` of an empty one. A byte order mark is passed over. Throws `malformed_json` for
 * what is not UTF-8, not JSON or nested too deep, `body_too_large` for too many values, and `content_type_mismatch` for a
 * multipart body under a JSON type.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = skipByteOrderMark(bytes)
  if (isBlank(text)) return undefined
  requireNoForm(text)
  requireBounds(text)
  return parse(decode(text))
}

/** Throws `content_type_mismatch` for a body that begins as a multipart body does. */
export function requireNoForm(body: Buffer): void {
  if (body[0] !== 0x2d || body[1] !== 0x2d) return
  throw new ApiError('content_type_mismatch', {
    message: 'The body is multipart/form-data but Content-Type says application/json.',
  })
}

/** Asked before parsing, which would hold everyone up for minutes and take gigabytes for a body of empty objects. */
function requireBounds(text: Buffer): void {
  const excess = findExcess(text, { maxDepth: JSON_DEPTH, maxValues: JSON_VALUES })
  if (excess === 'depth') {
    throw new ApiError('malformed_json', { message: `The JSON body is nested deeper than ${JSON_DEPTH} levels.` })
  }
  if (excess === 'values') {
    throw new ApiError('body_too_large', { message: `The JSON body has more than ${JSON_VALUES} values.` })
  }
}

/** The value of a JSON text that came in a form field; throws `malformed_json` as a body does. */
export function parseJsonText(text: string): unknown {
  return parseJsonBody(Buffer.from(text))
}

function skipByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ApiError('malformed_json', { message: 'The JSON body is not valid UTF-8.', cause })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const place = cause instanceof Error ? / at position \d+/.exec(cause.message)?.[0] : undefined
    throw new ApiError('malformed_json', { message: `The request body is not valid JSON${place ?? ''}.`, cause })
  }
}
