import type { CooperativeTask } from '../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import type { Span } from '../chunking/split-text.ts'
import type { AnswerKind } from '../languages/language.ts'
import { wordsOfAll } from '../languages/languages.ts'
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

/** A question: its units in the languages of the memory, dates, periods and kind of answer. */
type AskedUnits = {
  kind: AnswerKind
  units: readonly QuestionUnit[]
  languages: readonly string[]
  periods: readonly AskedPeriod[]
}

/**
 * Finds the question units in passages and sentences, one passage per step. Linear in the length of
 * the texts.
 */
export function* readSentences(
  analyzer: Analyzer,
  { units, languages, periods, kind }: AskedUnits,
  passages: readonly Passage[],
): CooperativeTask<ReadPassage[]> {
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
    const parents = listParentLines(passage, { own, find, asked: { kind, languages } })
    const sentences = passage.sentences.map((span, place) => ({
      ...span,
      ...(own[place] ?? toMatchedText([])),
      passage: index,
      place,
      parent: parents[place] ?? null,
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

/** Pronouns that begin a sentence: personal, possessive and demonstrative, also in Chinese. */
const PRONOUN = new RegExp(
  `^["“„«(]?(?:(?:${wordsOfAll(({ pronouns }) => pronouns).join('|')})(?!\\p{L})|[他她它其这该])`,
  'u',
)

/**
 * True for a sentence that begins with a pronoun and so refers to the previous sentence: "It will
 * be returned within 30 days."
 */
function startsWithAnaphora(sentence: string): boolean {
  return PRONOUN.test(sentence)
}

/** An empty line. */
export const PARAGRAPH = /\n[ \t]*\n/

/** "It will be returned within 30 days." is about the deposit in the previous sentence. */
export function withAntecedent(
  { text }: Passage,
  sentence: ReadSentence,
  before: ReadSentence | undefined,
): MatchedText & { start: number } {
  const { start, end, matches, units } = sentence
  const isTakenUp =
    before !== undefined && startsWithAnaphora(text.slice(start, end)) && !PARAGRAPH.test(text.slice(before.end, start))
  if (!isTakenUp) return { start, matches, units }
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
