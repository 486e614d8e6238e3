import { decodeBytes, findEncoding, replaceUnstorable } from '../encoding/decode-file.ts'
import { detectEncoding, getMarkupCharset } from '../encoding/detect-encoding.ts'
import { createByteSurvey } from '../encoding/survey-bytes.ts'
import { trimBlanks } from './split-header.ts'

/** Header fields of a mail or part, by lower-case name. The first occurrence counts. */
export type MailFields = ReadonlyMap<string, string>

/** Type and encoding of a part. */
export type PartFacts = {
  type: string
  boundary: string | null
  charset: string | null
  transfer: string
  fileName: string | null
  isAttachment: boolean
}

/** Decodes whole header fields, whose characters are bytes. */
export function readFields(whole: readonly string[]): MailFields {
  const fields = new Map<string, string>()
  for (const field of whole) {
    const colon = field.indexOf(':')
    const name = field.slice(0, Math.max(0, colon)).trimEnd().toLowerCase()
    if (name !== '' && !fields.has(name)) fields.set(name, decodeField(field.slice(colon + 1)).trim())
  }
  return fields
}

/** Reads the type and encoding of a part; the default is plain text. */
export function readPartFacts(fields: MailFields): PartFacts {
  const content = fields.get('content-type') ?? ''
  const disposition = fields.get('content-disposition') ?? ''
  const facts = readParameters(content)
  return {
    type: (/^[\w.+-]+\/[\w.+-]+/.exec(content)?.[0] ?? 'text/plain').toLowerCase(),
    boundary: trimBlanks(facts.get('boundary') ?? '') || null,
    charset: facts.get('charset') ?? null,
    transfer: (/^[\w-]+/.exec(fields.get('content-transfer-encoding') ?? '')?.[0] ?? '').toLowerCase(),
    fileName: readParameters(disposition).get('filename') ?? facts.get('name') ?? null,
    isAttachment: /^attachment\b/i.test(disposition),
  }
}

/** A closing quotation mark may be missing at the end. */
const PARAMETER = /;\s*([\w-]+)(?:\*(\d{1,3}))?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s;]*))/g

/**
 * Parses the parameters of a field, by lower-case name: `name="value"`, `name=value`, and RFC 2231
 * for long and non-ASCII values, `name*0*=utf-8''Geb%C3; name*1=hr`. RFC 2231 takes precedence.
 */
function readParameters(field: string): ReadonlyMap<string, string> {
  const simple = new Map<string, string>()
  const parts = new Map<string, string>()
  for (const [, name = '', part, escaped, quoted, bare = ''] of field.matchAll(PARAMETER)) {
    const key = name.toLowerCase()
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare
    if (part === undefined && escaped === undefined) simple.set(key, simple.get(key) ?? value)
    else parts.set(key, (parts.get(key) ?? '') + (escaped === undefined ? escapeValue(value) : value))
  }
  for (const [key, value] of parts) simple.set(key, decodeExtended(value))
  return simple
}

/** Escapes an unescaped segment so that it can be joined with escaped segments. */
function escapeValue(value: string): string {
  return encodeURIComponent(value).replaceAll("'", '%27')
}

function decodeExtended(value: string): string {
  const [, charset = '', rest = value] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? []
  const letters = rest.replaceAll(/%([\dA-Fa-f]{2})/g, (_, byte: string) =>
    String.fromCharCode(Number.parseInt(byte, 16)),
  )
  return decodeText(Buffer.from(letters, 'latin1'), charset)
}

/** Decodes a part's text and normalizes line ends. The characters of `raw` are bytes. */
export function decodeBody(raw: string, { transfer, charset, type }: PartFacts): string {
  const bytes = decodeTransfer(raw, transfer)
  // Programs declare ASCII, or nothing, for a page that names its own encoding.
  const isOpen = charset === null || findEncoding(charset) === null || /^(?:us-)?ascii$/i.test(charset)
  const declared = type === 'text/html' && isOpen ? (getMarkupCharset(bytes) ?? charset) : charset
  return decodeText(bytes, declared).replaceAll(/\r\n?/g, '\n')
}

/**
 * Decodes a field value. The characters of `raw` are bytes; parts may be encoded words:
 * `=?utf-8?q?Geb=C3=BChr?=`. RFC 2047.
 */
function decodeField(raw: string): string {
  const field = /[^\t -~]/.test(raw) ? decodeText(Buffer.from(raw, 'latin1'), null) : raw
  return field.replaceAll(ENCODED_WORDS, (words) => {
    const pieces: { charset: string; bytes: Buffer }[] = []
    for (const [, charset = '', kind = '', content = ''] of words.matchAll(ENCODED_WORD)) {
      const bytes = decodeTransfer(content.replaceAll('_', ' '), /b/i.test(kind) ? 'base64' : 'q')
      const last = pieces.at(-1)
      // A character may be split across encoded words.
      if (last?.charset === charset) last.bytes = Buffer.concat([last.bytes, bytes])
      else pieces.push({ charset, bytes })
    }
    return pieces.map(({ charset, bytes }) => decodeText(bytes, charset)).join('')
  })
}

/**
 * Decodes bytes with the declared charset if plausible; otherwise the encoding is detected as for
 * files.
 */
function decodeText(bytes: Buffer, charset: string | null): string {
  const survey = createByteSurvey()
  survey.add(bytes)
  const known = charset === null ? null : findEncoding(charset)
  return replaceUnstorable(decodeBytes(bytes, detectEncoding(survey.finish(), known) ?? 'utf-8'))
}

const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,1000})\?=/gi
const ENCODED_WORDS = new RegExp(
  String.raw`=\?[\w.:-]{1,40}(?:\*[\w-]{0,20})?\?[bq]\?[^?\s]{0,1000}\?=(?:\s*=\?[\w.:-]{1,40}(?:\*[\w-]{0,20})` +
    String.raw`?\?[bq]\?[^?\s]{0,1000}\?=)*`,
  'gi',
)

/** Decodes a transfer encoding. Unknown encodings are returned as is. */
export function decodeTransfer(raw: string, transfer: string): Buffer {
  if (transfer === 'base64') return Buffer.from(raw, 'base64')
  if (transfer === 'quoted-printable') return decodeEscapes(joinLines(raw))
  return transfer === 'q' ? decodeEscapes(raw) : Buffer.from(raw, 'latin1')
}

/**
 * `=` at a line end is a soft break, and spaces before a line end are not content. RFC 2045,
 * section 6.7.
 */
function joinLines(raw: string): string {
  const lines = raw.split(/\r\n?|\n/).map(trimBlanks)
  return lines.map((line) => (line.endsWith('=') ? line.slice(0, -1) : `${line}\n`)).join('')
}

/** Decodes bytes written as `=C3`. */
function decodeEscapes(text: string): Buffer {
  const written = Buffer.from(text, 'latin1')
  const decoded = Buffer.alloc(written.length)
  let length = 0
  for (let at = 0; at < written.length; at += 1) {
    const byte = written[at] ?? 0
    const escaped = byte === EQUALS ? 16 * readHexDigit(written[at + 1]) + readHexDigit(written[at + 2]) : Number.NaN
    decoded[length] = Number.isNaN(escaped) ? byte : escaped
    length += 1
    if (!Number.isNaN(escaped)) at += 2
  }
  return decoded.subarray(0, length)
}

const EQUALS = 0x3d

/** Returns NaN for a byte that is not a hexadecimal digit. */
function readHexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}
