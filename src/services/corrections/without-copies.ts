/** The same passages in their order, those with one text once: the first of them. */
export function withoutCopies<Passage>(passages: readonly Passage[], textOf: (passage: Passage) => string): Passage[] {
  const seen = new Set<string>()
  return passages.filter((passage) => {
    const text = textOf(passage)
    const isNew = !seen.has(text)
    seen.add(text)
    return isNew
  })
}
