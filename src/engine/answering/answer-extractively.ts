import type { CooperativeTask } from '../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { normalizeForMatch } from '../analysis/fold.ts'
import type { AnswerKind } from '../languages/language.ts'
import { createFourGrams } from '../ranking/four-grams.ts'
import { asksWhether, readAnswerKind, SIGNED } from './answer-kinds.ts'
import { chooseQuotes, type QuotedSentence } from './choose-quotes.ts'
import { addCompounds, addSynonyms } from './expand-question.ts'
import { isQuotable } from './is-quotable.ts'
import { judgeAnswer } from './judge-answer.ts'
import { negates } from './negation.ts'
import { createIsAboutSubject, createMentionsOtherEntity, createMentionsUnaskedName } from './other-entities.ts'
import { type Passage, textOf } from './passage.ts'
import { hasCapitalNouns, type QuestionUnit, readQuestionUnits, readQuestionWords } from './question-units.ts'
import { type ReadPassage, readSentences } from './read-sentences.ts'
import { replacePhrases, stripDefinitionPhrases, stripRelationWords } from './rephrase-question.ts'
import { gramShare, type ScoredSentence, scoreSentences, withAskedWords } from './sentence-features.ts'

/** What is asked. */
export type AskedQuestion = {
  text: string
  /** Languages of the memory (ISO 639-1). */
  languages: readonly string[]
  /** L2-normalised; `null` where nothing of it is known to the embedder. */
  vector: Float32Array | null
}

/**
 * At most three sentences, one of them the best, and the lines without which items among them say
 * something else; none where `answered` is false.
 */
export type ExtractiveAnswer = {
  answered: boolean
  /**
   * How sure it is that the passages answer at all, 0 to 1, also of an answer that was withheld.
   */
  confidence: number
  /** The passages in the order of their best sentence, the sentences of each in reading order. */
  sentences: QuotedSentence[]
}

/**
 * Below this nothing is said: 94 % of the questions of a memory are answered and 92 % of foreign
 * ones declined (docs/decisions/0024).
 */
const LEAST_CONFIDENCE = 0.25

/**
 * Answers a question by quoting the sentences of retrieved passages that fit it best; says nothing
 * where they do not seem to be about it. No model: words, likeness in meaning, and what kind of
 * thing is asked for. Deterministic. In steps, since a hundred long passages take a second.
 */
export function* answerExtractively(
  analyzer: Analyzer,
  question: AskedQuestion,
  passages: readonly Passage[],
): CooperativeTask<ExtractiveAnswer> {
  const { text, languages, vector } = question
  const texts = passages.map((passage) => passage.text)
  // A question of 20,000 characters takes a good while to understand, too.
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
  const isDenied = negates(text, spoken[0] ?? null)
  const asked = { kind: isPlain ? kind : 'other', words: normalizeForMatch(text), isDenied } as const
  const namesAnother = createMentionsUnaskedName(analyzer, question, said)
  const areCapitalsCommon = hasCapitalNouns(languages) || hasCapitalNouns(spoken)
  const speaksOfOther = createMentionsOtherEntity({ text, kind, words, hasCapitalNouns: areCapitalsCommon })
  const speaksOfThing = createIsAboutSubject(text, units)
  const sentences = yield* scoreSentences({ question: text, kind, units, isDenied, words, vector, passages, read })
  const quotable = yield* filterInSteps(
    sentences,
    ({ sentence }) =>
      isQuotable(passages[sentence.passage], sentence, asked) &&
      speaksOfThing?.(textOf(passages, sentence), sentence) !== false &&
      !namesAnother(withHeadings(passages, sentence)),
  )
  const scored = yield* withoutForeign(quotable, passages, speaksOfOther)
  const [best] = scored
  const passage = best === undefined ? undefined : read[best.sentence.passage]
  if (best === undefined || passage === undefined || units.length === 0) {
    return { answered: false, confidence: 0, sentences: [] }
  }
  const grams = gramsWithHeadings(best, words, { passages, units })
  const cosine = cosineWithHeading(best, sentences)
  const confidence = judgeAnswer({ passage, grams, cosine }, units)
  const isBeside =
    (kind !== 'other' || (asksWhether(text) && speaksOfThing === null)) &&
    saysNoMoreThanTitle(best, passage, { units: units.length, kind })
  if (confidence < LEAST_CONFIDENCE || isBeside) return { answered: false, confidence, sentences: [] }
  return { answered: true, confidence, sentences: chooseQuotes(scored, best, { passages, asked }) }
}

/** What holds of a sentence, one a step. */
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
 * True where a sentence, with what leads it in and the headings above it, has nothing of the
 * question but what the title of its document says: it is about the same thing, and not about what
 * is asked of it ("Who founded it?", "Is there cream in it?"), unless an amount, a time or a reason
 * that is asked for stands there.
 */
function saysNoMoreThanTitle(
  { sentence, features }: ScoredSentence,
  { titled, topics }: ReadPassage,
  { units, kind }: { units: number; kind: AnswerKind },
): boolean {
  if (titled.size === 0 || features.strong > 0 || features.reason > 0) return false
  // "What does the Aroma cost?" asks for no more than the title says and a price, which any number
  // in a sentence about something else may be.
  if (titled.size === units && !(SIGNED.has(kind) && sentence.units.size === 0)) return false
  return [...sentence.units, ...(sentence.lead?.units ?? []), ...topics].every((unit) => titled.has(unit))
}

/**
 * Without the passages whose best sentence speaks of something else: the rest of such a passage is
 * about the same.
 */
function* withoutForeign(
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

/** A step of what the heading above it names is as like the question as that. */
function cosineWithHeading({ sentence, features }: ScoredSentence, scored: readonly ScoredSentence[]): number {
  if (features.step === 0) return features.cosine
  const { passage, lead } = sentence
  const heading = scored.find((one) => one.sentence.passage === passage && one.sentence.place === lead?.place)
  return Math.max(features.cosine, heading?.features.cosine ?? 0)
}

function withHeadings(passages: readonly Passage[], sentence: ScoredSentence['sentence']): string {
  const { title, section } = passages[sentence.passage] ?? { title: null, section: null }
  return [title ?? '', section ?? '', textOf(passages, sentence)].join('\n')
}
