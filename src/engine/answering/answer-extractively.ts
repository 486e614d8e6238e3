import type { CooperativeTask } from '../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { normalizeForMatch } from '../analysis/fold.ts'
import type { AnswerKind } from '../languages/language.ts'
import { createFourGrams } from '../ranking/four-grams.ts'
import { computeConfidence } from './answer-confidence.ts'
import { asksWhether, readAnswerKind, SIGNED_KINDS } from './answer-kinds.ts'
import { addCompounds, addSynonyms } from './expand-question.ts'
import { hasNegation } from './negation.ts'
import { createOtherEntityTest, createSubjectTest, createUnaskedNameTest } from './other-entities.ts'
import { type Passage, textOf } from './passage.ts'
import { hasCapitalNouns, type QuestionUnit, readQuestionUnits, readQuestionWords } from './question-units.ts'
import { chooseQuotes, type QuotedSentence } from './quotes/choose-quotes.ts'
import { isQuotable } from './quotes/is-quotable.ts'
import { type ReadPassage, readSentences } from './read-sentences.ts'
import { replacePhrases, stripDefinitionPhrases, stripRelationWords } from './rephrase-question.ts'
import { gramShare, type ScoredSentence, scoreSentences, withAskedWords } from './sentence-features.ts'

/** A question with its context. */
export type AskedQuestion = {
  text: string
  /** Languages of the memory (ISO 639-1). */
  languages: readonly string[]
  /** L2-normalized; `null` if the embedder knows no word of the question. */
  vector: Float32Array | null
}

/**
 * At most three sentences, including the best one, and the lines that give list items their
 * meaning. Empty if `answered` is false.
 */
export type ExtractiveAnswer = {
  answered: boolean
  /** Probability that the passages answer the question, 0 to 1, also for a withheld answer. */
  confidence: number
  /** Passages by their best sentence, sentences of a passage in reading order. */
  sentences: QuotedSentence[]
}

/**
 * Threshold for an answer: 94 % of the questions about a memory are answered, and 92 % of foreign
 * questions declined (docs/decisions/0024).
 */
const MIN_CONFIDENCE = 0.25

/**
 * Answers a question by quoting the best sentences of retrieved passages, or declines. Uses no
 * model, only words, semantic similarity and the expected kind of answer. Deterministic. A
 * cooperative task, because 100 long passages take a second.
 */
export function* answerExtractively(
  analyzer: Analyzer,
  question: AskedQuestion,
  passages: readonly Passage[],
): CooperativeTask<ExtractiveAnswer> {
  const { text, languages, vector } = question
  const texts = passages.map((passage) => passage.text)
  // A question of 20,000 characters takes long to analyse, too.
  const untied = stripRelationWords(analyzer, replacePhrases(text), { languages, texts })
  yield
  const meant = stripDefinitionPhrases(analyzer, untied, languages)
  yield
  const said = readQuestionUnits(analyzer, meant, languages)
  yield
  const { kind, isPlain } = readAnswerKind(text)
  const units = yield* addCompounds(analyzer, addSynonyms(analyzer, said, { languages, kind }), {
    question: text,
    languages,
    texts,
  })
  const words = readQuestionWords(analyzer, meant, languages)
  yield
  const read = yield* readSentences(analyzer, { units, languages }, passages)
  const spoken = analyzer.queryTerms(text, languages).languages
  const isNegated = hasNegation(text, spoken[0] ?? null)
  const asked = { kind: isPlain ? kind : 'other', words: normalizeForMatch(text), isNegated } as const
  const namesAnother = createUnaskedNameTest(analyzer, question, said)
  const areCapitalsCommon = hasCapitalNouns(languages) || hasCapitalNouns(spoken)
  const speaksOfOther = createOtherEntityTest({ text, kind, words, hasCapitalNouns: areCapitalsCommon })
  const speaksOfThing = createSubjectTest(text, units)
  const sentences = yield* scoreSentences({
    question: text,
    kind,
    units,
    isNegated,
    words,
    vector,
    passages,
    read,
  })
  const quotable = yield* filterInSteps(
    sentences,
    ({ sentence }) =>
      isQuotable(passages[sentence.passage], sentence, asked) &&
      speaksOfThing?.(textOf(passages, sentence), sentence) !== false &&
      !namesAnother(withHeadings(passages, sentence)),
  )
  const scored = yield* dropOtherSubjects(quotable, passages, speaksOfOther)
  const [best] = scored
  const passage = best === undefined ? undefined : read[best.sentence.passage]
  if (best === undefined || passage === undefined || units.length === 0) {
    return { answered: false, confidence: 0, sentences: [] }
  }
  const grams = gramsWithHeadings(best, words, { passages, units })
  const cosine = cosineWithHeading(best, sentences)
  const confidence = computeConfidence({ passage, grams, cosine }, units)
  const isBeside =
    (kind !== 'other' || (asksWhether(text) && speaksOfThing === null)) &&
    matchesTitleOnly(best, passage, { units: units.length, kind })
  if (confidence < MIN_CONFIDENCE || isBeside) return { answered: false, confidence, sentences: [] }
  return { answered: true, confidence, sentences: chooseQuotes(scored, best, { passages, read, asked, units }) }
}

/** Filters sentences, one per step. */
function* filterInSteps(
  scored: readonly ScoredSentence[],
  holds: (one: ScoredSentence) => boolean,
): CooperativeTask<ScoredSentence[]> {
  const kept: ScoredSentence[] = []
  for (const one of scored) {
    if (holds(one)) kept.push(one)
    yield
  }
  return kept
}

/**
 * True if a sentence and the headings above match only words of the document title. Such a sentence
 * is about the same subject, but not about the question ("Who founded it?", "Is there cream in
 * it?"). False if the sentence has the amount, time or reason asked for.
 */
function matchesTitleOnly(
  { sentence, features }: ScoredSentence,
  { titled, topics }: ReadPassage,
  { units, kind }: { units: number; kind: AnswerKind },
): boolean {
  if (titled.size === 0 || features.strong > 0 || features.reason > 0) return false
  // "What does the Aroma cost?" has no word beyond the title. Any number in a sentence about
  // another subject could be the price.
  if (titled.size === units && !(SIGNED_KINDS.has(kind) && sentence.units.size === 0)) return false
  return [...sentence.units, ...(sentence.parent?.units ?? []), ...topics].every((unit) => titled.has(unit))
}

/**
 * Drops passages whose best sentence is about another subject, because the rest of the passage is,
 * too.
 */
function* dropOtherSubjects(
  scored: readonly ScoredSentence[],
  passages: readonly Passage[],
  speaksOfOther: (text: string, around: string) => boolean,
): CooperativeTask<ScoredSentence[]> {
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

/** A sentence below "Opening hours", or after a question, need not repeat those words. */
function gramsWithHeadings(
  { sentence, features }: ScoredSentence,
  words: readonly string[],
  { passages, units }: { passages: readonly Passage[]; units: readonly QuestionUnit[] },
): number {
  const above = [passages[sentence.passage]?.section ?? '', sentence.parent?.text ?? ''].filter((part) => part !== '')
  const grams = createFourGrams(words)
  const found = [...sentence.matches, ...(sentence.parent?.matches ?? [])]
  return above.length === 0 || grams.size === 0
    ? features.grams
    : gramShare(grams, withAskedWords([...above, textOf(passages, sentence)].join('\n'), found, units))
}

/** A step is as similar to the question as its heading. */
function cosineWithHeading({ sentence, features }: ScoredSentence, scored: readonly ScoredSentence[]): number {
  if (features.step === 0) return features.cosine
  const { passage, parent } = sentence
  const heading = scored.find((one) => one.sentence.passage === passage && one.sentence.place === parent?.place)
  return Math.max(features.cosine, heading?.features.cosine ?? 0)
}

function withHeadings(passages: readonly Passage[], sentence: ScoredSentence['sentence']): string {
  const { title, section } = passages[sentence.passage] ?? { title: null, section: null }
  return [title ?? '', section ?? '', textOf(passages, sentence)].join('\n')
}
