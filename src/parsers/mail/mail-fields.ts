import { decodeField, decodeText, trimBlanks } from './decode-body.ts'

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
