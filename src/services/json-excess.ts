const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const COMMA = 0x2c

/** What a JSON text may have at most. */
type JsonBounds = { maxDepth: number; maxValues: number }

/**
 * What a JSON text has too much of: `depth` of its arrays and objects, or `values` (commas and opening brackets are
 * counted, which is at least as many as there are); `null` when neither. Linear, stops at the first one too many, and
 * jumps over strings, so that a large text in a body costs next to nothing. The text need not be valid JSON; of an
 * invalid one the answer only says that the parser may have it.
 */
export function findExcess(json: Buffer, { maxDepth, maxValues }: JsonBounds): 'depth' | 'values' | null {
  let depth = 0
  let values = 0
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) {
      at = findStringEnd(json, at)
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1
      values += 1
      if (depth > maxDepth) return 'depth'
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1
    else if (byte === COMMA) values += 1
    if (values > maxValues) return 'values'
  }
  return null
}

/** Where the string that begins at `start` ends, its quote; the end of the text when it never does. */
export function findStringEnd(json: Buffer, start: number): number {
  let end = json.indexOf(QUOTE, start + 1)
  while (end !== -1 && isEscaped(json, end, start)) end = json.indexOf(QUOTE, end + 1)
  return end === -1 ? json.length : end
}

function isEscaped(json: Buffer, at: number, start: number): boolean {
  let backslashes = 0
  while (at - 1 - backslashes > start && json[at - 1 - backslashes] === BACKSLASH) backslashes += 1
  return backslashes % 2 === 1
}
