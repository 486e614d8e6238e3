import { decodeWords } from './decode-body.ts'

/** The fields at the head of a mail, or of a part of one, by their names in small letters. The first of a name counts. */
export type MailFields = ReadonlyMap<string, string>

/** What a part is and how it is written. */
export type PartFacts = {
  type: string
  boundary: string | null
  charset: string
  transfer: string
  fileName: string | null
  isAttachment: boolean
}

/** Fields of what is longer are no person's. */
const MAX_FIELD_CHARACTERS = 4_000

/** Reads lines of fields; one that begins with white space goes on with the field above. */
export function readFields(lines: readonly string[]): MailFields {
  const whole: string[] = []
  for (const line of lines) {
    if (/^[ \t]/.test(line) && whole.length > 0)
      whole.push(`${whole.pop()} ${line.trim()}`.slice(0, MAX_FIELD_CHARACTERS))
    else whole.push(line.trimEnd().slice(0, MAX_FIELD_CHARACTERS))
  }
  const fields = new Map<string, string>()
  for (const field of whole) {
    const colon = field.indexOf(':')
    const name = field.slice(0, Math.max(0, colon)).toLowerCase()
    if (name !== '' && !fields.has(name)) fields.set(name, decodeWords(field.slice(colon + 1).trim()))
  }
  return fields
}

/** What the fields of a part say of it; a part that says nothing is plain text. */
export function readPartFacts(fields: MailFields): PartFacts {
  const content = fields.get('content-type') ?? ''
  const disposition = fields.get('content-disposition') ?? ''
  return {
    type: (/^[\w.+-]+\/[\w.+-]+/.exec(content)?.[0] ?? 'text/plain').toLowerCase(),
    boundary: getParameter(content, 'boundary'),
    charset: getParameter(content, 'charset') ?? 'utf-8',
    transfer: (/^[\w-]+/.exec(fields.get('content-transfer-encoding') ?? '')?.[0] ?? '').toLowerCase(),
    fileName: getParameter(disposition, 'filename') ?? getParameter(content, 'name'),
    isAttachment: /^attachment\b/i.test(disposition),
  }
}

/** `name="value"`, `name=value`, or `name*=utf-8''value` with its letters escaped. RFC 2231. */
function getParameter(field: string, name: string): string | null {
  const [, quoted, bare] = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(field) ?? []
  if (quoted !== undefined || bare !== undefined) return quoted ?? bare ?? null
  const escaped = new RegExp(`;\\s*${name}\\*=(?:utf-8'[^']*')([^\\s;]+)`, 'i').exec(field)?.[1]
  return escaped === undefined ? null : decodeEscapes(escaped)
}

function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
