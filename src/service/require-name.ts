import { invalid } from '../errors.ts'
import { toUsableText } from '../parsers/encoding/decode-file.ts'

/** Names of keys and projects, our choice: room for a sentence. */
const MAX_CHARACTERS = 200

/**
 * The name without surrounding white space, and with U+FFFD for what no store keeps; throws `validation_failed` that names `param` unless 1 to
 * 200 characters are left.
 */
export function requireName(param: string, name: string): string {
  const trimmed = toUsableText(name).trim()
  if (trimmed.length >= 1 && trimmed.length <= MAX_CHARACTERS) return trimmed
  throw invalid(param, `must have 1 to ${MAX_CHARACTERS} characters`)
}
