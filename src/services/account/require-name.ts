import { invalid } from '../../errors.ts'
import { NAME_CHARACTERS } from '../../limits.ts'
import { toUsableText } from '../../parsers/encoding/decode-file.ts'
import { hasVisibleText, isLongerThan } from '../../text/characters.ts'

/**
 * The name without surrounding white space, and with U+FFFD for what no store keeps; throws `validation_failed` that names `param` unless
 * 1 to 200 characters are left, of which one can be seen.
 */
export function requireName(param: string, name: string): string {
  const trimmed = toUsableText(name).trim()
  const { min, max } = NAME_CHARACTERS
  if (!hasVisibleText(name)) throw invalid(param, 'must not be blank')
  if (isLongerThan(trimmed, max)) throw invalid(param, `must have ${min} to ${max} characters`)
  return trimmed
}
