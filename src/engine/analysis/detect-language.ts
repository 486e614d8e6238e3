import { eld } from 'eld/extrasmall'
import stopword from 'stopword'
import { LANGUAGES } from '../languages/languages.ts'
import { normalizeWord } from './fold.ts'
import { countLetters, hasEnoughLetters, isEnglishSample, sampleText } from './language-samples.ts'

const LATIN_LETTER = /\p{scx=Latn}/gu
/**
 * A capitalized word is excluded, because the month "May" is a Tagalog word. A single letter is
 * excluded, because it may be an initial.
 */
const SMALL_WORD = /(?<![\p{L}\p{M}\p{N}])\p{Ll}{2,}/gu
/** Stop words by language (ISO 639-1). */
const FREQUENT_WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(LANGUAGES).flatMap(([language, { stopWords: list }]) =>
    list === undefined ? [] : [[language, new Set((stopword[list] ?? []).map(normalizeWord))]],
  ),
)
/**
 * Letters that few languages use. In a word without a capital they are as good as a stop word: a
 * short Turkish sentence may have none.
 */
const OWN_LETTERS: ReadonlyMap<string, RegExp> = new Map([
  ['cs', /[řů]/u],
  ['hu', /[őű]/u],
  ['pl', /[łż]/u],
  ['ro', /ț/u],
  ['tr', /[ğı]/u],
  ['vi', /[ơư]/u],
])

/**
 * Returns the language of most samples of a text (ISO 639-1). Returns `null` if unreliable: the
 * text is too short, code, or numbers. Reads at most 1,000 characters, spread over the text.
 */
export function detectLanguage(text: string): string | null {
  return detectLanguageOf(sampleText(text))
}

/** Same for samples of one text, as returned by {@link sampleText}. */
export function detectLanguageOf(all: readonly string[]): string | null {
  const votes = new Map<string, number>()
  for (const [index, sample] of all.entries()) {
    if (isDecided(votes, all.length - index)) break
    const language = isEnglishSample(sample, all.length) ? 'en' : detectSample(sample)
    if (language !== null) votes.set(language, (votes.get(language) ?? 0) + 1)
  }
  let best: string | null = null
  for (const [language, count] of votes) if (best === null || count > (votes.get(best) ?? 0)) best = language
  return best
}

function detectSample(sample: string): string | null {
  if (!hasEnoughLetters(sample)) return null
  const detected = eld.detect(sample)
  const isKnown = detected.language !== '' && detected.isReliable() && isSpoken(sample, detected.language)
  return isKnown ? detected.language : null
}

/**
 * True if the remaining votes cannot change the winner. This check saves half of the detector's
 * work.
 */
function isDecided(votes: ReadonlyMap<string, number>, left: number): boolean {
  const [first = 0, second = 0] = [...votes.values()].sort((a, b) => b - a)
  return first > second + left
}

/**
 * False for a Latin text without any stop word or own letter of the detected language. Names,
 * numbers and abbreviations look like some language to the detector, and indexing in too many
 * languages lowers relevance (docs/relevance.md).
 */
function isSpoken(sample: string, language: string): boolean {
  const frequent = FREQUENT_WORDS.get(language)
  const isLatin = 2 * (sample.match(LATIN_LETTER)?.length ?? 0) > countLetters(sample)
  if (frequent === undefined || !isLatin) return true
  const letters = OWN_LETTERS.get(language)
  return (sample.match(SMALL_WORD) ?? []).some(
    (word) => frequent.has(normalizeWord(word)) || letters?.test(word) === true,
  )
}
