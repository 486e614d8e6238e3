/** Vocabulary for long texts of distinct sentences, the same on every run. */
const WORDS =
  'river stone market winter letter garden engine signal harbour copper valley bridge lantern orchard ticket canvas pepper window thunder meadow'.split(
    ' ',
  )

/**
 * A text of exactly `characters` ASCII characters: sentences of words and numbers in paragraphs.
 */
export function prose(characters: number, seed = 1): string {
  const sentences: string[] = []
  let state = seed
  const next = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let length = 0; length < characters; ) {
    const words = Array.from({ length: 8 + next(8) }, () => WORDS[next(WORDS.length)])
    const end = next(6) === 0 ? '.\n\n' : '. '
    const sentence = `The ${words.join(' ')} ${next(1_000_000)}${end}`
    sentences.push(sentence)
    length += sentence.length
  }
  return sentences.join('').slice(0, characters)
}
