import { matchable, matchableWord } from '../../analysis/fold.ts'
import { MONTHS } from '../evidence/evidence-forms.ts'
import type { AnswerKind } from '../question/answer-kinds.ts'

/** What is asked: its words that say something, as `matchable` makes them, and whether every noun has a capital in its language. */
type Asked = { text: string; kind: AnswerKind; words: readonly string[]; hasCapitalNouns: boolean }

/** A year with the word before it. */
const ANCHORED_YEAR = /(?<![\p{L}\p{N}])(\p{L}{1,20})\.? ((?:1[5-9]|20)\d\d)(?![\p{L}\p{N}]|[.,/–-]\d)/gu
const MONTH = new RegExp(`^(?:${MONTHS})$`, 'iu')
/** A word and the name behind it: `Lake Ardal`, `Gallery Miró`. */
const NAMED = /(?<![\p{L}\p{N}])(\p{L}{3,30})(?= (\p{Lu}\p{L}{2,30})(?![\p{L}\p{N}]))/gu
/** Names that begin with the same letters may be forms or misspellings of one; what inflection changes stands in the last. */
const SAME_LETTERS = 3
const ENDING_LETTERS = 3

/**
 * Makes what tells sentences that speak of another year than the question, or of another name of the same kind: of `In 2024 …` where `in 2023` is asked
 * for, of `Lake Ardal` where `Lake Morven` is. `around` is all that stands around the sentence, itself included: what the question names stands nowhere in
 * it, and another name of the kind anywhere. Where every noun has a capital, none tells a name. A year counts only behind the same word, or behind a month in
 * both: "until 2035" is also about 2030.
 */
export function createSpeaksOfOther(question: Asked): (text: string, around: string) => boolean {
  const asked = matchable(question.text)
  // "When did the war of 1939 end?" is answered by another year.
  const years = question.kind === 'date' ? [] : listYears(question.text)
  const names = question.hasCapitalNouns
    ? []
    : listNamed(question.text).filter(({ word }) => question.words.includes(matchableWord(word)))
  const isOtherYear = (text: string, around: string) =>
    years.length > 0 &&
    !years.some(({ year }) => around.includes(year)) &&
    listYears(text).some(({ anchor }) => years.some((other) => other.anchor === anchor))
  const isOtherName = (around: string) => {
    const known = names.length === 0 ? '' : matchable(around)
    const missing = names.filter(({ name }) => !known.includes(` ${stemOf(matchableWord(name))}`))
    if (missing.length === 0) return false
    const others = listNamed(around).filter(({ name }) => !asked.includes(` ${matchableWord(name)} `))
    return missing.some(({ word, name }) =>
      others.some(
        (other) =>
          matchableWord(other.word) === matchableWord(word) &&
          matchableWord(other.name).slice(0, SAME_LETTERS) !== matchableWord(name).slice(0, SAME_LETTERS),
      ),
    )
  }
  return (text, around) => isOtherYear(text, around) || isOtherName(around)
}

function listYears(text: string): { anchor: string; year: string }[] {
  return [...text.matchAll(ANCHORED_YEAR)].map(([, word = '', year = '']) => ({
    anchor: MONTH.test(word) ? 'month' : matchableWord(word),
    year,
  }))
}

type Named = { word: string; name: string }

function listNamed(text: string): Named[] {
  return [...text.matchAll(NAMED)].map(([, word = '', name = '']) => ({ word, name }))
}

function stemOf(word: string): string {
  return word.slice(0, Math.max(SAME_LETTERS, word.length - ENDING_LETTERS))
}
