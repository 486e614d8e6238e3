import type { Analyzer } from '../../analysis/analyzer.ts'
import { normalizeWordForMatch } from '../../analysis/fold.ts'
import type { Span } from '../../chunking/split-text.ts'
import { NORMALIZED, wordPattern } from '../../phrases.ts'
import { isQuestion } from '../dialogue-lines.ts'
import { type Asked, headingAnswers } from '../evidence.ts'
import { hasNegation } from '../negation.ts'
import { introducesList } from '../parent-lines.ts'
import { type Passage, sentenceAt, textOf } from '../passage.ts'
import type { QuestionUnit } from '../question-units.ts'
import { PARAGRAPH, type ReadPassage, type ReadSentence } from '../read-sentences.ts'
import type { ScoredSentence } from '../sentence-features.ts'
import { MIN_SHARED_WORDS, shareWords } from '../subjects/subject-evidence.ts'
import { findRowLabel, isLabelAsked } from '../table-rows.ts'
import {
  COMPLETE_SENTENCE,
  findBlockBelow,
  findCodeAround,
  findIntroducedBlock,
  findIntroductionOfItem,
  findLineAround,
  findLinesBelow,
  findStepsAround,
  isItem,
} from './find-introduced-block.ts'
import { createLabeler } from './quote-labels.ts'

/**
 * A quoted sentence: exactly that slice of the text of `passages[passage]`. `label` is the heading,
 * title or table header that the reader needs with it; `null` if none.
 */
export type QuotedSentence = Quote & { isBest: boolean; label: string | null }
type Quote = Span & { passage: number }
type Sources = {
  passages: readonly Passage[]
  read: readonly ReadPassage[]
  asked: Asked
  units: readonly QuestionUnit[]
}

const MAX_SENTENCES = 3
/**
 * Maximum score difference to the best sentence. A sentence before the best one has to be nearer,
 * so that an answer usually begins with the best sentence.
 */
const MAX_SCORE_GAP = { before: 0.7, after: 3 }

/**
 * Chooses the best sentence and nearly equal ones, each with its list or heading. `scored` is
 * sorted, best first. The row of a table that the question names replaces a total.
 */
export function chooseQuotes(
  scored: readonly ScoredSentence[],
  mostLikely: ScoredSentence,
  sources: Sources,
): QuotedSentence[] {
  const { passages } = sources
  const best = findNamedRow(scored, mostLikely, sources) ?? mostLikely
  const rowUnits = readRowUnits(best, passages)
  const chosen: ScoredSentence[] = []
  const said: string[] = []
  for (const one of scored) {
    const behind = best.score - one.score
    if (chosen.length === MAX_SENTENCES || behind > MAX_SCORE_GAP.after) break
    const lacksKind = one.features.strong < best.features.strong
    if (lacksKind || !coversUnits(one, rowUnits) || (precedesBest(one, best) && behind > MAX_SCORE_GAP.before)) continue
    const words = textOf(passages, one.sentence)
    if (said.some((other) => isSameValue(words, other)) || (one !== best && matchesHeadingOnly(one, best))) continue
    said.push(words)
    chosen.push(one)
  }
  const step = findFollowingStep(scored, best) ?? findNeighbor(scored, best, sources)
  if (step === undefined || chosen.includes(step)) return toQuotes(chosen, best, { sources, scored })
  return toQuotes([...chosen.slice(0, MAX_SENTENCES - 1), step], best, { sources, scored })
}

/**
 * True for equal texts, also with other line ends, and for an XML value with and without its name:
 * `12.50` and `total: 12.50`.
 */
function isSameValue(one: string, other: string): boolean {
  const [first, second] = [withoutLineEnds(one), withoutLineEnds(other)]
  return first === second || one.endsWith(`: ${other}`) || other.endsWith(`: ${one}`)
}

/** A wrapped line may end in a hyphen of its word: "INV-" above "20931". */
function withoutLineEnds(text: string): string {
  return text.replace(/(\p{L})-\s*(?=[\p{L}\p{N}])/gu, '$1').replace(/\s+/gu, ' ')
}

/**
 * Returns the steps below "Descaling" for "How do I descale it?", if the best sentence is behind
 * them or below another heading.
 */
export function findAskedSteps<Rated extends ScoredSentence>(rated: readonly Rated[], best: Rated): Rated | undefined {
  const { sentence, features } = best
  if (features.step > 0) return undefined
  return rated.find(({ features, sentence: { passage, parent, start } }) => {
    const isBelowSame = passage === sentence.passage && parent?.place === sentence.parent?.place
    const known = isBelowSame ? sentence.units : new Set([...sentence.units, ...(sentence.parent?.units ?? [])])
    const saysMore = [...(parent?.units ?? [])].some((unit) => !known.has(unit))
    return features.step > 0 && saysMore && (!isBelowSame || start < sentence.start)
  })
}

/**
 * "How do I descale it?" is answered by the steps below "Descaling", even if a sentence between
 * them is more similar to the question.
 */
function findFollowingStep(scored: readonly ScoredSentence[], { sentence: best }: ScoredSentence) {
  return scored.find(({ sentence, features }) => {
    const isBelowSame = sentence.passage === best.passage && sentence.parent?.place === best.parent?.place
    return features.step > 0 && isBelowSame && sentence.start > best.start
  })
}

/** Condition of a question, over texts of `normalizeForMatch`: "What do I do {if it rings}?" */
const CONDITION = new RegExp(
  `^ (?:\\S+ ){2,}?(?:${wordPattern(({ questions }) => questions?.conditions, NORMALIZED)})( .*)`,
  'u',
)

/**
 * Returns the next sentence of the paragraph if the best one only repeats a part of the question.
 * That part is the event of "Why …?", or the condition of "What do I do if …?".
 */
function findNeighbor(
  scored: readonly ScoredSentence[],
  { sentence: best, features }: ScoredSentence,
  { passages, asked, units }: Sources,
): ScoredSentence | undefined {
  const isReason = asked.kind === 'reason' && features.reason <= 0
  if (!isReason && !repeatsCondition(best, asked, units)) return undefined
  return scored.find(({ sentence }) => {
    const isNext = sentence.passage === best.passage && sentence.place === best.place + 1
    return isNext && !PARAGRAPH.test(textOf(passages, { ...best, start: best.end, end: sentence.start }))
  })
}

function repeatsCondition({ units: own }: ReadSentence, { words }: Asked, units: readonly QuestionUnit[]): boolean {
  const condition = CONDITION.exec(words)?.[1] ?? ''
  const isInside = (unit: number) => condition.includes(` ${normalizeWordForMatch(units[unit]?.word ?? '')} `)
  return condition !== '' && own.size > 0 && [...own].every(isInside)
}

type QuoteInput = { sources: Sources; scored: readonly ScoredSentence[] }

function toQuotes(chosen: readonly ScoredSentence[], best: ScoredSentence, input: QuoteInput): QuotedSentence[] {
  const { passages, read, asked } = input.sources
  const order = [...new Set(chosen.map(({ sentence }) => sentence.passage))]
  const labelOf = createLabeler(chosen, { passages, read, asked })
  const quotes = chosen.flatMap((one) => {
    const quote = withIntroducedBlock(one, best, input)
    const { passage, place } = one.sentence
    const source = passages[passage]
    const parent =
      source === undefined ? null : (findIntroductionOfItem(source, place) ?? findEssentialHeading(one, source, asked))
    const label = parent === null ? labelOf(one, quote) : null
    const led = { ...quote, isBest: isWithin(best.sentence, quote), label }
    return parent === null ? [led] : [{ passage, ...parent, isBest: false, label: null }, led]
  })
  const apart = quotes.filter((one, at) => !quotes.slice(0, at).some((other) => overlapsPartly(one, other)))
  return apart
    .filter((one, at) => !apart.some((other, index) => isWithin(one, other) && (index < at || !isWithin(other, one))))
    .sort((a, b) => order.indexOf(a.passage) - order.indexOf(b.passage) || a.start - b.start)
}

/**
 * Returns the table row that the question names, unless the best sentence names it too. For "What
 * was the revenue of pet food?", the row of "Pet food" replaces the total revenue.
 */
function findNamedRow(
  scored: readonly ScoredSentence[],
  best: ScoredSentence,
  { passages, read }: Sources,
): ScoredSentence | undefined {
  const own = readRowUnits(best, passages)
  const isElsewhere = (unit: number) =>
    (read[best.sentence.passage]?.sentences ?? []).some(
      ({ place, units }) => place !== best.sentence.place && units.has(unit),
    )
  // The best row names something that nothing else is about.
  if (own.size > 0 && ![...own].some(isElsewhere)) return undefined
  return scored.find((one) => {
    const units = readRowUnits(one, passages)
    const isNear = one !== best && best.score - one.score <= MAX_SCORE_GAP.after
    return (
      isNear &&
      units.size > 0 &&
      isLabelAsked(textOf(passages, one.sentence), one.sentence) &&
      !coversUnits(best, units)
    )
  })
}

/** Question units in the first cell of a table row, which names what the row is about. */
function readRowUnits({ sentence }: ScoredSentence, passages: readonly Passage[]): ReadonlySet<number> {
  const cell = findRowLabel(textOf(passages, sentence))
  const end = sentence.start + (cell?.end ?? 0)
  return new Set(cell === null ? [] : sentence.matches.filter((match) => match.end <= end).map(({ unit }) => unit))
}

/** A total says nothing about the row asked for. */
function coversUnits({ sentence }: ScoredSentence, units: ReadonlySet<number>): boolean {
  return [...units].every((unit) => sentence.units.has(unit) || sentence.parent?.units.has(unit) === true)
}

/**
 * Returns the heading without which a sentence is misleading: `2.4.0 – 2 March 2026` above `- Added
 * dark mode` for "When was dark mode added?", or `What is not covered` above `- Floods`. For a
 * table row, the table header. A full statement with as many words of the question needs no
 * heading.
 */
function findEssentialHeading({ sentence, features }: ScoredSentence, passage: Passage, asked: Asked): Span | null {
  const own = sentenceAt(passage, sentence.place)
  const isStatement = COMPLETE_SENTENCE.test(own) && !isItem(own)
  // "Pets of any kind." does not say whether pets are allowed.
  const isUnsaid = asked.kind === 'permission' && features.soft < 0
  const needsLead =
    !isStatement || isUnsaid || [...(sentence.parent?.units ?? [])].some((unit) => !sentence.units.has(unit))
  const tells = (place: number) => {
    const heading = sentenceAt(passage, place)
    const isTold = features.strong === 0 && headingAnswers(heading, asked)
    return isTold || (needsLead && !asked.isNegated && !isQuestion(heading) && hasNegation(heading, passage.language))
  }
  return passage.sentences[sentence.parent?.places.findLast(tells) ?? -1] ?? null
}

/**
 * Adds the block that a sentence introduces. A list or table is not added if its best item is
 * quoted on its own.
 */
function withIntroducedBlock(one: ScoredSentence, best: ScoredSentence, input: QuoteInput): Quote {
  const { passage, start, end } = one.sentence
  const source = input.sources.passages[passage]
  if (source === undefined) return { passage, start, end }
  const whole = findWholeBlock(one, source, input) ?? (one === best ? findFullAnswer(one, source) : null)
  if (whole !== null) return { passage, start: whole.start, end: whole.end }
  const block = findIntroducedBlock(source, one.sentence)
  const quote = { passage, start, end: block.end }
  const holdsBest = one !== best && isWithin(best.sentence, quote)
  return holdsBest && !block.isCode ? { passage, start, end } : quote
}

/**
 * Returns the whole list below "Benefits" for "Which benefits are there?", and all steps or the
 * whole code for "How do I …?". A question for a duration gets the matching item only, unless every
 * item has a duration.
 */
function findWholeBlock(one: ScoredSentence, passage: Passage, input: QuoteInput): Span | null {
  const { sentence, features } = one
  if (features.step > 0) return findStepsAround(passage, sentence.place)
  const list = listBelowHeading(sentence, passage, input.sources.read)
  const hasKind = ({ strong, soft }: ScoredSentence['features']) => strong > 0 || soft > 0
  if (features.strong === 0 && features.soft === 0) return list ?? findCodeAround(passage, sentence)
  if (list === null || !hasKind(features)) return null
  const isItem = (span: Span) => list.start <= span.start && span.end <= list.end
  const items = input.scored.filter((other) => other.sentence.passage === sentence.passage && isItem(other.sentence))
  const isWhole = items.length === passage.sentences.filter(isItem).length
  return isWhole && items.every((other) => hasKind(other.features)) ? list : null
}

/**
 * Returns the complete answer to the same question, unless a kind of answer is expected. "Can I
 * cancel my order?" needs more than "Yes, until it is sent.".
 */
function findFullAnswer({ sentence, features }: ScoredSentence, passage: Passage): Span | null {
  const { parent, place, units } = sentence
  if (features.strong !== 0 || parent === null || parent.units.size === 0 || !isQuestion(parent.text)) return null
  return [...units].every((unit) => parent.units.has(unit)) ? findLineAround(passage, place, parent.place ?? -1) : null
}

/**
 * Returns the list below the heading asked for. An item that has more of the question than its
 * headings and the title is quoted alone: "Which action has Jonas?"
 */
function listBelowHeading(sentence: ReadSentence, passage: Passage, read: readonly ReadPassage[]): Span | null {
  const { start, end, parent, units } = sentence
  const heading = passage.sentences[parent?.place ?? -1]
  if (heading === undefined || parent === null || parent.units.size === 0) return null
  const { context, sentences } = read[sentence.passage] ?? { context: new Set(), sentences: [] }
  const title = passage.startOffset === 0 && introducesList(passage, 0) ? sentences[0]?.units : undefined
  const isKnown = (unit: number) => parent.units.has(unit) || context.has(unit) || title?.has(unit) === true
  if (![...units].every(isKnown)) return null
  const found = findBlockBelow(passage, heading.end)
  const block = found.start === found.end ? findLinesBelow(passage, heading.end) : found
  return block.isCode || start < block.start || block.end < end ? null : { start: block.start, end: block.end }
}

function isWithin(one: Quote, other: Quote): boolean {
  return one.passage === other.passage && other.start <= one.start && one.end <= other.end
}

/** Two parts of a long list that share lines; each ends at the quote limit. */
function overlapsPartly(one: Quote, other: Quote): boolean {
  const isShared = one.passage === other.passage && one.start < other.end && other.start < one.end
  return isShared && !isWithin(one, other) && !isWithin(other, one)
}

/**
 * True if a sentence matches only through a distant or negated heading, or through the best
 * sentence above. Such a sentence is about another subject than the best one. Also true below
 * another heading if the best sentence or its heading matches more.
 */
function matchesHeadingOnly({ sentence, features }: ScoredSentence, { sentence: best }: ScoredSentence): boolean {
  const { parent, passage, place, units } = sentence
  if (units.size > 0 || parent === null || parent.place === null) return false
  const isBelowOther = passage !== best.passage || parent.place !== best.parent?.place
  const isOther = isBelowOther && (best.units.size > 0 || (best.parent?.units.size ?? 0) > parent.units.size)
  return (
    isOther ||
    features.opposite > 0 ||
    parent.place < place - 1 ||
    (passage === best.passage && parent.place === best.place)
  )
}

function precedesBest({ sentence }: ScoredSentence, { sentence: best }: ScoredSentence): boolean {
  return sentence.passage === best.passage && sentence.start < best.start
}

/** Returns the correction in place of quotes whose best sentence it replaces. */
export function replaceCorrected(
  spoken: { analyzer: Analyzer; languages: readonly string[] },
  quotes: QuotedSentence[],
  passages: readonly Passage[],
): QuotedSentence[] {
  const best = quotes.find(({ isBest }) => isBest)
  if (best === undefined) return quotes
  const [nearest] = passages
    .flatMap(({ kind, sentences }, passage) =>
      kind === 'correction' ? sentences.map(({ start, end }) => ({ passage, start, end })) : [],
    )
    .map((quote) => ({ quote, share: shareWords(spoken, textOf(passages, quote), textOf(passages, best)) }))
    .sort((a, b) => b.share - a.share)
  const isReplaced = nearest !== undefined && nearest.share >= MIN_SHARED_WORDS
  return isReplaced ? [{ ...nearest.quote, isBest: true, label: null }] : quotes
}
