import iconv from 'iconv-lite'

/**
 * Encodings of ASCII bytes only, as old mail systems required. Marks switch between ASCII and pairs
 * of bytes, which are those of EUC without the upper bit. RFC 1557 (Korean), RFC 1843 (Chinese).
 */
const SHIFTED: ReadonlyMap<string, string> = new Map([
  ['iso-2022-kr', 'euc-kr'],
  ['hz-gb-2312', 'gb18030'],
])

/** Encodings whose bytes are valid ASCII, known by a declaration or by their marks only. */
export const SEVEN_BIT: ReadonlySet<string> = new Set([...SHIFTED.keys(), 'utf-7', 'utf-7-imap'])

/** True for the encodings of {@link createSevenBitDecoder}. */
export function isShifted(encoding: string): boolean {
  return SHIFTED.has(encoding)
}

/** A text with two or more pairs of marks around pairs of bytes is HZ. */
const HZ_PAIRS = /~\{(?:[!-w][!-~])+?~\}/g

/** True for Chinese between `~{` and `~}`. */
export function isHz(head: Buffer): boolean {
  return (head.toString('latin1').match(HZ_PAIRS)?.length ?? 0) > 1
}

/** True if a text selects the Korean set, as it must before the first Korean character. */
export function isIso2022Kr(head: Buffer): boolean {
  return head.includes(KOREAN_SET) && head.includes(SHIFT_OUT)
}

const KOREAN_SET = '\x1b$)C'
const SHIFT_OUT = '\x0e'
const SHIFT_IN = '\x0f'

/** Characters are bytes; `isPairs`: after the mark that begins pairs. */
type ShiftState = { isPairs: boolean }
/** Converts whole tokens of `text` and returns the rest, which the next bytes complete. */
type ConvertText = (text: string, state: ShiftState) => { bytes: string; rest: string }

/** Creates a streaming decoder for the encodings that {@link isShifted} accepts. */
export function createSevenBitDecoder(encoding: string): { write(bytes: Buffer): string; end(): string } {
  const inner = iconv.getDecoder(SHIFTED.get(encoding) ?? 'ascii')
  const convert = encoding === 'iso-2022-kr' ? convertKorean : convertHz
  const state: ShiftState = { isPairs: false }
  let rest = ''
  return {
    write(piece) {
      const converted = convert(rest + piece.toString('latin1'), state)
      rest = converted.rest
      return inner.write(Buffer.from(converted.bytes, 'latin1'))
    },
    end: () => inner.write(Buffer.from(rest, 'latin1')) + (inner.end() ?? ''),
  }
}

const convertKorean: ConvertText = (text, state) => {
  const open = [3, 2, 1].find((length) => text.endsWith(KOREAN_SET.slice(0, length))) ?? 0
  const whole = text.slice(0, text.length - open).replaceAll(KOREAN_SET, '')
  let bytes = ''
  for (const byte of whole) {
    const isMark = byte === SHIFT_OUT || byte === SHIFT_IN
    if (isMark || byte === '\n') state.isPairs = byte === SHIFT_OUT
    if (!isMark) bytes += state.isPairs ? raise(byte) : byte
  }
  return { bytes, rest: text.slice(text.length - open) }
}

const convertHz: ConvertText = (text, state) => {
  let bytes = ''
  let at = 0
  while (at < text.length) {
    const first = text.charAt(at)
    const isSingle = first === '\n' || (!state.isPairs && first !== '~')
    if (!isSingle && at + 1 === text.length) break
    const pair = text.slice(at, at + (isSingle ? 1 : 2))
    at += pair.length
    if (pair === '~{' || pair === '~}' || pair === '\n') state.isPairs = pair === '~{'
    if (pair === '~~' && !state.isPairs) bytes += '~'
    else if (!/^~[{}\n]$/.test(pair)) bytes += state.isPairs ? raise(pair) : pair
  }
  return { bytes, rest: text.slice(at) }
}

/** Sets the upper bit of printable bytes. */
function raise(bytes: string): string {
  return bytes.replaceAll(/[!-~]/g, (byte) => String.fromCharCode(byte.charCodeAt(0) | 0x80))
}
