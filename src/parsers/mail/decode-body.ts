import iconv from 'iconv-lite'
import { decodeBytes, toUsableText } from '../encoding/decode-file.ts'
import { detectEncoding } from '../encoding/detect-encoding.ts'
import { createByteSurvey } from '../encoding/survey-bytes.ts'

/** How a part of a mail says that its text is written; `charset` is null where it does not say. */
type BodyEncoding = { transfer: string; charset: string | null }

/** The text of a part, with the line ends of a text. The characters of `raw` are its bytes. */
export function decodeBody(raw: string, { transfer, charset }: BodyEncoding): string {
  return decodeText(decodeTransfer(raw, transfer), charset).replaceAll(/\r\n?/g, '\n')
}

/** The value of a field. The characters of `raw` are its bytes; words of it may be written as ASCII: `=?utf-8?q?Geb=C3=BChr?=`. RFC 2047. */
export function decodeField(raw: string): string {
  const field = /[^\t -~]/.test(raw) ? decodeText(Buffer.from(raw, 'latin1'), null) : raw
  return field.replaceAll(ENCODED_WORDS, (words) => {
    const pieces: { charset: string; bytes: Buffer }[] = []
    for (const [, charset = '', kind = '', content = ''] of words.matchAll(ENCODED_WORD)) {
      const bytes = decodeTransfer(content.replaceAll('_', ' '), /b/i.test(kind) ? 'base64' : 'q')
      const last = pieces.at(-1)
      // A letter may begin in one word and end in the next.
      if (last?.charset === charset) last.bytes = Buffer.concat([last.bytes, bytes])
      else pieces.push({ charset, bytes })
    }
    return pieces.map(({ charset, bytes }) => decodeText(bytes, charset)).join('')
  })
}

/** The text of bytes. What is said of their letters counts where it can be true; else they are told as those of a file are. */
export function decodeText(bytes: Buffer, charset: string | null): string {
  const survey = createByteSurvey()
  survey.add(bytes)
  const known = charset !== null && iconv.encodingExists(charset) ? charset.toLowerCase() : null
  return toUsableText(decodeBytes(bytes, detectEncoding(survey.finish(), known) ?? 'utf-8'))
}

const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,1000})\?=/gi
const ENCODED_WORDS =
  /=\?[\w.:-]{1,40}(?:\*[\w-]{0,20})?\?[bq]\?[^?\s]{0,1000}\?=(?:\s*=\?[\w.:-]{1,40}(?:\*[\w-]{0,20})?\?[bq]\?[^?\s]{0,1000}\?=)*/gi

/** The bytes of a part. What is written in no way that is known here is left as it is. */
export function decodeTransfer(raw: string, transfer: string): Buffer {
  if (transfer === 'base64') return Buffer.from(raw, 'base64')
  if (transfer === 'quoted-printable') return decodeEscapes(joinLines(raw))
  return transfer === 'q' ? decodeEscapes(raw) : Buffer.from(raw, 'latin1')
}

/** A line end behind `=` is none, and spaces before one were not written. RFC 2045, section 6.7. */
function joinLines(raw: string): string {
  const lines = raw.split(/\r\n?|\n/).map(trimBlanks)
  return lines.map((line) => (line.endsWith('=') ? line.slice(0, -1) : `${line}\n`)).join('')
}

/** Bytes that are written as `=C3`. */
function decodeEscapes(text: string): Buffer {
  const written = Buffer.from(text, 'latin1')
  const decoded = Buffer.alloc(written.length)
  let length = 0
  for (let at = 0; at < written.length; at += 1) {
    const byte = written[at] ?? 0
    const escaped = byte === EQUALS ? 16 * digitOf(written[at + 1]) + digitOf(written[at + 2]) : Number.NaN
    decoded[length] = Number.isNaN(escaped) ? byte : escaped
    length += 1
    if (!Number.isNaN(escaped)) at += 2
  }
  return decoded.subarray(0, length)
}

const EQUALS = 0x3d

/** Not a number where the byte is no hexadecimal digit. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}

/** The line without the spaces, tabs and line ends behind it. No byte of a letter goes, as U+00A0 would with `trimEnd`. */
export function trimBlanks(line: string): string {
  let end = line.length
  while (end > 0 && BLANKS.has(line.charCodeAt(end - 1))) end -= 1
  return line.slice(0, end)
}

/** Tab, line feed, carriage return, space. */
const BLANKS: ReadonlySet<number> = new Set([9, 10, 13, 32])
