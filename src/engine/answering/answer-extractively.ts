import type { CooperativeTask } from '../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { normalizeForMatch } from '../analysis/fold.ts'
import type { AnswerKind } from '../languages/language.ts'
import { hasCapitalNouns } from '../languages/languages.ts'
import { createFourGrams } from '../ranking/four-grams.ts'
import { asksWhether, readAnswerKind, SIGNED_KINDS } from './answer-kinds.ts'
import {
  type AnswerFeatures,
  type Candidate,
  listFeatures,
  type RatedText,
  rateAnswer,
  rateCandidates,
  readAnswerFeatures,
} from './answer-model.ts'
import type { Asked } from './evidence.ts'
import { addCompounds, addSynonyms } from './expand-question.ts'
import { hasNegation } from './negation.ts'
import { type Passage, textOf } from './passage.ts'
import {
  listAskedPeriods,
  listSituationUnits,
  type QuestionUnit,
  readQuestionUnits,
  readQuestionWords,
} from './question-units.ts'
import { chooseQuotes, findAskedSteps, type QuotedSentence, replaceCorrected } from './quotes/choose-quotes.ts'
import { createRepeatTest, isQuotable } from './quotes/is-quotable.ts'
import { type ReadPassage, type ReadSentence, readBefore, readSentences, withAntecedent } from './read-sentences.ts'
import { replacePhrases, stripDefinitionPhrases, stripRelationWords } from './rephrase-question.ts'
import { gramShare, type ScoredSentence, scoreSentences, withAskedWords } from './sentence-features.ts'
import { readAskedWords } from './subjects/asked-words.ts'
import { createOtherEntityTest, createSubjectTest, createUnaskedNameTest } from './subjects/other-entities.ts'
import { createSubjectReader, type SubjectEvidence, toSubjectSources } from './subjects/subject-evidence.ts'
import { isTableRow, isTotalOfAskedRow, leavesPriceOpen } from './table-rows.ts'

/** A question with its context. */
export type AskedQuestion = {
  text: string
  /** Languages of the memory (ISO 639-1). */
  languages: readonly string[]
  /** L2-normalized; `null` if the embedder knows no word of the question. */
  vector: Float32Array | null
  /** Cosine of two words; `null` if unknown. */
  similarityOf?: (one: string, other: string) => number | null
  /** In the languages of the memory, words with a high cosine have one meaning. */
  knowsSynonyms?: boolean
  /** Least confidence of an answer, 0 to 1; `MIN_CONFIDENCE` by default. */
  minConfidence?: number | undefined
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
  /** The compared sentences with the features that the model rates. */
  candidates: readonly RatedSentence[]
}

/** A compared sentence: its passage, offsets and headings, and what the model knows of it. */
export type RatedSentence = { passage: number; start: number; end: number; above: string; features: AnswerFeatures }

/** Least confidence of an answer: it has to be more likely right than not. */
export const MIN_CONFIDENCE = 0.49

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
  const read = yield* readQuestion(analyzer, question, passages)
  const scored = yield* scoreStatements(analyzer, read, passages)
  const isCorrection = ({ sentence }: JudgedSentence) => passages[sentence.passage]?.kind === 'correction'
  const corrections = scored.filter((one) => isCorrection(one) && isAbout(one))
  const corrected = judge(read, corrections, passages)
  if (corrected.answered) return corrected
  const statements = scored.filter((one) => !isCorrection(one))
  const answer = judge(read, statements, passages)
  const sentences = replaceCorrected({ analyzer, languages: question.languages }, answer.sentences, passages)
  return { ...answer, sentences }
}

/** A question as read, with the question units of the passages. */
type ReadQuestion = AskedQuestion & {
  /** The question without words of relation and definition. */
  meant: string
  kind: AnswerKind
  asked: Asked
  /** Units as the question says them, and with synonyms and compounds. */
  said: readonly QuestionUnit[]
  units: readonly QuestionUnit[]
  /** `null` if the question asks for no such thing. */
  speaksOfThing: ReturnType<typeof createSubjectTest>
  words: readonly string[]
  /** Languages of the memory, the language of the question first. */
  spoken: readonly string[]
  read: readonly ReadPassage[]
}

function* readQuestion(
  analyzer: Analyzer,
  question: AskedQuestion,
  passages: readonly Passage[],
): CooperativeTask<ReadQuestion> {
  const { text, languages } = question
  const texts = passages.map((passage) => passage.text)
  // A question of 20,000 characters takes long to analyse, too.
  const untied = stripRelationWords(analyzer, replacePhrases(text), { languages, texts })
  yield
  const meant = stripDefinitionPhrases(analyzer, untied, languages)
  yield
  const said = readQuestionUnits(analyzer, meant, languages)
  yield
  const { kind, isPlain } = readAnswerKind(text)
  const synonyms = addSynonyms(analyzer, said, { languages, kind })
  const units = yield* addCompounds(analyzer, synonyms, { question: text, languages, texts })
  const words = readQuestionWords(analyzer, meant, languages)
  yield
  const spoken = analyzer.queryTerms(text, languages).languages
  const periods = listAskedPeriods(meant, spoken[0] ?? '')
  const isNegated = hasNegation(text, spoken[0] ?? null)
  const asked = { kind: isPlain ? kind : 'other', words: normalizeForMatch(text), isNegated } as const
  const situation = listSituationUnits(meant, units, spoken[0] ?? '')
  const read = yield* readSentences(
    analyzer,
    { ...{ units, situation, kind, words: asked.words }, language: spoken[0] ?? '', languages, periods },
    passages,
  )
  const speaksOfThing = createSubjectTest(text, units)
  return { ...question, meant, kind, asked, said, units, speaksOfThing, words, spoken, read }
}

/** Scores the sentences that can be quoted, best first. */
function* scoreStatements(
  analyzer: Analyzer,
  question: ReadQuestion,
  passages: readonly Passage[],
): CooperativeTask<JudgedSentence[]> {
  const { text, languages, kind, asked, said, units, speaksOfThing, words, spoken, read } = question
  const namesAnother = createUnaskedNameTest(analyzer, question, said)
  const areCapitalsCommon = hasCapitalNouns(languages) || hasCapitalNouns(spoken)
  const speaksOfOther = createOtherEntityTest({ text, kind, words, hasCapitalNouns: areCapitalsCommon })
  const repeats = createRepeatTest(analyzer, { text, kind, asked, languages: spoken })
  const input = { question: text, kind, units, words, vector: question.vector, passages, read }
  const sentences = yield* scoreSentences({ ...input, isNegated: asked.isNegated })
  const quotable = yield* filterInSteps(
    sentences,
    ({ sentence }) =>
      isQuotable(passages[sentence.passage], sentence, asked) &&
      !repeats(passages[sentence.passage], sentence) &&
      !isTotalOfAskedRow(passages[sentence.passage], read[sentence.passage]?.sentences, sentence) &&
      speaksOfThing?.(textOf(passages, sentence), sentence) !== false &&
      !namesAnother(withHeadings(passages, sentence)),
  )
  const bound = yield* dropOtherSubjects(quotable, passages, speaksOfOther)
  const texts = passages.map((passage) => passage.text)
  const knowledge = {
    ...{ analyzer, question: asked.words, languages: spoken, passages },
    similarityOf: question.similarityOf ?? (() => null),
    knowsSynonyms: question.knowsSynonyms ?? false,
    asked: readAskedWords(analyzer, question.meant, {
      units,
      languages: [...new Set([...spoken, ...languages])],
      texts,
    }),
  }
  const headings = new Map(sentences.map((one) => [placeOf(one.sentence), one.features.cosine]))
  return (yield* weighSubjects(bound, read, knowledge)).map((one) => {
    const { passage, parent } = one.sentence
    return { ...one, headingCosine: headings.get(`${passage} ${parent?.place}`) ?? 0 }
  })
}

function placeOf({ passage, place }: ReadSentence): string {
  return `${passage} ${place}`
}

/** Answers with the best of the candidates, or declines. */
function judge(
  question: ReadQuestion,
  compared: readonly JudgedSentence[],
  passages: readonly Passage[],
): ExtractiveAnswer {
  const { asked, kind, units, read, minConfidence = MIN_CONFIDENCE } = question
  const candidates = compared.flatMap((one) => toCandidate(question, one, passages) ?? [])
  const features = listFeatures(candidates, { kind, units })
  const ratings = rateCandidates(features)
  const rated = candidates
    .map((one, index) => {
      const rating = ratings[index] ?? { score: 0, probability: 0 }
      const told = { text: textOf(passages, one.sentence), features: features[index] ?? {} }
      return { ...one, ...rating, told: { ...told, probability: rating.probability } satisfies RatedText }
    })
    .sort((a, b) => b.score - a.score)
  const likeliest = rated.find(({ subject }) => !subject.isOfOther)
  const best = likeliest === undefined ? undefined : (findAskedSteps(rated, likeliest) ?? likeliest)
  const texts = rated.map(({ told }) => told)
  const isUnrated = likeliest === undefined || units.length === 0
  const sure = isUnrated ? 0 : rateAnswer(readAnswerFeatures(texts, likeliest.told))
  const confidence = Math.round(sure * 1000) / 1000
  const said = { confidence, candidates: candidates.map((one, index) => describe(one, features[index] ?? {})) }
  const isCertain = confidence > 0 && confidence >= minConfidence && best?.lacksKind === false
  const isOpen = best !== undefined && leavesPriceOpen(passages, best, asked)
  if (best === undefined || !isCertain || isOpen || rated.some((one) => saysMoreOfOther(one, best)))
    return { answered: false, sentences: [], ...said }
  const alike = rated.filter(
    (one) => !one.subject.isOfOther && (isAbout(one) || !isAbout(best)) && !lacksMore(one, best, passages),
  )
  return { answered: true, sentences: chooseQuotes(alike, best, { passages, read, asked, units }), ...said }
}

function describe({ sentence }: Candidate, features: AnswerFeatures): RatedSentence {
  const { passage, start, end, parent } = sentence
  return { passage, start, end, above: parent?.text ?? '', features }
}

function toCandidate(
  { text, kind, units, words, vector, speaksOfThing, read }: ReadQuestion,
  one: JudgedSentence,
  passages: readonly Passage[],
): (Candidate & JudgedSentence) | null {
  const passage = read[one.sentence.passage]
  if (passage === undefined) return null
  const semantic = passages[one.sentence.passage]?.semantic ?? null
  // A list of what is not covered answers no question for what is covered.
  if (one.features.opposite > 0 && one.sentence.units.size === 0) return null
  const asksForKind = kind !== 'other' || (asksWhether(text) && speaksOfThing === null)
  return {
    ...one,
    passage,
    grams: gramsWithHeadings(one, words, { passages, units }),
    cosine: vector !== null || semantic !== null ? cosineWithHeading(one) : USUAL_COSINE,
    semantic: semantic ?? USUAL_COSINE,
    isBeside: asksForKind && matchesTitleOnly(one, passage, { units: units.length, kind }),
    // "How long is the fence?" has one word, which any sentence about the fence has.
    lacksKind:
      WRITTEN_KINDS.has(kind) && one.features.strong < 0 && one.subject.specific <= 1 && one.sentence.parent === null,
  }
}

/**
 * True for a sentence that lacks a word of the best one, in another passage or before it. A later
 * sentence of the passage may lack words, but on another line no name or number.
 */
function lacksMore(
  { sentence, subject }: JudgedSentence,
  { sentence: best, subject: own }: JudgedSentence,
  passages: readonly Passage[],
): boolean {
  const lacks = (words: ReadonlySet<number>) => [...words].some((word) => !own.missing.has(word))
  if (sentence.passage !== best.passage || sentence.start <= best.start) return lacks(subject.missing)
  return textOf(passages, { ...best, end: sentence.start }).includes('\n') && lacks(subject.missingNames)
}

/** True for a sentence that is not about a sibling. */
function isAbout({ subject }: JudgedSentence): boolean {
  return subject.sibling + subject.replaced + subject.displaced === 0
}

/**
 * True for a sentence about another thing with a word of the question that the best one lacks. For
 * "Does model A have a zoom?", "Model B has a zoom" outweighs "Model A has a lens".
 */
function saysMoreOfOther({ score, subject }: JudgedSentence, best: JudgedSentence): boolean {
  const isNear = subject.isOfOther && best.score - score < MAX_OTHER_GAP
  return isNear && [...best.subject.missing].some((word) => !subject.missing.has(word))
}

/** Maximum score difference, on the seen trust questions (docs/decisions/0024). */
const MAX_OTHER_GAP = 2

/** Sentences whose subject is compared with the question. */
const MAX_COMPARED_SENTENCES = 24

/** Compares the subjects of the best sentences with the question. One sentence per step. */
function* weighSubjects(
  scored: readonly ScoredSentence[],
  read: readonly ReadPassage[],
  {
    passages,
    ...knowledge
  }: Omit<Parameters<typeof createSubjectReader>[0], 'sources'> & { passages: readonly Passage[] },
): CooperativeTask<(ScoredSentence & { subject: SubjectEvidence })[]> {
  const sources = toSubjectSources(passages)
  const readSubject = createSubjectReader({ ...knowledge, sources })
  const judged: (ScoredSentence & { subject: SubjectEvidence })[] = []
  for (const one of scored.slice(0, MAX_COMPARED_SENTENCES)) {
    const { passage: source, place, parent, end } = one.sentence
    const passage = passages[source]
    if (passage === undefined) continue
    const { start } = withAntecedent(one.sentence, read[source]?.sentences[place - 1])
    const lines = parent?.text.split('\n') ?? []
    const above = [...lines, ...(sources[source]?.headings ?? [])]
    const before = readBefore(passage, one.sentence)
    const subject = readSubject({ text: passage.text.slice(start, end), before, above, lead: lines.length, source })
    judged.push({ ...one, subject })
    yield
  }
  return judged
}

/** `headingCosine` is the similarity of the heading above; 0 if there is none. */
type JudgedSentence = ScoredSentence & { subject: SubjectEvidence; headingCosine: number }

/** Mean cosine of right answers; replaces an unknown cosine. */
const USUAL_COSINE = 0.5

/** Kinds whose values look alike everywhere. */
const WRITTEN_KINDS: ReadonlySet<AnswerKind> = new Set(['measure', 'identifier', 'duration', 'number'])

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
function cosineWithHeading({ features, headingCosine }: JudgedSentence): number {
  return features.step === 0 ? features.cosine : Math.max(features.cosine, headingCosine)
}

function withHeadings(passages: readonly Passage[], sentence: ScoredSentence['sentence']): string {
  const { title, section } = passages[sentence.passage] ?? { title: null, section: null }
  const text = textOf(passages, sentence)
  return [title ?? '', section ?? '', isTableRow(text) ? (sentence.parent?.text ?? '') : '', text].join('\n')
}
