import { normalizeForMatch } from '../analysis/fold.ts'
import { LANGUAGES, wordsOfAll } from '../languages/languages.ts'
import { NORMALIZED, phraseToPattern, unspacedPattern } from '../phrases.ts'

/** Over texts of `normalizeForMatch`. */
const NEGATION = new RegExp(
  wordsOfAll(({ negation, isUnspaced }) => (isUnspaced === true ? undefined : negation?.words))
    .map((word) => phraseToPattern(` ${word.replaceAll('_', ' ')} `, NORMALIZED))
    .join('|'),
  'u',
)
/** Chinese has no spaces: only characters that negate together with the next one. */
const HAN_NEGATION = new RegExp(
  unspacedPattern(({ negation }) => negation?.words),
  'u',
)
/** 能不能, 可不可: a yes-no question is no negation. */
const HAN_WHETHER = /(\p{Script=Han})不\1/gu
/** Negations with another meaning in this language (ISO 639-1): "in the", "only just". */
const HARMLESS: ReadonlyMap<string, string> = new Map(
  Object.values(LANGUAGES).flatMap(({ code, negation }) =>
    negation?.harmless === undefined ? [] : [[code, ` ${negation.harmless} `]],
  ),
)

/** `Order No. A-7`, `| No | Item |` */
const NUMBER_SIGN = /(?<!\p{L})no(?:\.| ?(?=\|))/giu

/**
 * True for a question or heading with a negation: "What is not covered?", `Exclusions`, `Verboten
 * ist`. `language` (ISO 639-1) is the language of the text, `null` if unknown. The language matters
 * only if {@link isNegationAmbiguous} is true.
 */
export function hasNegation(text: string, language: string | null): boolean {
  if (HAN_NEGATION.test(text.replace(HAN_WHETHER, ''))) return true
  const words = normalizeForMatch(text.replace(NUMBER_SIGN, ' '))
  const harmless = HARMLESS.get(language ?? '')
  return NEGATION.test(harmless === undefined ? words : words.replaceAll(harmless, ' '))
}

/** True if a word negates in some languages, but not in one of the given languages (ISO 639-1). */
export function isNegationAmbiguous(text: string, languages: readonly string[]): boolean {
  const harmless = languages.flatMap((language) => HARMLESS.get(language) ?? [])
  if (harmless.length === 0) return false
  const words = normalizeForMatch(text)
  return harmless.some((word) => words.includes(word))
}

/**
 * Negation of table rows by the header: `true` if the first column negates. `null` if another
 * column does, so that only some rows are negated.
 */
export function areRowsNegated(head: string, language: string | null): boolean | null {
  const [first = '', ...others] = (head.match(/[^|]+\|?/gu) ?? []).filter((cell) => /[^\s|]/u.test(cell))
  if (hasNegation(first, language)) return true
  return others.some((cell) => hasNegation(cell, language)) ? null : false
}
