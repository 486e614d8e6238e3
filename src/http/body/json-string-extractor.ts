import { findStringEnd } from '../../services/json-excess.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = [0x5b, 0x7b]
const CLOSING = [0x5d, 0x7d]
const COLON = 0x3a
const COMMA = 0x2c
/** Maximum length of a field name to compare; a longer name is another field. */
const MAX_NAME_CHARACTERS = 200

/**
 * Receiver of the string: `onStart` at the start, `onChunk` with each part. `pass` throws the
 * errors of both.
 */
export type StringReceiver = { onStart(): void; onChunk(text: string): void }

/** Result of {@link createJsonStringExtractor}. */
export type JsonStringExtractor = { pass(piece: Buffer): Buffer }

/**
 * Extracts the string of one top-level field from streamed JSON, for a string too large to hold in
 * memory. `pass` returns the rest of each piece, with an empty string in its place. A field of this
 * name with another type is kept. The bytes of the string are decoded as Latin-1, because only
 * ASCII is expected. The rest shows whether the text is valid JSON.
 */
export function createJsonStringExtractor(field: string, receiver: StringReceiver): JsonStringExtractor {
  const findString = createFieldSearch(field)
  let isExtracting = false
  /** Incomplete escape sequence at the end of the last piece. */
  let pendingEscape: Buffer = Buffer.alloc(0)

  function copyRest(bytes: Buffer, kept: Buffer[]): number {
    const start = findString(bytes)
    const length = start === -1 ? bytes.length : start
    kept.push(bytes.subarray(0, length))
    if (start !== -1) receiver.onStart()
    isExtracting = start !== -1
    return length
  }

  /** The closing quote is left to {@link copyRest}. */
  function extract(bytes: Buffer): number {
    const end = findStringEnd(bytes, -1)
    isExtracting = end === bytes.length
    const text = bytes.toString('latin1', 0, end)
    const unfinished = isExtracting ? (UNFINISHED_ESCAPE.exec(text.slice(-6))?.[0] ?? '') : ''
    pendingEscape = Buffer.from(unfinished, 'latin1')
    receiver.onChunk(unescapeText(text.slice(0, text.length - unfinished.length)))
    return end
  }

  return {
    pass(piece) {
      let left = pendingEscape.length === 0 ? piece : Buffer.concat([pendingEscape, piece])
      pendingEscape = Buffer.alloc(0)
      const kept: Buffer[] = []
      while (left.length > 0) left = left.subarray(isExtracting ? extract(left) : copyRest(left, kept))
      return Buffer.concat(kept)
    },
  }
}

/**
 * Returns a function that finds the start of the field's string, after its quote, or -1. The caller
 * passes the text after the match next.
 */
function createFieldSearch(field: string): (bytes: Buffer) => number {
  let isInString = false
  let isEscaped = false
  let isValue = false
  let depth = 0
  let name = ''

  function readInString(byte: number): void {
    if (isEscaped) isEscaped = false
    else if (byte === BACKSLASH) isEscaped = true
    else if (byte === QUOTE) isInString = false
    if (isInString && depth === 1 && !isValue && name.length <= MAX_NAME_CHARACTERS) name += String.fromCharCode(byte)
  }

  function readOutside(byte: number): void {
    if (OPENING.includes(byte)) depth += 1
    else if (CLOSING.includes(byte)) depth -= 1
    if (depth !== 1) return
    if (byte === COLON) isValue = true
    else if (byte === COMMA || OPENING.includes(byte)) isValue = false
  }

  return (bytes) => {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0
      if (isInString) readInString(byte)
      else if (byte === QUOTE) {
        isInString = true
        if (depth === 1 && isValue && name === field) return at + 1
        if (!isValue) name = ''
      } else readOutside(byte)
    }
    return -1
  }
}

const UNFINISHED_ESCAPE = /\\(?:u[0-9a-f]{0,3})?$/i
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '/': '/',
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '"': '"',
}

/**
 * PHP escapes `/`, .NET writes `\u002B` for `+`, and some clients wrap lines with `
 * `.
 */
function unescapeText(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (written, hex: string | undefined, character: string) =>
    hex === undefined ? (SHORT_ESCAPES[character] ?? written) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
