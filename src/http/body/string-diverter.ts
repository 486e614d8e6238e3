import { findStringEnd } from '../../services/json-excess.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = [0x5b, 0x7b]
const CLOSING = [0x5d, 0x7d]
const COLON = 0x3a
const COMMA = 0x2c
/** Characters of a field's name that are looked at; a longer one is not the field. */
const MAX_NAME = 200

/** Who gets the string: `begin` is called when it begins, `take` with its characters as they come. What they throw, `pass` throws. */
export type StringTaker = { begin(): void; take(text: string): void }

/** See {@link createStringDiverter}. */
export type StringDiverter = { pass(piece: Buffer): Buffer }

/**
 * A JSON text passes by in pieces, and the string of one field of its outermost object is taken out: one too large to be held with the
 * rest. `pass` gives what is left of a piece, in which an empty string stands in its place. A field of that name that is no string stays.
 * Bytes of the string are taken for Latin-1: it is to hold ASCII alone. Whether the text is JSON shows in what is left.
 */
export function createStringDiverter(field: string, taker: StringTaker): StringDiverter {
  const findString = createFieldSearch(field)
  let isDiverting = false
  /** The beginning of an escape that the last piece ended in. */
  let carried: Buffer = Buffer.alloc(0)

  function keep(bytes: Buffer, kept: Buffer[]): number {
    const start = findString(bytes)
    const length = start === -1 ? bytes.length : start
    kept.push(bytes.subarray(0, length))
    if (start !== -1) taker.begin()
    isDiverting = start !== -1
    return length
  }

  /** The quote that ends the string is left to {@link keep}. */
  function divert(bytes: Buffer): number {
    const end = findStringEnd(bytes, -1)
    isDiverting = end === bytes.length
    const text = bytes.toString('latin1', 0, end)
    const unfinished = isDiverting ? (UNFINISHED_ESCAPE.exec(text.slice(-6))?.[0] ?? '') : ''
    carried = Buffer.from(unfinished, 'latin1')
    taker.take(unescapeText(text.slice(0, text.length - unfinished.length)))
    return end
  }

  return {
    pass(piece) {
      let left = carried.length === 0 ? piece : Buffer.concat([carried, piece])
      carried = Buffer.alloc(0)
      const kept: Buffer[] = []
      while (left.length > 0) left = left.subarray(isDiverting ? divert(left) : keep(left, kept))
      return Buffer.concat(kept)
    },
  }
}

/** Where, in the next piece, the string of the field begins, after its quote; -1 when it does not. What follows that place is asked for next. */
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
    if (isInString && depth === 1 && !isValue && name.length <= MAX_NAME) name += String.fromCharCode(byte)
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
const SHORT: Readonly<Record<string, string>> = { '/': '/', n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '"': '"' }

/** PHP writes `\/`, .NET writes `\u002B` for `+`, others wrap lines by `\n`. */
function unescapeText(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (written, hex: string | undefined, character: string) =>
    hex === undefined ? (SHORT[character] ?? written) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
