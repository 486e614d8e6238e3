/** Some 30 words: what a language detector reads costs half of its time a character. With twice as many 5 of 9,493 documents had another answer, none a better one. */
const SAMPLE_CHARACTERS = 200
const SAMPLES = 5
/** Below this a detector guesses: "hello" is Tagalog to it. */
const MIN_LETTERS = 24
const LETTER = /\p{L}/gu

/** What a text's language is told by: at most five samples, 1,000 characters together, spread over the text. */
export function sampleText(text: string): string[] {
  const count = Math.min(SAMPLES, Math.ceil(text.length / SAMPLE_CHARACTERS))
  const stride = count > 1 ? (text.length - SAMPLE_CHARACTERS) / (count - 1) : 0
  return Array.from({ length: count }, (_, index) => {
    const start = Math.round(index * stride)
    return text.slice(start, start + SAMPLE_CHARACTERS).toWellFormed()
  })
}

/** False for a sample with too few letters to tell a language by. */
export function canTellLanguage(sample: string): boolean {
  return countLetters(sample) >= MIN_LETTERS
}

/** Letters of any script. */
export function countLetters(sample: string): number {
  return sample.match(LETTER)?.length ?? 0
}
