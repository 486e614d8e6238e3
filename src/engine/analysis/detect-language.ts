import { eld } from 'eld/extrasmall'
import stopword from 'stopword'
import { LANGUAGES } from '../languages/languages.ts'
import { plain } from './fold.ts'
import { canTellLanguage, countLetters, isEnglishSample, sampleText } from './language-samples.ts'

const LATIN_LETTER = /\p{scx=Latn}/gu
/** Without a capital, or the month of May would do for Tagalog; of one letter, an initial would. */
const SMALL_WORD = /(?<![\p{L}\p{M}\p{N}])\p{Ll}{2,}/gu
/** The words that a language cannot do without, by ISO 639-1. */
const FREQUENT_WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(LANGUAGES).flatMap(([language, { stopWords: list }]) =>
    list === undefined ? [] : [[language, new Set((stopword[list] ?? []).map(plain))]],
  ),
)

/**
 * The language most samples of a text are written in (ISO 639-1), `null` when none is reliably
 * known: the text is too short, or code, or numbers. Reads at most 1,000 characters, spread over
 * the text.
 */
export function detectLanguage(text: string): string | null {
  return detectLanguageOf(sampleText(text))
}

/** The same of samples of one text, as {@link sampleText} takes them. */
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
  if (!canTellLanguage(sample)) return null
  const detected = eld.detect(sample)
  const isKnown = detected.language !== '' && detected.isReliable() && isSpoken(sample, detected.language)
  return isKnown ? detected.language : null
}

/**
 * True where not even all the votes that are left could bring another language to the front: half
 * of the detector's work is saved so.
 */
function isDecided(votes: ReadonlyMap<string, number>, left: number): boolean {
  const [first = 0, second = 0] = [...votes.values()].sort((a, b) => b - a)
  return first > second + left
}

/**
 * False for a text in Latin letters without a single word that the language cannot do without:
 * names, numbers and abbreviations look like some language to the detector, and analysed in many
 * languages a memory finds worse (docs/relevance.md).
 */
function isSpoken(sample: string, language: string): boolean {
  const frequent = FREQUENT_WORDS.get(language)
  const isLatin = 2 * (sample.match(LATIN_LETTER)?.length ?? 0) > countLetters(sample)
  if (frequent === undefined || !isLatin) return true
  return (sample.match(SMALL_WORD) ?? []).some((word) => frequent.has(plain(word)))
}
