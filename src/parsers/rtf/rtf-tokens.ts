/** A piece of an RTF file. Text is bytes, as Latin-1 characters. */
export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'word'; name: string; value: number | null }
  | { kind: 'text'; bytes: string }

const OPEN = 0x7b
const CLOSE = 0x7d
const BACKSLASH = 0x5c
const PIECE_BYTES = 64 * 1024
/** Longest control word in use, with its number. */
const MAX_WORD_BYTES = 64
/** Characters that a backslash makes text. */
const ESCAPED_TEXT = '\\{}'

/** Yields the tokens of a file. Pictures in binary are skipped. RTF 1.9.1, "RTF Syntax". */
export function* readRtfTokens(file: Buffer): Generator<RtfToken> {
  let at = 0
  while (at < file.length) {
    const byte = file[at]
    if (byte === OPEN || byte === CLOSE) {
      yield { kind: byte === OPEN ? 'open' : 'close' }
      at += 1
    } else if (byte === BACKSLASH) {
      const { token, end } = readControl(file, at)
      if (token !== null) yield token
      at = end
    } else {
      const end = findTextEnd(file, at)
      // Line ends of the file are not text.
      const bytes = file.toString('latin1', at, end).replace(/[\r\n\0]/g, '')
      if (bytes !== '') yield { kind: 'text', bytes }
      at = end
    }
  }
}

function findTextEnd(file: Buffer, from: number): number {
  const limit = Math.min(file.length, from + PIECE_BYTES)
  let at = from
  while (at < limit && file[at] !== OPEN && file[at] !== CLOSE && file[at] !== BACKSLASH) at += 1
  return at
}

function readControl(file: Buffer, at: number): { token: RtfToken | null; end: number } {
  const head = file.toString('latin1', at + 1, at + 1 + MAX_WORD_BYTES)
  const [whole = '', name, digits] = /^([A-Za-z]{1,32})(-?\d{1,10})? ?/.exec(head) ?? []
  if (name !== undefined) {
    const value = digits === undefined ? null : Number(digits)
    const end = at + 1 + whole.length
    // Binary data may contain braces.
    if (name === 'bin') return { token: null, end: end + Math.max(0, value ?? 0) }
    return { token: { kind: 'word', name, value }, end }
  }
  const hex = /^'([\dA-Fa-f]{2})/.exec(head)?.[1]
  if (hex !== undefined) {
    const bytes = String.fromCharCode(Number.parseInt(hex, 16))
    return { token: { kind: 'text', bytes }, end: at + 4 }
  }
  const symbol = head[0] ?? ''
  if (ESCAPED_TEXT.includes(symbol)) {
    const token = symbol === '' ? null : ({ kind: 'text', bytes: symbol } as const)
    return { token, end: at + 2 }
  }
  const isLineEnd = symbol === '\r' || symbol === '\n'
  return { token: { kind: 'word', name: isLineEnd ? 'par' : symbol, value: null }, end: at + 2 }
}
