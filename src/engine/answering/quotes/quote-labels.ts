import { normalizeForMatch, normalizeWordForMatch } from '../../analysis/fold.ts'
import type { Span } from '../../chunking/split-text.ts'
import type { AnswerKind, Language } from '../../languages/language.ts'
import { wordsOfAll } from '../../languages/languages.ts'
import { ITEM_MARK } from '../../markup.ts'
import { NORMALIZED, unspacedPattern, wordPattern } from '../../phrases.ts'
import { questionPattern } from '../answer-kinds.ts'
import { isQuestion, isSpeakerLine, readSpeakerLine } from '../dialogue-lines.ts'
import { type Asked, findEvidence, isNameHeading } from '../evidence.ts'
import { CASED } from '../evidence-patterns.ts'
import { introducesList } from '../parent-lines.ts'
import { type Passage, sentenceAt, textOf } from '../passage.ts'
import type { ReadPassage } from '../read-sentences.ts'
import type { ScoredSentence } from '../sentence-features.ts'
import { findHeader, isSaid, isTableHead, isTableRow, ROW } from '../table-rows.ts'

/** A longer heading is a sentence, and no name. */
const MAX_LABEL_CHARACTERS = 80
/** Verbs and interrogatives after "which": "Which is …?" asks for no kind of thing. */
const NO_NOUNS = [
  ...wordsOfAll(({ questionWords }) => questionWords),
  ...wordsOfAll(({ definitions }) => definitions?.copulas),
].map(normalizeWordForMatch)
/** "Which plan has …?", over texts of `normalizeForMatch`. */
export const ASKS_WHICH = new RegExp(
  `^ (?:\\S+ )?(?:${questionPattern(({ which }) => which)}) (?!(?:${NO_NOUNS.join('|')}) )(\\S+) `,
  'u',
)
const MARKS = /^[#>\s]*(?:\*\*|__)?|(?:\*\*|__)?[\s:：#]*$/gu
const HEADING_PATH = ' > '
const BETWEEN_HEADINGS = ' – '

type LabelInput = { passages: readonly Passage[]; read: readonly ReadPassage[]; asked: Asked }
/** The headings above a sentence, outermost first; its speaker; the title of its document. */
type Place = { headings: readonly string[]; speaker: string | null; title: string | null }

/**
 * Creates a function that returns the label of a quote, `null` if the quote needs none or has the
 * words itself. The label is the heading, speaker or title that answers ("Which plan has …?"), that
 * distinguishes the quotes, or that limits them ("Cancellation by the tenant"). The row of a table
 * gets its header.
 */
export function createLabeler(
  chosen: readonly ScoredSentence[],
  { passages, read, asked }: LabelInput,
): (one: ScoredSentence, quote: Span) => string | null {
  const places = new Map(chosen.map((one) => [one, readPlace(one, passages)]))
  const distinguish = createDistinction([...places.values()])
  return (one, quote) => {
    const place = places.get(one)
    const isBlock = quote.end !== one.sentence.end
    const passage = passages[one.sentence.passage]
    if (place === undefined || passage === undefined) return null
    const text = textOf(passages, one.sentence)
    const isClear = ROW.test(text) && (text.match(CELLS) ?? []).length < MIN_CELLS
    const header = isClear ? null : findHeader(passage, one.sentence)
    if (header !== null) return passage.text.slice(quote.start, quote.end).includes(header) ? null : header
    const isNew = (words: string) => !hasWords(text, words)
    const adds = (words: string) => isNew(words) && saysMore(words, asked.words)
    const name = asksForName(one, asked, text) ? findName(place, { kind: asked.kind, isBlock }, adds) : []
    if (name.length > 0) return toLabel(name)
    const apart = distinguish(place).filter(isNew)
    return toLabel(apart.length > 0 || isBlock || !isLimited(one, read) ? apart : place.headings.slice(-1).filter(adds))
  }
}

/** Returns the differing parts of the places of quotes. */
function createDistinction(places: readonly Place[]): (place: Place) => string[] {
  const shared = countShared(places.map(({ headings }) => headings))
  const differ = (select: (place: Place) => string) => new Set(places.map(select)).size > 1
  const hasTitles = differ(({ title }) => title ?? '')
  const hasSpeakers = differ(({ speaker }) => speaker ?? '')
  return ({ title, headings, speaker }) =>
    [hasTitles ? title : null, ...headings.slice(shared), hasSpeakers ? speaker : null].filter((part) => part !== null)
}

/**
 * For a person the speaker, or a heading that is a name. Otherwise the nearest heading with the
 * outer one, or the title.
 */
function findName(
  { headings, speaker, title }: Place,
  { kind, isBlock }: { kind: AnswerKind; isBlock: boolean },
  adds: (words: string) => boolean,
): readonly string[] {
  if (kind === 'person') return speaker === null ? headings.slice(-1).filter(isNameHeading) : [speaker]
  const near = headings.slice(-2).filter(adds)
  return near.length > 0 || title === null || isBlock ? near : [title].filter(adds)
}

/** A row of two cells is clear without a header: `| Payroll | Maria Sousa |`. */
const CELLS = /[^|\n]*[^|\s][^|\n]*/gu
const MIN_CELLS = 3

function toLabel(parts: readonly string[]): string | null {
  const label = parts.join(BETWEEN_HEADINGS)
  return label === '' || label.length > MAX_LABEL_CHARACTERS ? null : label
}

function readPlace({ sentence }: ScoredSentence, passages: readonly Passage[]): Place {
  const passage = passages[sentence.passage]
  if (passage === undefined) return { headings: [], speaker: null, title: null }
  const { section } = passage
  const isTop = (place: number) => place === 0 && passage.startOffset === 0
  const places = (sentence.parent?.places ?? []).filter((place) => !isTableHead(passage, place))
  const title =
    passage.title ?? (places.some(isTop) && isTitleMark(passage) ? sentenceAt(passage, 0).replace(MARKS, '') : null)
  const inside = places
    .filter((place) => !isTop(place) || !isTitleMark(passage))
    .map((place) => sentenceAt(passage, place))
  const outside = (section ?? '').split('\n')[0]?.split(HEADING_PATH) ?? []
  const topics = (inside.length > 0 ? inside : outside).filter((line) => !isQuestion(line) && !isTableRow(line))
  const entry = readEntryName(passage, sentence.place)
  const headings = [...topics, ...(entry === null ? [] : [entry])]
    .map((line) => line.replace(MARKS, ''))
    .filter((line) => line !== '' && line !== title)
  return { headings, speaker: findSpeaker(passage, sentence.place), title }
}

/** `**Dwarf spindle** – grows to 60 cm.` */
const ENTRY = new RegExp(String.raw`^(?:${ITEM_MARK}\s+)?(?:\*\*|__)(?=\S)([^*_\n]{1,60})(?:\*\*|__)`, 'u')

/** Returns the name in bold that begins the line of a later sentence; `null` if there is none. */
function readEntryName({ text, sentences }: Passage, place: number): string | null {
  const start = sentences[place]?.start ?? 0
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const name = ENTRY.exec(line)?.[1] ?? null
  return name === null || isQuestion(name) ? null : name
}

/** The first heading of a document is the title, unless of a lower level. */
function isTitleMark(passage: Passage): boolean {
  return /^#\s/.test(sentenceAt(passage, 0))
}

/** The speaker of a message, from the line above it. */
function findSpeaker(passage: Passage, place: number): string | null {
  for (let above = place - 1; above >= 0; above--) {
    if (isSpeakerLine(passage, above)) return readSpeakerLine(sentenceAt(passage, above))
    if (introducesList(passage, above)) return null
  }
  return null
}

function countShared(paths: readonly (readonly string[])[]): number {
  const [first = []] = paths
  const at = first.findIndex((part, index) => paths.some((path) => path[index] !== part))
  return at < 0 ? first.length : at
}

const whichAnywhere = ({ questions }: Language) => questions?.whichAnywhere
/** "Which" anywhere in a question, with the noun, over texts of `normalizeForMatch`. */
const WHICH = [wordPattern(whichAnywhere, NORMALIZED), unspacedPattern(whichAnywhere)].join('|')
const HAS_WHICH = new RegExp(`(?:${WHICH}) ?(\\p{L}{1,2})`, 'u')

/** True for a question for the name of a thing, which the sentence does not have. */
function asksForName({ features }: ScoredSentence, { kind, words }: Asked, text: string): boolean {
  if (kind === 'person') return features.soft <= 0
  const thing = CASED.test(text) || kind !== 'other' ? undefined : HAS_WHICH.exec(words)?.[1]
  if (thing !== undefined) return [...thing].every((letter) => !text.includes(letter))
  const noun = ASKS_WHICH.exec(words)?.[1]
  if (noun === undefined || kind !== 'other') return false
  const hasName = !CASED.test(text) || (findEvidence(text, 'organization', words) ?? []).length > 0
  return !hasName || !normalizeForMatch(text).includes(` ${noun}`)
}

/** True below a heading with words of the question that the sentence lacks. */
function isLimited({ sentence }: ScoredSentence, read: readonly ReadPassage[]): boolean {
  const { parent, units } = sentence
  if (parent === null || isQuestion(parent.text)) return false
  const heading = read[sentence.passage]?.sentences[parent.place ?? -1]
  return [...(heading?.units ?? [])].some((unit) => !units.has(unit))
}

/** True for words of which one is not in the question, in any form. */
function saysMore(words: string, question: string): boolean {
  return normalizeForMatch(words)
    .trim()
    .split(' ')
    .some((word) => !isSaid(word, question))
}

function hasWords(text: string, words: string): boolean {
  return normalizeForMatch(text).includes(normalizeForMatch(words))
}
