import { normalizeForMatch } from '../analysis/fold.ts'

/** Shorter words are one edit away from many others. */
const MIN_LETTERS = 4
/** In shorter words, another letter often makes another word: "leave", "lease". */
const MIN_REPLACED_LETTERS = 6
/** Words with so many letters may differ in two edits. */
const TWO_EDITS_LETTERS = 8
/** Typed words; numbers and codes that differ in a character are others. */
const TYPED = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u

/** Shorter parts are in many words by chance. */
const MIN_PART_LETTERS = 5

/**
 * Creates a test that is true for a text with a similar word. One word is a part of the other, or
 * a mistyped form of it. For the few texts that no retriever found by words.
 */
export function createSimilarWordsTest(words: readonly string[]): (text: string) => boolean {
  const plain = words.map(compact)
  const parts = plain.filter((word) => word.length >= MIN_PART_LETTERS)
  const typed = plain.filter((word) => word.length >= MIN_LETTERS && TYPED.test(word))
  return (text) => {
    const whole = compact(text)
    if (parts.some((part) => whole.includes(part))) return true
    return normalizeForMatch(text)
      .split(' ')
      .some(
        (word) =>
          typed.some((other) => areSimilar(word, other)) ||
          (word.length >= MIN_PART_LETTERS && parts.some((part) => part.includes(word))),
      )
  }
}

/** Letters and digits only, so that `INC4022` is in `INC-4022`, and `semperv` in `Sempervivum`. */
function compact(text: string): string {
  return normalizeForMatch(text).replaceAll(' ', '')
}

/** True for the same first letter and one edit, or two in a long word. */
function areSimilar(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  const most = shorter >= TWO_EDITS_LETTERS ? 2 : 1
  if (one[0] !== other[0] || one.length < MIN_LETTERS || Math.abs(one.length - other.length) > most) return false
  return countEdits(one, other, shorter < MIN_REPLACED_LETTERS ? most + 1 : 1) <= most
}

/** Insertions, deletions, replacements and exchanges of neighbours (optimal string alignment). */
function countEdits(one: string, other: string, replacement: number): number {
  let before: number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const edits = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const replaced = (above[column - 1] ?? 0) + (isSame ? 0 : replacement)
      const fewest = Math.min(replaced, (above[column] ?? 0) + 1, (edits[column - 1] ?? 0) + 1)
      const isExchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      edits.push(row > 1 && column > 1 && isExchanged ? Math.min(fewest, (before[column - 2] ?? 0) + 1) : fewest)
    }
    before = above
    above = edits
  }
  return above[other.length] ?? 0
}
