const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const COMMA = 0x2c

/** Limits of a JSON text. */
type JsonBounds = { maxDepth: number; maxValues: number }

/**
 * Returns the limit that a JSON text exceeds: `depth` of arrays and objects, or `values`; `null` if
 * none. Values are counted by commas and opening brackets, an upper bound. The scan is linear,
 * stops at the first excess and skips strings, so that large texts cost little. Invalid JSON is
 * left to the parser.
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

/** Returns the index of the closing quote of the string at `start`, or the length of the text. */
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
