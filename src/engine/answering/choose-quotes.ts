import type { Span } from '../chunking/split-text.ts'
import { isQuestion } from './dialogue-lines.ts'
import { type Asked, headingAnswers } from './evidence.ts'
import {
  COMPLETE_SENTENCE,
  findBlockBelow,
  findCodeAround,
  findIntroducedBlock,
  findIntroductionOfItem,
  findLineAround,
  findStepsAround,
  isItem,
} from './find-introduced-block.ts'
import { hasNegation } from './negation.ts'
import { type Passage, sentenceAt, textOf } from './passage.ts'
import type { ReadSentence } from './read-sentences.ts'
import type { ScoredSentence } from './sentence-features.ts'

/** A quoted sentence: exactly that slice of the text of `passages[passage]`. */
export type QuotedSentence = Quote & { isBest: boolean }
type Quote = Span & { passage: number }

const MAX_SENTENCES = 3
/**
 * Maximum score difference to the best sentence. A sentence before the best one has to be nearer,
 * so that an answer usually begins with the best sentence.
 */
const MAX_SCORE_GAP = { before: 0.7, after: 3 }

/**
 * Chooses the best sentence and nearly equal ones, each with its list or heading. `scored` is
 * sorted, best first.
 */
export function chooseQuotes(
  scored: readonly ScoredSentence[],
  best: ScoredSentence,
  { passages, asked }: { passages: readonly Passage[]; asked: Asked },
): QuotedSentence[] {
  const chosen: ScoredSentence[] = []
  const said: string[] = []
  for (const one of scored) {
    const behind = best.score - one.score
    if (chosen.length === MAX_SENTENCES || behind > MAX_SCORE_GAP.after) break
    const lacksKind = one.features.strong < best.features.strong
    if (lacksKind || (precedesBest(one, best) && behind > MAX_SCORE_GAP.before)) continue
    const words = textOf(passages, one.sentence)
    if (said.some((other) => isSameValue(words, other)) || (one !== best && matchesHeadingOnly(one, best))) continue
    said.push(words)
    chosen.push(one)
  }
  const step = findFollowingStep(scored, best)
  if (step === undefined || chosen.includes(step)) return toQuotes(chosen, best, { passages, asked })
  return toQuotes([...chosen.slice(0, MAX_SENTENCES - 1), step], best, { passages, asked })
}

/**
 * True for equal texts, and for an XML value with and without its name: `12.50` and `total: 12.50`.
 */
function isSameValue(one: string, other: string): boolean {
  return one === other || one.endsWith(`: ${other}`) || other.endsWith(`: ${one}`)
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

function toQuotes(
  chosen: readonly ScoredSentence[],
  best: ScoredSentence,
  { passages, asked }: { passages: readonly Passage[]; asked: Asked },
): QuotedSentence[] {
  const order = [...new Set(chosen.map(({ sentence }) => sentence.passage))]
  const quotes = chosen.flatMap((one) => {
    const quote = withIntroducedBlock(one, best, passages)
    const { passage, place } = one.sentence
    const read = passages[passage]
    const parent =
      read === undefined ? null : (findIntroductionOfItem(read, place) ?? findEssentialHeading(one, read, asked))
    const led = { ...quote, isBest: isWithin(best.sentence, quote) }
    return parent === null ? [led] : [{ passage, ...parent, isBest: false }, led]
  })
  const apart = quotes.filter((one, at) => !quotes.slice(0, at).some((other) => overlapsPartly(one, other)))
  return apart
    .filter((one, at) => !apart.some((other, index) => isWithin(one, other) && (index < at || !isWithin(other, one))))
    .sort((a, b) => order.indexOf(a.passage) - order.indexOf(b.passage) || a.start - b.start)
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
function withIntroducedBlock(one: ScoredSentence, best: ScoredSentence, passages: readonly Passage[]): Quote {
  const { passage, start, end } = one.sentence
  const source = passages[passage]
  if (source === undefined) return { passage, start, end }
  const whole = findWholeBlock(one, source) ?? (one === best ? findFullAnswer(one, source) : null)
  if (whole !== null) return { passage, start: whole.start, end: whole.end }
  const block = findIntroducedBlock(source, one.sentence)
  const quote = { passage, start, end: block.end }
  const holdsBest = one !== best && isWithin(best.sentence, quote)
  return holdsBest && !block.isCode ? { passage, start, end } : quote
}

/**
 * Returns the whole list below "Benefits" for "Which benefits are there?", and all steps or the
 * whole code for "How do I …?". A question for a duration gets the matching item only.
 */
function findWholeBlock({ sentence, features }: ScoredSentence, passage: Passage): Span | null {
  if (features.step > 0) return findStepsAround(passage, sentence.place)
  if (features.strong !== 0 || features.soft !== 0) return null
  return listBelowHeading(sentence, passage) ?? findCodeAround(passage, sentence)
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

function listBelowHeading({ start, end, parent, units }: ReadSentence, passage: Passage): Span | null {
  const heading = passage.sentences[parent?.place ?? -1]
  if (heading === undefined || parent?.units.size === 0 || units.size > 0) return null
  const block = findBlockBelow(passage, heading.end)
  return !block.isCode && block.start <= start && end <= block.end ? { start: block.start, end: block.end } : null
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
