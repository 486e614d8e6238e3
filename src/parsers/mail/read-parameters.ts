import { decodeText } from './decode-body.ts'

/** A value may end with the field though it began with a quotation mark. */
const PARAMETER = /;\s*([\w-]+)(?:\*(\d{1,3}))?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s;]*))/g

/**
 * The parameters of a field by their names in small letters: `name="value"`, `name=value`, and as RFC 2231 writes long ones and those beyond ASCII,
 * `name*0*=utf-8''Geb%C3; name*1=hr`. Where a name comes in both ways, the latter counts.
 */
export function readParameters(field: string): ReadonlyMap<string, string> {
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
