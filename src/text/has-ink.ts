/** White space, controls, and what is not shown by itself, such as U+200B and the variation selectors; the empty pattern of Braille. */
const INK = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** True for a text in which there is something to see; what has none of it is as good as empty. */
export function hasInk(text: string): boolean {
  return INK.test(text)
}
