import { runSync } from '../../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import { normalizeForMatch } from '../../analysis/fold.ts'
import { HANGUL, UNSPACED } from '../../analysis/unspaced-terms.ts'
import type { Span } from '../../chunking/split-text.ts'
import { findCodeOfPassage } from '../../markup.ts'
import { containsTopic, namesOtherNumber } from '../../ranking/match-correction.ts'
import { readAnswerKind } from '../answer-kinds.ts'
import { isQuestion } from '../dialogue-lines.ts'
import { findEvidence } from '../evidence.ts'
import { introducesList } from '../parent-lines.ts'
import { type Passage, sentenceAt } from '../passage.ts'
import type { QuestionUnit } from '../question-units.ts'
import { readQuestionUnits } from '../question-units.ts'
import { readSentences } from '../read-sentences.ts'
import { splitSentences } from '../split-sentences.ts'
import { readAskedWords } from './asked-words.ts'
import {
  createSubjectReader,
  MIN_SHARED_WORDS,
  type SubjectEvidence,
  type SubjectSource,
  shareWords,
} from './subject-evidence.ts'

/**
 * A correction with words of a query. `createdAt` is an ISO 8601 time. `isLikely` is false for one
 * that may only replace the statement that matches.
 */
export type MatchedCorrection = {
  statement: string
  topics: readonly string[]
  createdAt: string
  boost: number
  /** Cosine with the query; 0 if unknown. */
  cosine: number
  isLikely: boolean
}
/**
 * A passage of a document, with its title and headings, and the cosines of its sentences; empty if
 * there are none.
 */
export type RetrievedPassage = {
  text: string
  title: string
  section: string
  sentences: readonly Span[]
  cosines: readonly number[]
}

/**
 * Returns the indices of the corrections that are about the thing asked for, in order. Drops a
 * correction of a sibling (`Hull` for "Leeds"), of another aspect, and one that a newer correction
 * of the same thing supersedes.
 */
export function selectCorrections(
  { analyzer, query, languages }: { analyzer: Analyzer; query: string; languages: readonly string[] },
  corrections: readonly MatchedCorrection[],
  passages: readonly RetrievedPassage[],
): number[] {
  const units = readQuestionUnits(analyzer, query, languages)
  const texts = corrections.map(({ statement, topics }) => [statement, ...topics].join('\n'))
  const all = [...texts, ...passages.map(({ text }) => text)]
  const asked = readAskedWords(analyzer, query, { units, languages, texts: all })
  const sources = [
    ...texts.map((text) => ({ text, headings: [], innerHeadings: [], sentences: splitSentences(text) })),
    ...passages.map(toSource),
  ]
  const question = normalizeForMatch(query)
  const { kind } = readAnswerKind(query)
  const hasKind = (text: string) => (findEvidence(text, kind, question) ?? []).length > 0
  const standings = compareStatements(
    { analyzer, units, languages, hasKind },
    texts.map((text, index) => ({ text, cosine: corrections[index]?.cosine ?? 0 })),
    passages.map(toPassage),
  )
  const unknown = { similarityOf: () => null, knowsSynonyms: false }
  const read = createSubjectReader({ analyzer, question, asked, languages, sources, ...unknown })
  const subjects = texts.map((text, source) => read({ text, before: '', above: [], lead: 0, source }))
  const isAbout = (index: number) => {
    const [subject, text, standing] = [subjects[index], texts[index], standings[index]]
    if (subject === undefined || text === undefined || standing === undefined) return false
    // The author of a correction names its topics, which therefore decide.
    if (corrections[index]?.topics.some((topic) => containsTopic(question, topic))) return true
    const isLikely = corrections[index]?.isLikely === true
    const lacksAspect = isQuestion(query) && subject.nounsElsewhere > 0
    return isAboutThing({ query, subject, standing, isLikely }) ?? (!lacksAspect || hasKind(text))
  }
  // Different boosts rank the corrections, and both are shown.
  const isNewer = (one: number, other: number) =>
    corrections[one]?.boost === corrections[other]?.boost &&
    (corrections[one]?.createdAt ?? '') > (corrections[other]?.createdAt ?? '')
  const about = texts.map((_, index) => index).filter(isAbout)
  return about.filter(
    (index) =>
      !about.some(
        (other) =>
          isNewer(other, index) &&
          !namesOtherNumber(withoutCodes(texts[index] ?? ''), withoutCodes(texts[other] ?? '')) &&
          shareWords({ analyzer, languages }, texts[index] ?? '', texts[other] ?? '') >= MIN_SHARED_WORDS,
      ),
  )
}

/**
 * Minimum shares of the question's words in a correction that is surely about it, and in one that
 * may only replace the statement that matches. In scripts without spaces and in Korean the words
 * are pairs of characters, of which a question has many more.
 */
const MIN_SHARES = { words: { sure: 0.5, possible: 0.33 }, pairs: { sure: 0.3, possible: 0.1 } }

type Judged = { query: string; subject: SubjectEvidence; standing: Standing; isLikely: boolean }

/** True if a correction is about the question, false if not; `null` if its aspect decides. */
function isAboutThing({ query, subject, standing, isLikely }: Judged): boolean | null {
  const { isBest, isBeaten, isTied, isAmbiguous, share, unknown } = standing
  if (isBeaten || subject.sibling + subject.namesElsewhere > 0) return false
  const isInPairs = UNSPACED.test(query) || HANGUL.test(query)
  const { sure, possible } = isInPairs ? MIN_SHARES.pairs : MIN_SHARES.words
  const isPossible = isBest && share >= possible && (isInPairs || subject.loose === 0)
  if (!isLikely && !isPossible) return false
  if (isBest && share >= sure) return subject.namesNowhere === 0
  if (isOfSibling(subject)) return false
  // "the glass", where the memory says the same of the paper and of the plastic.
  const isUnknown = (isAmbiguous && unknown > 0) || (isTied && subject.nounsNowhere + subject.namesNowhere > 0)
  return isUnknown ? false : isBest || null
}

/** An amount is a value, and no name: `GBP 430`. */
function withoutCodes(text: string): string {
  return text.replace(/\p{Lu}{3}(?=\s?\p{Nd})/gu, '')
}

function isOfSibling({ sibling, between, replaced, namesElsewhere, foreignHeading }: SubjectEvidence): boolean {
  return sibling + between + replaced + namesElsewhere > 0 || foreignHeading > 0
}

function toSource({ text, title, section, sentences }: RetrievedPassage): SubjectSource {
  const headings = [title, ...section.split(' > ')].filter((heading) => heading !== '')
  return { text, headings, innerHeadings: [], sentences }
}

function toPassage({ text, title, section, sentences, cosines }: RetrievedPassage): ComparedPassage {
  const unknown = { startOffset: 0, language: null, score: 0, vectors: null, semantic: null }
  const headings = { title: title || null, section: section || null }
  return { kind: 'document', text, ...headings, sentences, code: findCodeOfPassage(text), cosines, ...unknown }
}

/** How a correction compares with the statements of documents, by the words of the question. */
type Standing = {
  /** Another statement says more of what the question asks for. */
  isBeaten: boolean
  /** It replaces a statement of a document, and no other statement is as near to the question. */
  isBest: boolean
  /** It may replace statements about several things. */
  isAmbiguous: boolean
  /** A statement about another thing has the same words. */
  isTied: boolean
  /** Share of the question's words in the correction, by weight, 0 to 1. */
  share: number
  /** Share of the question's words without a statement. */
  unknown: number
}

type Knowledge = {
  analyzer: Analyzer
  units: readonly QuestionUnit[]
  languages: readonly string[]
  /** True for a text with an answer of the expected kind. */
  hasKind: (text: string) => boolean
}
type Units = ReadonlySet<number>
/**
 * A statement with its question units, in the text and with its headings. `cosine` is that of the
 * question; 0 if unknown.
 */
type Statement = { text: string; own: Units; all: Units; cosine: number; hasKind: boolean; exact: number }
/** A passage with the cosines of its sentences and the question; 0 if unknown. */
type ComparedPassage = Passage & { cosines: readonly number[] }

/** Shares of the weight of the question's words, tuned on corrections in nine languages. */
const MIN_DIFFERENCE = 0.1
const MIN_OWN_SHARE = 0.3
/** A statement with more words may lack a few pairs of characters. */
const MAX_LOST_OF_EXTRA = 0.25
/** Differences of cosines. */
const MUCH_NEARER = 0.15
const NEARER = 0.03

/**
 * Compares corrections with the statements of passages. A correction and the statement that it
 * replaces differ in the value only. It is about the question if no other statement has more of the
 * question's words, with its headings.
 */
function compareStatements(
  knowledge: Knowledge,
  texts: readonly Pick<Statement, 'text' | 'cosine'>[],
  passages: readonly ComparedPassage[],
): Standing[] {
  const statements = listStatements(knowledge, passages)
  const corrections = texts.map(({ text, cosine }) => {
    const own = findUnits(knowledge, text)
    return { text, own, all: own, cosine, ...readForm(knowledge, text) }
  })
  const weights = weighUnits(knowledge.units.length, [...statements, ...corrections])
  return corrections.map((one) => toStanding(one, findOriginals(knowledge, weights, { one, statements }), weights))
}

type Compared = {
  originals: readonly Statement[]
  others: readonly (Statement & { isAlike: boolean })[]
  /** The originals are about the same thing. */
  isOne: boolean
}

/** Finds the statements replaced by a correction: with the same words, and other values. */
function findOriginals(
  knowledge: Knowledge,
  { shareWithout }: Weights,
  { one, statements }: { one: Statement; statements: readonly Statement[] },
): Compared {
  const isEqual = ({ own, hasKind }: Statement) =>
    hasKind === one.hasKind && Math.max(shareWithout(own, one.own), shareWithout(one.own, own)) < MIN_DIFFERENCE
  const equal = one.own.size === 0 ? [] : statements.filter(isEqual)
  const alike = equal.filter(({ text }) => shareWords(knowledge, one.text, text) >= MIN_SHARED_WORDS)
  // "Boys" and "girls" may have one stem.
  const exact = alike.filter((other) => other.exact === one.exact)
  const begun = equal.filter(({ text }) => firstWord(knowledge, text) === firstWord(knowledge, one.text))
  const found = exact.length > 0 ? exact : alike.length > 0 ? alike : begun.length === 1 ? begun : []
  const [first] = found
  return {
    originals: found,
    others: statements
      .filter((other) => !found.includes(other))
      .map((other) => ({ ...other, isAlike: alike.includes(other) })),
    isOne: found.every(({ text }) => withoutNumbers(text) === withoutNumbers(first?.text ?? '')),
  }
}

function toStanding(
  one: Statement,
  { originals, others, isOne }: Compared,
  { weigh, total, shareWithout }: Weights,
): Standing {
  const share = weigh(one.own) / total.all
  if (one.own.size === 0)
    return { isBeaten: false, isBest: false, isAmbiguous: false, isTied: false, share: 0, unknown: 1 }
  const isReplacing = originals.length > 0
  const all = new Set([...one.own, ...originals.flatMap((original) => [...original.all])])
  const cosine = Math.max(one.cosine, ...originals.map((original) => original.cosine))
  const scoreOf = (units: Units, near: number) => weigh(units) / total.known + near
  const compared = others.map((other) => {
    const units = isReplacing ? other.all : other.own
    return {
      ...other,
      units,
      extra: shareWithout(units, all),
      lost: shareWithout(all, units),
      nearer: other.cosine - cosine,
    }
  })
  const isMore = ({ extra, lost, nearer, hasKind, exact, isAlike }: (typeof compared)[number]) => {
    const isOfKind = hasKind && !one.hasKind
    if (extra >= MIN_DIFFERENCE && lost <= extra * MAX_LOST_OF_EXTRA) return nearer > -MUCH_NEARER || isOfKind
    return lost < MIN_DIFFERENCE && (nearer > MUCH_NEARER || isOfKind || (isAlike && exact > one.exact))
  }
  return {
    share,
    unknown: 1 - total.known / total.all,
    isBeaten: compared.some(isMore),
    isBest:
      isReplacing &&
      isOne &&
      weigh(one.own) >= MIN_OWN_SHARE * total.known &&
      compared.every((other) => scoreOf(other.units, other.cosine) + NEARER < scoreOf(all, cosine)),
    isAmbiguous: !isOne,
    isTied: compared.some(
      ({ extra, lost, nearer, hasKind }) =>
        Math.max(extra, lost) < MIN_DIFFERENCE && nearer > -NEARER && hasKind === one.hasKind,
    ),
  }
}

type Weights = {
  weigh: (units: Iterable<number>) => number
  /** Weight of all units, and of those that a statement has. */
  total: { all: number; known: number }
  /** Weight of the units of one that the other lacks, as a share of those known. */
  shareWithout: (one: Units, other: Units) => number
}

/** Weighs units by the number of statements. */
function weighUnits(count: number, statements: readonly Pick<Statement, 'all'>[]): Weights {
  const counts = Array.from({ length: count }, () => 0)
  for (const { all } of statements) for (const unit of all) counts[unit] = (counts[unit] ?? 0) + 1
  const weigh = (units: Iterable<number>) =>
    [...units].reduce((sum, unit) => sum + Math.log(1 + statements.length / (counts[unit] || UNKNOWN_COUNT)), 0)
  const known = Math.max(Number.EPSILON, weigh([...counts.keys()].filter((unit) => counts[unit] !== 0)))
  const all = Math.max(Number.EPSILON, weigh(counts.keys()))
  const shareWithout = (one: Units, other: Units) => weigh([...one].filter((unit) => !other.has(unit))) / known
  return { weigh, total: { all, known }, shareWithout }
}

/** A word that no statement has weighs as much as one that a single statement has. */
const UNKNOWN_COUNT = 1

function withoutNumbers(text: string): string {
  return normalizeForMatch(text).replace(/\p{Nd}+/gu, '')
}

function firstWord({ analyzer, languages }: Knowledge, text: string): string | undefined {
  return analyzer.words(text, languages).find(({ isFunction }) => !isFunction)?.terms[0]
}

/** Whether a text has an answer of the kind, and how many words of the question as they are. */
function readForm({ units, hasKind }: Knowledge, text: string): Pick<Statement, 'hasKind' | 'exact'> {
  const plain = normalizeForMatch(text)
  const exact = units.filter(({ word }) => plain.includes(normalizeForMatch(word))).length
  return { hasKind: hasKind(text), exact }
}

function findUnits({ analyzer, units, languages }: Knowledge, text: string): Units {
  const found = new Set(
    analyzer
      .findTerms(
        text,
        units.flatMap(({ terms }) => terms),
        languages,
      )
      .map(({ term }) => term),
  )
  return new Set(units.flatMap(({ terms }, index) => (terms.some((term) => found.has(term)) ? [index] : [])))
}

/** A correction is read without the sentence before. */
const NO_SITUATION = { situation: new Set<number>(), kind: 'other', words: '', language: '' } as const

/** Statements of passages: sentences without headings and questions. */
function listStatements(knowledge: Knowledge, passages: readonly ComparedPassage[]): Statement[] {
  const { analyzer, units, languages } = knowledge
  const read = runSync(readSentences(analyzer, { units, ...NO_SITUATION, languages, periods: [] }, passages))
  return passages.flatMap((passage, index) =>
    (read[index]?.sentences ?? [])
      .filter(({ place }) => !introducesList(passage, place))
      .map(({ units: own, parent, place }) => {
        const above = [...(parent?.units ?? []), ...(read[index]?.context ?? [])]
        const [text, cosine] = [sentenceAt(passage, place), passage.cosines[place] ?? 0]
        return { text, own, all: new Set([...own, ...above]), cosine, ...readForm(knowledge, text) }
      }),
  )
}
