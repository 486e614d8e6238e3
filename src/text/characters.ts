/** White space, controls, and what is not shown by itself, such as U+200B and the variation selectors; the empty pattern of Braille. */
const INK = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** True for a text in which there is something to see; what has none of it is as good as empty. */
export function hasVisibleText(text: string): boolean {
  return INK.test(text)
}

/**
 * Letters and their accents as one character (NFC). `é` is one character or two, by the system that wrote it: the same to whoever reads it, and
 * other bytes.
 */
export function toNfc(text: string): string {
  return text.normalize('NFC')
}

/** True for a text of more characters than this. Characters are code points, as JSON Schema counts them (Validation, section 6.3.1). */
export function isLongerThan(text: string, characters: number): boolean {
  // A code point is one code unit or two.
  if (text.length <= characters) return false
  return text.length > 2 * characters || [...text].length > characters
}
