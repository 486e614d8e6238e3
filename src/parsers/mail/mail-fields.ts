import { decodeField } from './decode-body.ts'
import { readParameters } from './read-parameters.ts'
import { trimBlanks } from './trim-blanks.ts'

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
