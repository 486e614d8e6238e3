/**
 * White space, control characters, invisible characters such as U+200B and variation selectors, and
 * the blank Braille pattern.
 */
const VISIBLE_CHARACTER = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** True for text with visible characters. */
export function hasVisibleText(text: string): boolean {
  return VISIBLE_CHARACTER.test(text)
}

/**
 * Normalizes to NFC. Systems write `é` as one or two code points, which look the same but differ in
 * bytes.
 */
export function toNfc(text: string): string {
  return text.normalize('NFC')
}

/**
 * True if a text has more than `characters` code points, as JSON Schema counts them (Validation,
 * section 6.3.1).
 */
export function isLongerThan(text: string, characters: number): boolean {
  // A code point has one or two code units.
  if (text.length <= characters) return false
  return text.length > 2 * characters || [...text].length > characters
}
