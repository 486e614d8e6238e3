import iconv from 'iconv-lite'
import { decodeBytes, toUsableText } from '../encoding/decode-file.ts'
import { detectEncoding } from '../encoding/detect-encoding.ts'
import { createByteSurvey } from '../encoding/survey-bytes.ts'

/** The fields at the head of a mail, or of a part of one, by their names in small letters. The first of a name counts. */
export type MailFields = ReadonlyMap<string, string>

/** What a part is and how it is written. */
export type PartFacts = {
  type: string
  boundary: string | null
  charset: string | null
  transfer: string
  fileName: string | null
  isAttachment: boolean
}

/** Fields of what is longer are no person's. */
const MAX_FIELD_CHARACTERS = 4_000

/** Reads lines of fields, whose characters are their bytes; one that begins with white space goes on with the field above. */
export function readFields(lines: readonly string[]): MailFields {
  const whole: string[] = []
  for (const line of lines) {
    if (/^[ \t]/.test(line) && whole.length > 0)
      whole.push(`${whole.pop()} ${trimBlanks(line.trimStart())}`.slice(0, MAX_FIELD_CHARACTERS))
    else whole.push(trimBlanks(line).slice(0, MAX_FIELD_CHARACTERS))
  }
  const fields = new Map<string, string>()
  for (const field of whole) {
    const colon = field.indexOf(':')
    const name = field.slice(0, Math.max(0, colon)).trimEnd().toLowerCase()
    if (name !== '' && !fields.has(name)) fields.set(name, decodeField(field.slice(colon + 1)).trim())
  }
  return fields
}

/** What the fields of a part say of it; a part that says nothing is plain text. */
export function readPartFacts(fields: MailFields): PartFacts {
  const content = fields.get('content-type') ?? ''
  const disposition = fields.get('content-disposition') ?? ''
  const facts = readParameters(content)
  return {
    type: (/^[\w.+-]+\/[\w.+-]+/.exec(content)?.[0] ?? 'text/plain').toLowerCase(),
    boundary: facts.get('boundary') || null,
    charset: facts.get('charset') ?? null,
    transfer: (/^[\w-]+/.exec(fields.get('content-transfer-encoding') ?? '')?.[0] ?? '').toLowerCase(),
    fileName: readParameters(disposition).get('filename') ?? facts.get('name') ?? null,
    isAttachment: /^attachment\b/i.test(disposition),
  }
}

/** A value may end with the field though it began with a quotation mark. */
const PARAMETER = /;\s*([\w-]+)(?:\*(\d{1,3}))?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s;]*))/g

/**
 * The parameters of a field by their names in small letters: `name="value"`, `name=value`, and as RFC 2231 writes long ones and those beyond ASCII,
 * `name*0*=utf-8''Geb%C3; name*1=hr`. Where a name comes in both ways, the latter counts.
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

/** So that a part that was not escaped may stand among those that were. */
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

/** How a part of a mail says that its text is written; `charset` is null where it does not say. */
type BodyEncoding = { transfer: string; charset: string | null }

/** The text of a part, with the line ends of a text. The characters of `raw` are its bytes. */
export function decodeBody(raw: string, { transfer, charset }: BodyEncoding): string {
  return decodeText(decodeTransfer(raw, transfer), charset).replaceAll(/\r\n?/g, '\n')
}

/** The value of a field. The characters of `raw` are its bytes; words of it may be written as ASCII: `=?utf-8?q?Geb=C3=BChr?=`. RFC 2047. */
function decodeField(raw: string): string {
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
function decodeText(bytes: Buffer, charset: string | null): string {
  const survey = createByteSurvey()
  survey.add(bytes)
  const known = charset !== null && iconv.encodingExists(charset) ? charset.toLowerCase() : null
  return toUsableText(decodeBytes(bytes, detectEncoding(survey.finish(), known) ?? 'utf-8'))
}

const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,1000})\?=/gi
const ENCODED_WORDS = new RegExp(
  String.raw`=\?[\w.:-]{1,40}(?:\*[\w-]{0,20})?\?[bq]\?[^?\s]{0,1000}\?=(?:\s*=\?[\w.:-]{1,40}(?:\*[\w-]{0,20})` +
    String.raw`?\?[bq]\?[^?\s]{0,1000}\?=)*`,
  'gi',
)

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
