import { ApiError } from '../../errors.ts'
import { JSON_DEPTH, JSON_VALUES } from '../../limits.ts'
import { findExcess } from '../../services/json-excess.ts'

/**
 * Parses a JSON body, `undefined` if empty. Skips a byte order mark. Throws `malformed_json` for
 * invalid UTF-8, invalid JSON or too deep nesting, `body_too_large` for too many values, and
 * `content_type_mismatch` for a multipart body.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = skipByteOrderMark(bytes)
  if (isBlank(text)) return undefined
  rejectMultipart(text)
  requireJsonLimits(text)
  return parse(decode(text))
}

/** Throws `content_type_mismatch` for a body that starts like a multipart body. */
export function rejectMultipart(body: Buffer): void {
  if (body[0] !== 0x2d || body[1] !== 0x2d) return
  throw new ApiError('content_type_mismatch', {
    message: 'The body is multipart/form-data, but Content-Type is application/json.',
  })
}

/**
 * Runs before parsing: a body of nested empty objects would block the event loop for minutes and
 * use gigabytes.
 */
function requireJsonLimits(text: Buffer): void {
  const excess = findExcess(text, { maxDepth: JSON_DEPTH, maxValues: JSON_VALUES })
  if (excess === 'depth') {
    throw new ApiError('malformed_json', { message: `The JSON body is nested deeper than ${JSON_DEPTH} levels.` })
  }
  if (excess === 'values') {
    throw new ApiError('body_too_large', { message: `The JSON body has more than ${JSON_VALUES} values.` })
  }
}

/** Parses JSON from a form field. Throws `malformed_json` like a body. */
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
