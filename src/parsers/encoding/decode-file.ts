import { createReadStream } from 'node:fs'
import iconv from 'iconv-lite'

/** A piece of decoded text. */
type DecodedText = {
  text: string
  /** Characters of `text` that stand for bytes which mean nothing in the encoding. */
  replaced: number
}

/** Decodes a file a piece at a time, without its byte order mark. A piece never ends inside a surrogate pair. */
export async function* decodeFile(path: string, encoding: string): AsyncGenerator<DecodedText> {
  const decoder = createTextDecoder(encoding)
  for await (const chunk of createReadStream(path, { highWaterMark: 64 * 1024 })) yield decoder.write(chunk as Buffer)
  yield decoder.end()
}

/** Japanese in 7 bits, of mails and old pages: Node knows it, `iconv-lite` does not. */
export const JIS = 'iso-2022-jp'

/** The text of bytes that are a file or the beginning of one, without its byte order mark. */
export function decodeBytes(bytes: Buffer, encoding: string): string {
  return encoding === JIS ? new TextDecoder(JIS).decode(bytes) : iconv.decode(bytes, encoding)
}

/** The decoding itself, for bytes that come in pieces. The text has no U+0000 and no half of a surrogate pair: both become U+FFFD. */
export function createTextDecoder(encoding: string): { write(bytes: Buffer): DecodedText; end(): DecodedText } {
  const decoder = encoding === JIS ? createJisDecoder() : iconv.getDecoder(encoding, { stripBOM: true })
  const isUnicode = /^utf-(8|16|32)/.test(encoding)
  const genuine = isUnicode ? createReplacementCounter(encoding) : () => 0
  let held = ''

  function take(decoded: string, isEnd: boolean, genuineMarks: number): DecodedText {
    const text = held + decoded
    const lastUnit = text.charCodeAt(text.length - 1)
    held = !isEnd && lastUnit >= 0xd800 && lastUnit <= 0xdbff ? text.slice(-1) : ''
    const whole = toUsableText(held === '' ? text : text.slice(0, -1))
    const marks = whole.includes('\uFFFD') ? whole.split('\uFFFD').length - 1 : 0
    return { text: whole, replaced: Math.max(0, marks - genuineMarks) }
  }

  return {
    write: (bytes) => take(decoder.write(bytes), false, genuine(bytes)),
    end: () => take(decoder.end() ?? '', true, 0),
  }
}

function createJisDecoder(): { write(bytes: Buffer): string; end(): string } {
  const decoder = new TextDecoder(JIS)
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() }
}

/** The text with U+0000 and halves of surrogate pairs, which no store keeps, replaced by U+FFFD; as long as before. */
export function toUsableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}

/** Counts U+FFFD that the file itself holds, also where one lies across two pieces. */
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
