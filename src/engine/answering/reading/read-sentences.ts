import type { Steps } from '../../../pacing/in-turns.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import type { Span } from '../../chunking/split-text.ts'
import { languageReader, type Passage, sentenceAt } from '../passage.ts'
import type { QuestionUnit } from '../question/question-units.ts'
import { isTableHead, ROW } from './is-table-head.ts'
import { asks, firstLineOf, leadsIn } from './leads-in.ts'
import { negates, rowsAreDenied } from './negates.ts'

/** Where a unit of the question stands in a sentence. */
export type Match = { unit: number; term: string; start: number; end: number }

/** Some words, with what of the question stands in them. */
export type ReadText = { matches: readonly Match[]; units: ReadonlySet<number> }

/**
 * The heading above a sentence, or the question before its line, which is about the same. Its place is that in the passage; `null`: it is the title. `denies` tells whether it
 * says of what it leads in that it is not so; `null`: of some of that.
 */
export type Lead = ReadText & { text: string; place: number | null; denies: boolean | null }

/** A sentence with what of the question stands in it. */
export type ReadSentence = Span &
  ReadText & {
    passage: number
    /** Its place within the passage. */
    place: number
    lead: Lead | null
  }

/** What of the question stands in a passage as a whole, and in its title and headings. */
export type ReadPassage = {
  units: ReadonlySet<number>
  context: ReadonlySet<number>
  /** What of it stands in the title alone, and in the headings that do not repeat the title. */
  titled: ReadonlySet<number>
  topics: ReadonlySet<number>
  sentences: readonly ReadSentence[]
}

/** Finds the units of a question in passages and their sentences, a passage a step. Takes time linear in the length of the texts. */
export function* readSentences(
  analyzer: Analyzer,
  { units, languages }: { units: readonly QuestionUnit[]; languages: readonly string[] },
  passages: readonly Passage[],
): Steps<ReadPassage[]> {
  const unitsOf = new Map<string, number[]>()
  for (const [index, { terms }] of units.entries())
    for (const term of terms) unitsOf.set(term, [...(unitsOf.get(term) ?? []), index])
  const terms = [...unitsOf.keys()]
  const find = (text: string): Match[] =>
    analyzer
      .findTerms(text, terms, languages)
      .flatMap(({ term, start, end }) => (unitsOf.get(term) ?? []).map((unit) => ({ unit, term, start, end })))
  const read: ReadPassage[] = []
  for (const [index, passage] of passages.entries()) {
    const matches = find(passage.text)
    const heading = headingOf(passage)
    const readUnits = (text: string) => new Set(text === '' ? [] : find(text).map(({ unit }) => unit))
    const context = readUnits(heading)
    const title = passage.title ?? firstLineOf(passage) ?? ''
    const titled = readUnits(title)
    const topics = readUnits(
      (passage.section ?? '')
        .split(/ > |\n/)
        .filter((topic) => topic !== title)
        .join('\n'),
    )
    const own = splitMatches(matches, passage.sentences)
    const leads = listLeads(passage, own, find)
    const sentences = passage.sentences.map((span, place) => ({
      ...span,
      ...(own[place] ?? toReadText([])),
      passage: index,
      place,
      lead: leads[place] ?? null,
    }))
    read.push({ units: new Set(matches.map(({ unit }) => unit)), context, titled, topics, sentences })
    yield
  }
  return read
}

/** The title of a passage's document and the headings above it; empty where there are none. */
export function headingOf(passage: Passage): string {
  const { title, section } = passage
  return [title ?? firstLineOf(passage), section].filter((part) => part !== null && part !== '').join('\n')
}

function splitMatches(matches: readonly Match[], sentences: readonly Span[]): ReadText[] {
  let first = 0
  return sentences.map((span) => {
    while ((matches[first]?.start ?? Number.POSITIVE_INFINITY) < span.start) first += 1
    let last = first
    while ((matches[last]?.start ?? Number.POSITIVE_INFINITY) < span.end) last += 1
    return toReadText(matches.slice(first, last))
  })
}

function toReadText(matches: readonly Match[]): ReadText {
  return { matches, units: new Set(matches.map(({ unit }) => unit)) }
}

/** A heading and the head of a table below it lead in the rows of that together; the heading is where they stand. */
function joinLeads(heading: Lead | null, head: Lead): Lead {
  if (heading === null) return head
  const matches = [...heading.matches, ...head.matches]
  const denies = heading.denies === true ? true : head.denies
  return { ...toReadText(matches), text: `${heading.text}\n${head.text}`, place: heading.place, denies }
}

/**
 * What leads in each sentence: a heading all that follows it, the head of a table its rows, a question the line behind it. A title that asks leads in the first line of its document.
 */
function listLeads(passage: Passage, own: readonly ReadText[], find: (text: string) => Match[]): (Lead | null)[] {
  const { title, text, startOffset, sentences } = passage
  const isAsked = title !== null && startOffset === 0 && asks(title)
  const readLanguage = languageReader(passage)
  let lead: Lead | null = isAsked ? { ...toReadText(find(title)), text: title, place: null, denies: false } : null
  let head: Lead | null = null
  return sentences.map(({ start }, place) => {
    const before = sentences[place - 1]
    const isAnswered = lead !== null && lead.place !== place - 1 && asks(lead.text)
    if (isAnswered && before !== undefined && text.slice(before.end, start).includes('\n')) lead = null
    const above = lead
    const sentence = { ...(own[place] ?? toReadText([])), text: sentenceAt(passage, place), place }
    if (isTableHead(passage, place))
      head = joinLeads(above, { ...sentence, denies: rowsAreDenied(sentence.text, readLanguage) })
    else if (!ROW.test(sentence.text)) head = null
    else if (head !== null) return head
    if (!leadsIn(passage, place)) return above
    const isQuestion = asks(sentence.text)
    lead = { ...sentence, denies: !isQuestion && negates(sentence.text, readLanguage) }
    // A heading begins something else.
    return isQuestion ? above : null
  })
}
