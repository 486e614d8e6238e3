import type { Steps } from '../../pacing/in-turns.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { matchable } from '../analysis/fold.ts'
import type { Span } from '../chunking/split-text.ts'
import { createFourGrams } from '../ranking/four-grams.ts'
import { withCompounds } from './compound-words.ts'
import { findBlockBelow, findLeadOfItem, findLedBlock, findStepsAround } from './find-led-block.ts'
import { isQuotable } from './is-quotable.ts'
import { judgeAnswer } from './judge-answer.ts'
import { createNamesAnother } from './names-another.ts'
import { withOtherWords } from './other-words.ts'
import type { Passage } from './passage.ts'
import type { AnswerKind } from './question-forms.ts'
import { hasCapitalNouns, type QuestionUnit, readQuestionUnits, readQuestionWords } from './question-units.ts'
import { asksWhether, readAnswerKind } from './read-answer-kind.ts'
import { type ReadPassage, readSentences } from './read-sentences.ts'
import { type ScoredSentence, scoreSentences } from './score-sentences.ts'
import { gramShare, SIGNED, withAskedWords } from './sentence-features.ts'
import { createSpeaksOfOther } from './speaks-of-other.ts'
import { withoutMeaning, withoutTies } from './without-meaning.ts'

/** What is asked. */
export type AskedQuestion = {
  text: string
  /** Languages of the memory (ISO 639-1). */
  languages: readonly string[]
  /** L2-normalised; `null` where nothing of it is known to the embedder. */
  vector: Float32Array | null
}

/** A sentence that is quoted: exactly that slice of the text of `passages[passage]`. */
export type QuotedSentence = Quote & { isBest: boolean }
type Quote = Span & { passage: number }

/** At most three sentences, one of them the best, and the lines without which items among them say something else; none where `answered` is false. */
export type ExtractiveAnswer = {
  answered: boolean
  /** How sure it is that the passages answer at all, 0 to 1, also of an answer that was withheld. */
  confidence: number
  /** The passages in the order of their best sentence, the sentences of each in reading order. */
  sentences: QuotedSentence[]
}

/** Below this nothing is said: 94 % of the questions of a memory are answered and 92 % of foreign ones declined (docs/decisions/0024). */
const LEAST_CONFIDENCE = 0.25
const MOST_SENTENCES = 3
/**
 * How far behind the best in score a further sentence is still quoted. One that would stand before the best has to be
 * nearer, so that an answer mostly begins with what answers.
 */
const MOST_BEHIND = { before: 0.7, after: 3 }

/**
 * Answers a question by quoting the sentences of retrieved passages that fit it best; says nothing where they do not
 * seem to be about it. No model: words, likeness in meaning, and what kind of thing is asked for. Deterministic. In steps, since a hundred long passages
 * take a second.
 */
export function* answerExtractively(
  analyzer: Analyzer,
  question: AskedQuestion,
  passages: readonly Passage[],
): Steps<ExtractiveAnswer> {
  const { text, languages, vector } = question
  const texts = passages.map((passage) => passage.text)
  const untied = withoutTies(analyzer, text, { languages, texts })
  const meant = withoutMeaning(analyzer, untied, languages)
  const said = readQuestionUnits(analyzer, meant, languages)
  const { kind, isPlain } = readAnswerKind(text)
  const units = yield* withCompounds(analyzer, withOtherWords(analyzer, said, { languages, kind }), {
    question: text,
    languages,
    texts,
  })
  const words = readQuestionWords(analyzer, meant, languages)
  const read = yield* readSentences(analyzer, { units, languages }, passages)
  const asked = { kind: isPlain ? kind : 'other', words: matchable(text) } as const
  const namesAnother = createNamesAnother(analyzer, question, said)
  const speaksOfOther = createSpeaksOfOther({ text, kind, words, hasCapitalNouns: hasCapitalNouns(languages) })
  const sentences = yield* scoreSentences({ question: text, kind, units, words, vector, passages, read })
  const quotable = yield* filterInSteps(
    sentences,
    ({ sentence }) =>
      isQuotable(passages[sentence.passage], sentence.place, asked) && !namesAnother(withHeadings(passages, sentence)),
  )
  const scored = yield* withoutForeign(quotable, passages, speaksOfOther)
  const [best] = scored
  const passage = best === undefined ? undefined : read[best.sentence.passage]
  if (best === undefined || passage === undefined || units.length === 0) {
    return { answered: false, confidence: 0, sentences: [] }
  }
  const grams = gramsWithHeadings(best, words, { passages, units })
  const confidence = judgeAnswer(best, { passage, grams }, units)
  const isBeside =
    (kind !== 'other' || asksWhether(text)) && saysNoMoreThanTitle(best, passage, { units: units.length, kind })
  if (confidence < LEAST_CONFIDENCE || isBeside) return { answered: false, confidence, sentences: [] }
  return { answered: true, confidence, sentences: chooseSentences(scored, best, passages) }
}

/** What holds of a sentence, one a step. */
function* filterInSteps(
  scored: readonly ScoredSentence[],
  holds: (one: ScoredSentence) => boolean,
): Steps<ScoredSentence[]> {
  const kept: ScoredSentence[] = []
  for (const one of scored) {
    if (holds(one)) kept.push(one)
    yield
  }
  return kept
}

/**
 * True where a sentence, with what leads it in and the headings above it, has nothing of the question but what the title of its document says: it is
 * about the same thing, and not about what is asked of it ("Who founded it?", "Is there cream in it?"), unless an amount, a time or a reason that is asked for stands there.
 */
function saysNoMoreThanTitle(
  { sentence, features }: ScoredSentence,
  { titled, topics }: ReadPassage,
  { units, kind }: { units: number; kind: AnswerKind },
): boolean {
  if (titled.size === 0 || features.strong > 0 || features.reason > 0) return false
  // "What does the Aroma cost?" asks for no more than the title says and a price, which any number in a sentence about something else may be.
  if (titled.size === units && !(SIGNED.has(kind) && sentence.units.size === 0)) return false
  return [...sentence.units, ...(sentence.lead?.units ?? []), ...topics].every((unit) => titled.has(unit))
}

/** Without the passages whose best sentence speaks of something else: the rest of such a passage is about the same. */
function* withoutForeign(
  scored: readonly ScoredSentence[],
  passages: readonly Passage[],
  speaksOfOther: (text: string, around: string) => boolean,
): Steps<ScoredSentence[]> {
  const isForeign = new Map<number, boolean>()
  for (const { sentence } of scored) {
    const { passage } = sentence
    if (isForeign.has(passage)) continue
    const around = withHeadings(passages, { ...sentence, start: 0, end: passages[passage]?.text.length ?? 0 })
    isForeign.set(passage, speaksOfOther(withHeadings(passages, sentence), around))
    yield
  }
  return scored.filter(({ sentence }) => isForeign.get(sentence.passage) !== true)
}

/** A sentence below "Opening hours", or behind a question, need not say so again. */
function gramsWithHeadings(
  { sentence, features }: ScoredSentence,
  words: readonly string[],
  { passages, units }: { passages: readonly Passage[]; units: readonly QuestionUnit[] },
): number {
  const above = [passages[sentence.passage]?.section ?? '', sentence.lead?.text ?? ''].filter((part) => part !== '')
  const grams = createFourGrams(words)
  const found = [...sentence.matches, ...(sentence.lead?.matches ?? [])]
  return above.length === 0 || grams.size === 0
    ? features.grams
    : gramShare(grams, withAskedWords([...above, textOf(passages, sentence)].join('\n'), found, units))
}

function chooseSentences(
  scored: readonly ScoredSentence[],
  best: ScoredSentence,
  passages: readonly Passage[],
): QuotedSentence[] {
  const chosen: ScoredSentence[] = []
  const said = new Set<string>()
  for (const one of scored) {
    const behind = best.score - one.score
    if (chosen.length === MOST_SENTENCES || behind > MOST_BEHIND.after) break
    if (standsBefore(one, best) && (behind > MOST_BEHIND.before || one.features.strong < best.features.strong)) continue
    const words = textOf(passages, one.sentence)
    if (said.has(words) || (one !== best && onlyStandsBelow(one))) continue
    said.add(words)
    chosen.push(one)
  }
  const step = findStepBehind(scored, best)
  if (step === undefined || chosen.includes(step)) return toQuotes(chosen, best, passages)
  return toQuotes([...chosen.slice(0, MOST_SENTENCES - 1), step], best, passages)
}

/** "How do I descale it?" is answered by the steps below "Descaling", also where a sentence between the two is more like the question. */
function findStepBehind(scored: readonly ScoredSentence[], { sentence: best }: ScoredSentence) {
  return scored.find(({ sentence, features }) => {
    const isBelowSame = sentence.passage === best.passage && sentence.lead?.place === best.lead?.place
    return features.step > 0 && isBelowSame && sentence.start > best.start
  })
}

function toQuotes(
  chosen: readonly ScoredSentence[],
  best: ScoredSentence,
  passages: readonly Passage[],
): QuotedSentence[] {
  const order = [...new Set(chosen.map(({ sentence }) => sentence.passage))]
  const quotes = chosen.flatMap((one) => {
    const quote = withLedBlock(one, best, passages)
    const { passage, place } = one.sentence
    const read = passages[passage]
    const lead = read === undefined ? null : findLeadOfItem(read, place)
    const led = { ...quote, isBest: isWithin(best.sentence, quote) }
    return lead === null ? [led] : [{ passage, ...lead, isBest: false }, led]
  })
  return quotes
    .filter((one, at) => !quotes.some((other, index) => isWithin(one, other) && (index < at || !isWithin(other, one))))
    .sort((a, b) => order.indexOf(a.passage) - order.indexOf(b.passage) || a.start - b.start)
}

/** What a sentence leads in is quoted with it; of a list or table not where the best sentence is a part of that and stands alone. */
function withLedBlock(one: ScoredSentence, best: ScoredSentence, passages: readonly Passage[]): Quote {
  const { passage, start, end } = one.sentence
  const source = passages[passage]
  const list = one === best || one.features.step > 0 ? listBelowHeading(one, source) : null
  if (source === undefined || list !== null) return { passage, start, end, ...list }
  const block = findLedBlock(source, one.sentence)
  const quote = { passage, start, end: block.end }
  const holdsBest = one !== best && isWithin(best.sentence, quote)
  return holdsBest && !block.isCode ? { passage, start, end } : quote
}

/**
 * "Which benefits are there?" is answered by all items below "Benefits", of which none says so; "How long …?" by the one that has a span of time; "How do I …?"
 * by all the steps.
 */
function listBelowHeading({ sentence, features }: ScoredSentence, passage: Passage | undefined): Span | null {
  const { lead, place, units } = sentence
  const heading = passage?.sentences[lead?.place ?? -1]
  if (passage !== undefined && features.step > 0) return findStepsAround(passage, place)
  if (passage === undefined || heading === undefined || lead?.units.size === 0 || units.size > 0) return null
  if (features.strong !== 0 || features.soft !== 0) return null
  const { start, end, isCode } = findBlockBelow(passage, heading.end)
  return !isCode && start <= sentence.start && sentence.end <= end ? { start, end } : null
}

function isWithin(one: Quote, other: Quote): boolean {
  return one.passage === other.passage && other.start <= one.start && one.end <= other.end
}

/** True where a sentence has nothing of the question but what a heading further above says: beside the best one it tells of something else. */
function onlyStandsBelow({ sentence: { lead, place, units } }: ScoredSentence): boolean {
  return units.size === 0 && lead !== null && lead.place !== null && lead.place < place - 1
}

function withHeadings(passages: readonly Passage[], sentence: ScoredSentence['sentence']): string {
  const { title, section } = passages[sentence.passage] ?? { title: null, section: null }
  return [title ?? '', section ?? '', textOf(passages, sentence)].join('\n')
}

function textOf(passages: readonly Passage[], { passage, start, end }: ScoredSentence['sentence']): string {
  return passages[passage]?.text.slice(start, end) ?? ''
}

function standsBefore({ sentence }: ScoredSentence, { sentence: best }: ScoredSentence): boolean {
  return sentence.passage === best.passage && sentence.start < best.start
}
