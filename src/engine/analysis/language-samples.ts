import { listWords } from '../languages/language.ts'

/**
 * Some 30 words. Half of a detector's time is proportional to the length. With twice the length 5
 * of 9,493 documents changed their result, none for the better.
 */
const SAMPLE_CHARACTERS = 200
const SAMPLES = 5
/** Shorter samples are guesses: a detector takes "hello" for Tagalog. */
const MIN_LETTERS = 24
const LETTER = /\p{L}/gu

/** Returns at most five samples, 1,000 characters in total, spread over the text. */
export function sampleText(text: string): string[] {
  const count = Math.min(SAMPLES, Math.ceil(text.length / SAMPLE_CHARACTERS))
  const stride = count > 1 ? (text.length - SAMPLE_CHARACTERS) / (count - 1) : 0
  return Array.from({ length: count }, (_, index) => {
    const start = Math.round(index * stride)
    return text.slice(start, start + SAMPLE_CHARACTERS).toWellFormed()
  })
}

/** False for a sample with too few letters for language detection. */
export function hasEnoughLetters(sample: string): boolean {
  return countLetters(sample) >= MIN_LETTERS
}

/** Counts letters of any script. */
export function countLetters(sample: string): number {
  return sample.match(LETTER)?.length ?? 0
}

/** English function words that no other language has: a tenth of all English text. */
const ENGLISH_WORDS: ReadonlySet<string> = new Set(
  listWords(`
    the and that this which with from been were they their there these would should could when what where who you your
    its
  `),
)
const WORD = /\p{L}+/gu
/**
 * Minimum for a sample of some 30 words. In a text of one sample the words must differ, because a
 * note in another language may cite an English title, which repeats two.
 */
const MIN_WORDS = 3
const MIN_SHARE = 0.07

/**
 * True for a sample of plain English prose; false is no statement. `samples` is the number of
 * samples of the text. Passes for most samples of 63 % of 4,400 English abstracts, passages and
 * conversation turns. Passes for none of 1,700 texts in other languages, in a thirtieth of the
 * detector's time.
 */
export function isEnglishSample(sample: string, samples: number): boolean {
  const words = sample.match(WORD) ?? []
  const english = words.filter((word) => ENGLISH_WORDS.has(word))
  const counted = samples === 1 ? new Set(english).size : english.length
  return counted >= MIN_WORDS && english.length >= MIN_SHARE * words.length
}

/** True if most samples are plain English prose. */
export function isEnglish(samples: readonly string[]): boolean {
  return 2 * samples.filter((sample) => isEnglishSample(sample, samples.length)).length > samples.length
}
