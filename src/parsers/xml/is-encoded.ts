/** Pictures and the like stand in XML as Base64. */
const MIN_ENCODED_CHARACTERS = 300

/** True for what is no words but bytes written as Base64. */
export function isEncoded(text: string): boolean {
  if (text.length < MIN_ENCODED_CHARACTERS || /[^A-Za-z0-9+/=\n]/.test(text)) return false
  return text.split('\n').length <= text.length / 40
}
