/** True for a text of more characters than this. Characters are code points, as JSON Schema counts them (Validation, section 6.3.1). */
export function isLongerThan(text: string, characters: number): boolean {
  // A code point is one code unit or two.
  if (text.length <= characters) return false
  return text.length > 2 * characters || [...text].length > characters
}
