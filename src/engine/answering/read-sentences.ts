import type { CooperativeTask } from '../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { normalizeForMatch, normalizeWordForMatch } from '../analysis/fold.ts'
import type { Span } from '../chunking/split-text.ts'
import { FOLLOW_UPS } from '../languages/follow-ups.ts'
import { listWords } from '../languages/language.ts'
import { LANGUAGES, wordsOfAll } from '../languages/languages.ts'
import { LIST_ITEM } from '../markup.ts'
import { type Asked, findEvidence, mayStartWithName } from './evidence.ts'
import { CASED } from './evidence-patterns.ts'
import { hasNegation } from './negation.ts'
import { findTitleLine, listParentLines, type ParentLine } from './parent-lines.ts'
import { type Match, type MatchedText, type Passage, sentenceAt, toMatchedText } from './passage.ts'
import type { AskedPeriod, QuestionUnit } from './question-units.ts'
import { findPlaceAboveTable, findTotal, isTableRow, JSON_RECORD } from './table-rows.ts'

/** A sentence with matches. */
export type ReadSentence = Span &
  MatchedText & {
    passage: number
    /** Index within the passage. */
    place: number
    parent: ParentLine | null
    /** True if the sentence has to be read with the one before. */
    refersBack: boolean
  }

/** Question units in a passage, in the title and in the headings. */
export type ReadPassage = {
  units: ReadonlySet<number>
  context: ReadonlySet<number>
  /** Units in the title only, and in headings other than the title. */
  titled: ReadonlySet<number>
  topics: ReadonlySet<number>
  sentences: readonly ReadSentence[]
}

/** A question in the languages of the memory, with its dates and periods. */
type AskedUnits = AskedSituation & { languages: readonly string[]; periods: readonly AskedPeriod[] }

/**
 * Finds the question units in passages and sentences, one passage per step. Linear in the length of
 * the texts.
 */
export function* readSentences(
  analyzer: Analyzer,
  question: AskedUnits,
  passages: readonly Passage[],
): CooperativeTask<ReadPassage[]> {
  const { units, languages, periods } = question
  const unitsOf = new Map<string, number[]>()
  for (const [index, { terms }] of units.entries())
    for (const term of terms) unitsOf.set(term, [...(unitsOf.get(term) ?? []), index])
  const terms = [...unitsOf.keys()]
  const partsOf = periods.map(({ hasWord }) => [...units.keys()].filter((unit) => hasWord(units[unit]?.word ?? '')))
  const find = (text: string): Match[] => {
    const found = analyzer
      .findTerms(text, terms, languages)
      .flatMap(({ term, start, end }) => (unitsOf.get(term) ?? []).map((unit) => ({ unit, term, start, end })))
    const dates = periods.flatMap((period, index) =>
      period.find(text).flatMap((span) => (partsOf[index] ?? []).map((unit) => ({ ...span, unit, term: '' }))),
    )
    return dates.length === 0 ? found : [...found, ...dates].sort((a, b) => a.start - b.start)
  }
  const read: ReadPassage[] = []
  for (const [index, passage] of passages.entries()) {
    const matches = find(passage.text)
    const heading = headingOf(passage)
    const readUnits = (text: string) => new Set(text === '' ? [] : find(text).map(({ unit }) => unit))
    const context = readUnits(heading)
    const title = passage.title ?? findTitleLine(passage) ?? ''
    const titled = readUnits(title)
    const topics = readUnits(
      (passage.section ?? '')
        .split(/ > |\n/)
        .filter((topic) => topic !== title)
        .join('\n'),
    )
    const own = splitMatches(matches, passage.sentences)
    const parents = listParentLines(passage, { own, find, asked: { kind: question.kind, languages } })
    const refersBack = createBackReferenceTest(question, passage)
    const sentences = passage.sentences.map((span, place) => ({
      ...span,
      ...(own[place] ?? toMatchedText([])),
      passage: index,
      place,
      parent: parents[place] ?? null,
      refersBack: refersBack(place, own),
    }))
    read.push({ units: new Set(matches.map(({ unit }) => unit)), context, titled, topics, sentences })
    yield
  }
  return read
}

/** Document title and headings of a passage; empty if both are missing. */
export function headingOf(passage: Passage): string {
  const { title, section } = passage
  return [title ?? findTitleLine(passage), section].filter((part) => part !== null && part !== '').join('\n')
}

function splitMatches(matches: readonly Match[], sentences: readonly Span[]): MatchedText[] {
  let first = 0
  return sentences.map((span) => {
    while ((matches[first]?.start ?? Number.POSITIVE_INFINITY) < span.start) first += 1
    let last = first
    while ((matches[last]?.start ?? Number.POSITIVE_INFINITY) < span.end) last += 1
    return toMatchedText(matches.slice(first, last))
  })
}

/**
 * Returns a pattern for a sentence that begins with a pronoun and so refers to the previous one.
 * The pronouns are personal, possessive and demonstrative, also in Chinese. Only those of the
 * languages count, if one is known. The Italian article "Il" is a French pronoun.
 */
function anaphoraPattern(languages: readonly string[]): RegExp {
  const known = languages.filter((language) => LANGUAGES[language] !== undefined)
  const words = wordsOfAll(({ code, pronouns }) => (known.length === 0 || known.includes(code) ? pronouns : undefined))
  const key = known.join(' ')
  const pattern =
    anaphora.get(key) ?? new RegExp(`^["“„«(]?(?:(?:${[...words, '(?!)'].join('|')})(?!\\p{L})|[他她它其这该])`, 'u')
  anaphora.set(key, pattern)
  return pattern
}

/** By languages. */
const anaphora = new Map<string, RegExp>()

/** An empty line. */
export const PARAGRAPH = /\n[ \t]*\n/

/** Creates a test for a sentence that has to be read with the one before in the paragraph. */
function createBackReferenceTest(question: AskedUnits, passage: Passage) {
  const pronoun = anaphoraPattern(passage.language === null ? question.languages : [passage.language])
  return (place: number, own: readonly MatchedText[]): boolean => {
    const [previous, sentence] = [passage.sentences[place - 1], passage.sentences[place]]
    if (previous === undefined || sentence === undefined) return false
    if (PARAGRAPH.test(passage.text.slice(previous.end, sentence.start))) return false
    const readAt = (at: number) => ({ text: sentenceAt(passage, at), units: own[at]?.units ?? new Set<number>() })
    const read = { ...readAt(place), gap: passage.text.slice(previous.end, sentence.start) }
    return pronoun.test(read.text) || continuesSituation(question, readAt(place - 1), read)
  }
}

/** "It will be returned within 30 days." is about the deposit in the previous sentence. */
export function withAntecedent(
  sentence: ReadSentence,
  before: ReadSentence | undefined,
): MatchedText & { start: number } {
  const { start, matches, units } = sentence
  if (before === undefined || !sentence.refersBack) return { start, matches, units }
  return { start: before.start, matches: [...before.matches, ...matches], units: new Set([...before.units, ...units]) }
}

/**
 * Returns the sentence before in the paragraph. For a table it is the one above, with the total.
 * Empty if there is none, and for a line of JSON.
 */
export function readBefore(passage: Passage, { place, start }: Pick<ReadSentence, 'place' | 'start'>): string {
  if (isTableRow(sentenceAt(passage, place))) {
    const above = sentenceAt(passage, findPlaceAboveTable(passage, place) ?? -1)
    return `${findTotal(passage, place) ?? ''}\n${above}`.trim()
  }
  const previous = JSON_RECORD.test(sentenceAt(passage, place)) ? undefined : passage.sentences[place - 1]
  const isBeside = previous !== undefined && !PARAGRAPH.test(passage.text.slice(previous.end, start))
  return isBeside ? sentenceAt(passage, place - 1) : ''
}

/** A question in a language (ISO 639-1), with the units of the situation that it names. */
type AskedSituation = Pick<Asked, 'kind' | 'words'> & {
  language: string
  units: readonly QuestionUnit[]
  situation: ReadonlySet<number>
}
/** A sentence with its units, and the white space before it. */
type Read = Pick<MatchedText, 'units'> & { text: string; gap?: string }

/** Pairs of characters across two words are in no other text. */
const MIN_SHARE_OF_PAIRS = 0.5
/** "The strike ended" has one word of "Who drives the bus during the strike?" */
const MIN_CONDITION_UNITS = 2
/**
 * True for a sentence that says what is asked, after one that names the situation: "Gwen is away in
 * May. Idris waters the plants." It has all words of the question but those of the situation.
 * Neither sentence is negated. The second one has no condition, and no place or time before its
 * subject. If the question asks who, the person may be named before. The sentence has one new name
 * then: a second one may be the person whom the answer is about.
 */
function continuesSituation(question: AskedSituation, before: Read, sentence: Read): boolean {
  const { units, situation, kind } = question
  if (situation.size === 0) return false
  const isCased = CASED.test(sentence.text)
  const marks = listWords(LANGUAGES[question.language]?.questions?.situations).map(normalizeWordForMatch)
  const isMark = (unit: number) => marks.includes(normalizeWordForMatch(units[unit]?.word ?? ''))
  const wanted = [...units.keys()].filter((unit) => !situation.has(unit) && !isMark(unit))
  const isWho = kind === 'person' || (kind === 'other' && !isCased)
  if (!wanted.some((unit) => sentence.units.has(unit))) return false
  const isSaid = (unit: number) => sentence.units.has(unit) || (isWho && before.units.has(unit))
  if (isCased && !wanted.every(isSaid)) return false
  return (
    namesSituation(question, before, wanted.filter((unit) => !sentence.units.has(unit)).length) &&
    !hasOwnSituation(question, sentence) &&
    (kind !== 'person' || !isCased || countNames(sentence.text, question) <= 1)
  )
}

function namesSituation({ units, situation, language }: AskedSituation, before: Read, others: number): boolean {
  const words = normalizeForMatch(before.text)
  const named = [...situation].filter(
    (unit) => before.units.has(unit) || words.includes(` ${beginningOf(units[unit])}`),
  )
  const isPaired = !CASED.test(before.text)
  if (named.length < situation.size * (isPaired ? MIN_SHARE_OF_PAIRS : 1)) return false
  return named.length + others >= MIN_CONDITION_UNITS && !hasNegation(before.text, language)
}

/**
 * True for an item, a negation, a condition, and "In Hull the shop opens", but not "In that time".
 */
function hasOwnSituation({ language }: AskedSituation, { text, gap = '' }: Read): boolean {
  if ((gap.includes('\n') && LIST_ITEM.test(text)) || hasNegation(text, language)) return true
  const words = normalizeForMatch(text)
  const [first = '', second = ''] = words.trim().split(' ')
  const { prepositions, demonstratives, determiners } = FOLLOW_UPS[language] ?? {}
  const pointing = [...listWords(demonstratives), ...listWords(determiners)].map(normalizeWordForMatch)
  const isPlaced = listWords(prepositions).map(normalizeWordForMatch).includes(first) && !pointing.includes(second)
  // A sentence with a condition is about another situation.
  const { questions, statements } = LANGUAGES[language] ?? {}
  const conditions = [...listWords(questions?.conditions), ...listWords(statements?.conditions)].map(normalizeForMatch)
  return isPlaced || conditions.some((condition) => words.includes(condition))
}

const MIN_BEGINNING = 5

/** A word without its ending, in the form of `normalizeForMatch`: "absence", "absent". */
function beginningOf(unit: QuestionUnit | undefined): string {
  const word = normalizeWordForMatch(unit?.word ?? '')
  return word.slice(0, Math.max(MIN_BEGINNING, word.length - 2))
}

/** Counts the names in a sentence that the question lacks. No name is behind "the" or "this". */
function countNames(text: string, { words, language }: AskedSituation): number {
  const determiners = listWords(FOLLOW_UPS[language]?.determiners).map(normalizeWordForMatch)
  const names = (findEvidence(text, 'person', words) ?? []).filter(
    ({ start }) => !determiners.includes(normalizeForMatch(text.slice(0, start)).trim().split(' ').at(-1) ?? ''),
  )
  return names.length + (names[0]?.start !== 0 && mayStartWithName(text, words) ? 1 : 0)
}
