import { createReadStream } from 'node:fs'
import iconv from 'iconv-lite'
import { unpackGzip } from '../gzip.ts'
import { createJohabDecoder, JOHAB } from './johab.ts'
import { createMixedDecoder, isMixed } from './mixed-encoding.ts'
import { createSevenBitDecoder, isShifted } from './seven-bit.ts'

/** A piece of decoded text. */
type DecodedText = {
  text: string
  /** Number of characters in `text` that replace bytes invalid in the encoding. */
  replaced: number
  /** Number of NUL bytes that were left out; none in UTF-16 and UTF-32. */
  nuls?: number
}

/**
 * Decodes a file in chunks, without byte order mark and NUL bytes. A chunk never ends within a
 * surrogate pair. A packed file is unpacked; throws as {@link unpackGzip} does.
 */
export async function* decodeFile(
  path: string,
  { encoding, isPacked }: { encoding: string; isPacked: boolean },
): AsyncGenerator<DecodedText> {
  const decoder = createTextDecoder(encoding)
  const isWide = /^utf-(?:16|32)/.test(encoding)
  const stored = createReadStream(path, { highWaterMark: 64 * 1024 })
  for await (const chunk of isPacked ? unpackGzip(stored) : stored) {
    const bytes = chunk as Buffer
    const kept = isWide || !bytes.includes(0) ? bytes : Buffer.from(bytes.filter((byte) => byte !== 0))
    yield { ...decoder.write(kept), nuls: bytes.length - kept.length }
  }
  yield decoder.end()
}

/** Seven-bit Japanese of mails and old pages: supported by Node, but not by `iconv-lite`. */
export const JIS = 'iso-2022-jp'
/** Encodings that `iconv-lite` lacks, or of which it lacks the euro. */
const NATIVE: ReadonlySet<string> = new Set([JIS, 'macintosh', 'x-mac-cyrillic'])

/**
 * Returns the name that {@link decodeBytes} takes for a label of a mail, page or file; `null` for
 * an unknown label. Labels of browsers are known too (`x-mac-roman`). WHATWG Encoding Standard,
 * 4.2.
 */
export function findEncoding(label: string): string | null {
  const name = label.trim().toLowerCase()
  if (name === JOHAB || name === 'cp1361') return JOHAB
  if (isShifted(name) || NATIVE.has(name) || iconv.encodingExists(name)) return name
  try {
    const { encoding } = new TextDecoder(name)
    return NATIVE.has(encoding) || iconv.encodingExists(encoding) ? encoding : null
  } catch {
    return null
  }
}

/** Decodes a whole file, or its start, without byte order mark. */
export function decodeBytes(bytes: Buffer, encoding: string): string {
  if (NATIVE.has(encoding)) return new TextDecoder(encoding).decode(bytes)
  if (!isShifted(encoding) && !isMixed(encoding) && encoding !== JOHAB) return iconv.decode(bytes, encoding)
  const decoder = createBareDecoder(encoding)
  return decoder.write(bytes) + (decoder.end() ?? '')
}

/** Creates a streaming decoder. U+0000 and lone surrogates become U+FFFD. */
export function createTextDecoder(encoding: string): { write(bytes: Buffer): DecodedText; end(): DecodedText } {
  const decoder = createBareDecoder(encoding)
  const isUnicode = /^utf-(8|16|32)/.test(encoding) && !isMixed(encoding)
  const genuine = isUnicode ? createReplacementCounter(encoding) : () => 0
  let held = ''

  function take(decoded: string, isEnd: boolean, genuineMarks: number): DecodedText {
    const text = held + decoded
    const lastUnit = text.charCodeAt(text.length - 1)
    held = !isEnd && lastUnit >= 0xd800 && lastUnit <= 0xdbff ? text.slice(-1) : ''
    const whole = replaceUnstorable(held === '' ? text : text.slice(0, -1))
    const marks = whole.includes('\uFFFD') ? whole.split('\uFFFD').length - 1 : 0
    return { text: whole, replaced: Math.max(0, marks - genuineMarks) }
  }

  return {
    write: (bytes) => take(decoder.write(bytes), false, genuine(bytes)),
    end: () => take(decoder.end() ?? '', true, 0),
  }
}

type BareDecoder = { write(bytes: Buffer): string; end(): string | undefined }

function createBareDecoder(encoding: string): BareDecoder {
  if (isShifted(encoding)) return createSevenBitDecoder(encoding)
  if (isMixed(encoding)) return createMixedDecoder(encoding)
  if (encoding === JOHAB) return createJohabDecoder()
  if (!NATIVE.has(encoding)) return iconv.getDecoder(encoding, { stripBOM: true })
  const decoder = new TextDecoder(encoding)
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() }
}

/** Replaces U+0000 and lone surrogates, which no store accepts, by U+FFFD. Preserves the length. */
export function replaceUnstorable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}

/** Counts U+FFFD present in the file itself, also across chunks. */
function createReplacementCounter(encoding: string): (bytes: Buffer) => number {
  const mark = iconv.encode('\uFFFD', encoding, { addBOM: false })
  let tail: Buffer = Buffer.alloc(0)
  return (bytes) => {
    const whole = tail.length > 0 ? Buffer.concat([tail, bytes]) : bytes
    let count = 0
    for (let at = whole.indexOf(mark); at !== -1; at = whole.indexOf(mark, at + mark.length)) count += 1
    tail = whole.subarray(Math.max(0, whole.length - mark.length + 1))
    return count
  }
}
