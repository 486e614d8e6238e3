import type { Analyzer } from '../analysis/analyzer.ts'
import { isMonthName } from '../analysis/find-dates.ts'
import { normalizeForMatch, normalizeWordForMatch } from '../analysis/fold.ts'
import { readQuestionUnits } from '../answering/question-units.ts'
import { hasCapitalNouns, wordsOfAll } from '../languages/languages.ts'
import { type Grounding, type MeasuredClaim, meanSupport, measureClaims, summarizeGrounding } from './grounding.ts'
import { indexFacts, listFacts } from './read-facts.ts'
import type { PlacedCitation } from './resolve-citations.ts'

/**
 * Minimum share of the words of cited sentences in their cited passages. Answers paraphrase: half
 * of the words of a right one may be missing there.
 */
const MIN_GROUNDING = 0.4

/** An answer with its question and sources. */
type JudgedAnswer = {
  question: string
  answer: string
  citations: readonly PlacedCitation[]
  /** Texts of the sources with titles and headings; the first is number 1. */
  sources: readonly string[]
  languages: readonly string[]
  /** True if the answer is in another language than its sources: words cannot be compared. */
  isTranslated: boolean
}

/** Whether the cited passages support an answer. */
export type Verdict = {
  grounding: Grounding
  /** Numbers, dates and names that neither a source nor the question has. */
  unknown: string[]
  /** True if a cited passage says the opposite in the same words. */
  isContradicted: boolean
  isSupported: boolean
}

/**
 * Judges an answer with citations. Every number, date and name must be in a source or in the
 * question. No cited passage may say the opposite, and the words must reach {@link MIN_GROUNDING}.
 * Of a translated answer only numbers and dates are judged.
 */
export function judgeSupport(analyzer: Analyzer, judged: JudgedAnswer): Verdict {
  const claims = measureClaims(analyzer, judged)
  const grounding = summarizeGrounding(claims)
  const unknown = findUnknown(claims, judged)
  if (judged.isTranslated) return { grounding, unknown, isContradicted: false, isSupported: unknown.length === 0 }
  const cited = claims.filter(({ sources }) => sources.length > 0)
  const isContradicted = claims.some((claim) => claim.isContradicted)
  const isGrounded = meanSupport(cited) >= MIN_GROUNDING && addsKnownWords(analyzer, cited, judged)
  return { grounding, unknown, isContradicted, isSupported: unknown.length === 0 && !isContradicted && isGrounded }
}

const ITEM = /^\s*(?:[-*•+]|\d{1,3}[.)])\s+\S/gmu

function findUnknown(claims: readonly MeasuredClaim[], judged: JudgedAnswer): string[] {
  const { question, answer, sources, languages, isTranslated } = judged
  const texts = [...sources, question]
  const index = indexFacts(texts, languages)
  const known = normalizeForMatch(texts.join('\n'))
  // "There are 3 conditions" counts the items of the answer.
  const items = String(answer.match(ITEM)?.length ?? 0)
  const unknown = claims.flatMap(({ text }) => [
    ...listFacts(text, { languages, known })
      .filter((fact) => !index.has(fact) && !fact.values.includes(items))
      .map(({ written }) => written),
    ...(isTranslated ? [] : findUnknownNames(text, { languages, known })),
  ])
  return [...new Set(unknown)]
}

/** One added word may be a paraphrase. */
const MIN_ADDED_WORDS = 2

/**
 * False if the sentences add words to the question, but none that the cited sources contain. Words
 * of the question alone support no answer.
 */
function addsKnownWords(analyzer: Analyzer, cited: readonly MeasuredClaim[], judged: JudgedAnswer): boolean {
  const { question, sources, languages } = judged
  const asked = new Set(languages.flatMap((language) => analyzer.terms(question, language)))
  const numbers = new Set(cited.flatMap((claim) => claim.sources))
  const terms = new Set(
    [...numbers].flatMap((number) =>
      languages.flatMap((language) => analyzer.terms(sources[number - 1] ?? '', language)),
    ),
  )
  const added = readQuestionUnits(analyzer, cited.map(({ text }) => text).join('\n'), languages).filter(
    (unit) => !unit.terms.some((term) => asked.has(term)),
  )
  return added.length < MIN_ADDED_WORDS || added.some((unit) => unit.terms.some((term) => terms.has(term)))
}

/** A capitalized word within a sentence. Short abbreviations are often units and currencies. */
const CAPITALIZED =
  /(?<=[\p{Ll}\p{N}][,]? )\p{Lu}[\p{Ll}\p{M}’'-][\p{L}\p{M}’'-]*|(?<=[\p{Ll}\p{N}][,]? )\p{Lu}{4,}(?!\p{L})/gu
/** `Mon` for Monday, and inflected forms of a name, which differ in the last letters. */
const SHORT_FORMS: readonly ((word: string) => string)[] = [
  (word) => ` ${word.slice(0, 3)} `,
  (word) => ` ${word.slice(0, Math.max(4, word.length - 2))}`,
]
/** Longer words have a capital in a heading: "Terms of the Agreement". */
const MAX_SMALL_WORD_LETTERS = 4
/** Titles and other abbreviations: Ms, Dr, Mme. */
const TITLES: ReadonlySet<string> = new Set(wordsOfAll(({ abbreviations }) => abbreviations).map(normalizeWordForMatch))
const WORDS = /\p{L}[\p{L}\p{M}’'-]*/gu

/**
 * Returns the names of a sentence that the sources lack, in order. `known` are the sources as
 * `normalizeForMatch` returns them.
 */
function findUnknownNames(
  sentence: string,
  { languages, known }: { languages: readonly string[]; known: string },
): string[] {
  const words = sentence.match(WORDS) ?? []
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word))
  // Headings are capitalized, except for short words.
  const areNounsCapital = hasCapitalNouns(languages)
  const hasLongSmallWord = words.some((word) => word.length > MAX_SMALL_WORD_LETTERS && /^\p{Ll}/u.test(word))
  if (!areNounsCapital && 2 * capitals.length > words.length && words.length > 2 && !hasLongSmallWord) return []
  const initials = (known.match(/(?<= )\S/gu) ?? []).join('')
  const isKnown = (name: string) => {
    const word = normalizeWordForMatch(name.replace(/[’']s$/u, ''))
    const isAbbreviation = /^\p{Lu}+$/u.test(name) && initials.includes(word)
    return (
      isAbbreviation || TITLES.has(word) || isMonthName(name) || SHORT_FORMS.some((form) => known.includes(form(word)))
    )
  }
  const unknown = [...sentence.matchAll(CAPITALIZED)].filter(({ 0: name }) => !isKnown(name))
  if (!areNounsCapital) return unknown.map(([name]) => name)
  // Where every noun has a capital, two unknown ones in a row are a name.
  return unknown.flatMap(({ 0: name, index }) => {
    const [next] = /(?<=^ )\p{Lu}\p{Ll}[\p{L}-]*/u.exec(sentence.slice(index + name.length)) ?? []
    return next !== undefined && !isKnown(next) ? [`${name} ${next}`] : []
  })
}
