import iconv from 'iconv-lite'
import { decodeBytes, JIS, toUsableText } from '../encoding/decode-file.ts'

/** How a part of a mail says that its text is written. */
export type BodyEncoding = { transfer: string; charset: string }

/** The text of a part, with the line ends of a text. What says nothing of itself, or what is not known here, is left as it is. */
export function decodeBody(raw: string, { transfer, charset }: BodyEncoding): string {
  const text = transfer === 'base64' ? decodeBase64(raw, charset) : raw
  const decoded = transfer === 'quoted-printable' ? decodeQuotedPrintable(text, charset) : text
  return decoded.replaceAll(/\r\n?/g, '\n')
}

/** The words of a field that were written as ASCII: `=?utf-8?q?Geb=C3=BChr?=`. RFC 2047. */
export function decodeWords(field: string): string {
  return field.replaceAll(ENCODED_WORDS, (words) => {
    const pieces: { charset: string; bytes: Buffer }[] = []
    for (const [, charset = '', kind = '', content = ''] of words.matchAll(ENCODED_WORD)) {
      const bytes = /b/i.test(kind) ? Buffer.from(content, 'base64') : toBytes(content.replaceAll('_', ' '), charset)
      const last = pieces.at(-1)
      // A letter may begin in one word and end in the next.
      if (last?.charset === charset) last.bytes = Buffer.concat([last.bytes, bytes])
      else pieces.push({ charset, bytes })
    }
    return pieces.map(({ charset, bytes }) => decode(bytes, charset)).join('')
  })
}

const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,1000})\?=/gi
const ENCODED_WORDS =
  /=\?[\w.:-]{1,40}(?:\*[\w-]{0,20})?\?[bq]\?[^?\s]{0,1000}\?=(?:\s*=\?[\w.:-]{1,40}(?:\*[\w-]{0,20})?\?[bq]\?[^?\s]{0,1000}\?=)*/gi

function decodeBase64(raw: string, charset: string): string {
  return decode(Buffer.from(raw, 'base64'), charset)
}

/** A line end behind `=` is none, and spaces before one were not written. RFC 2045, section 6.7. */
function decodeQuotedPrintable(raw: string, charset: string): string {
  return decode(toBytes(raw.replaceAll(/[ \t]+(?=\r?\n)/g, '').replaceAll(/=\r?\n/g, ''), charset), charset)
}

function toBytes(text: string, charset: string): Buffer {
  const pieces = text.split(/((?:=[\dA-Fa-f]{2})+)/)
  return Buffer.concat(
    pieces.map((piece, index) =>
      index % 2 === 1 ? Buffer.from(piece.replaceAll('=', ''), 'hex') : encode(piece, charset),
    ),
  )
}

function encode(text: string, charset: string): Buffer {
  return isKnown(charset) && charset !== JIS ? iconv.encode(text, charset) : Buffer.from(text)
}

function decode(bytes: Buffer, charset: string): string {
  return toUsableText(decodeBytes(bytes, isKnown(charset) ? charset.toLowerCase() : 'utf-8'))
}

function isKnown(charset: string): boolean {
  return charset.toLowerCase() === JIS || iconv.encodingExists(charset)
}
