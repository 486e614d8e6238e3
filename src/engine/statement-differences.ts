import { normalizeForMatch, normalizeWordForMatch } from './analysis/fold.ts'
import { WRITTEN_NUMBER } from './analysis/plain-number.ts'
import { readAnswerKind, SOFT_KINDS, STRONG_KINDS } from './answering/answer-kinds.ts'
import { findEvidence } from './answering/evidence.ts'
import { hasNegation } from './answering/negation.ts'
import type { Span } from './chunking/split-text.ts'
import type { AnswerKind } from './languages/language.ts'

/** A word, a number, or a character of a script without spaces. */
type StatementWord = {
  text: string
  /** In the form of `normalizeForMatch`. */
  key: string
  /** True for a number, date, price or duration. */
  isValue: boolean
  isDate: boolean
  /** True for a value of the kind that the question asks for. */
  isAsked: boolean
}

/** A run of words in which two statements differ; one side may be empty. */
type Difference = { mine: readonly StatementWord[]; theirs: readonly StatementWord[] }

/** Two aligned statements. */
type Comparison = {
  /** Share of equal words of the longer statement, without dates, 0 to 1. */
  share: number
  /** Number of equal words that are no values. */
  equalWords: number
  differences: readonly Difference[]
}

const UNSPACED = String.raw`(?=[\p{L}\p{N}])[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]`
const WORD = new RegExp(String.raw`${WRITTEN_NUMBER}|${UNSPACED}\p{M}*|(?:(?!${UNSPACED})[\p{L}\p{M}\p{N}])+`, 'gu')
const UNSPACED_WORD = new RegExp(`^${UNSPACED}`, 'u')
const DIGIT = /\p{N}/u
const CAPITAL = /^\p{Lu}/u
/** Maximum number of words; the comparison is quadratic. */
const MAX_WORDS = 150
/** Share of equal words: usually, in two editions of one work, and if other words differ, too. */
const MIN_SHARE = { usual: 0.55, sameWork: 0.3, reworded: 0.6 } as const
/** Number of words in which two editions differ; twice as many characters. */
const MAX_WORDS_OF = { differences: 4, rewording: 3 } as const
/** Shorter words are function words. */
const MIN_WORD_LETTERS = 3
/** Number of first letters that the forms of a word have in common. */
const STEM_LETTERS = 4

/** Kinds of values of any statement. */
const VALUE_KINDS: readonly AnswerKind[] = ['number', 'money', 'percentage', 'measure', 'duration', 'date', 'hour']

/** The question, and true for documents that are editions of one work by their titles. */
type Context = { question: string; isSameWork: boolean }

/**
 * True for two editions of a statement: alike sentences with another value of the kind asked for,
 * or with the opposite. Sentences with different names, such as Hull and Leeds, are about siblings.
 */
export function areEditions(one: string, other: string, { question, isSameWork }: Context): boolean {
  const { kind } = readAnswerKind(question)
  const [mine, theirs] = [readWords(one, kind), readWords(other, kind)]
  if (Math.max(mine.length, theirs.length) > MAX_WORDS) return false
  const comparison = compareWords(mine, theirs)
  if (!isAlike(comparison, isSameWork)) return false
  const { differences, share } = comparison
  if (differences.some((run) => isNamedIn(question, run)) || haveOtherNames(differences, kind)) return false
  const values = differences.filter(isOfValues)
  const reworded = differences.filter((run) => isReplaced(run) && !isOfValues(run))
  const isName = SOFT_KINDS.has(kind) && reworded.every(areNames)
  const mayReword = isSameWork && (isName || share >= MIN_SHARE.reworded) && reworded.every(isShort)
  const isOpposite = hasNegation(one, null) !== hasNegation(other, null)
  if (reworded.length > 1 || (reworded.length === 1 && !mayReword && !isOpposite)) return false
  if (values.length > 0) return !reworded.some(isUnspaced) && !isElsewhere(values, mine, theirs)
  return isOpposite || (!STRONG_KINDS.has(kind) && reworded.length === 1)
}

/** Number of words that two statements have in common; cheap. */
export function countCommonWords(one: string, other: string): number {
  const words = new Set(listKeys(one))
  return new Set(listKeys(other).filter((key) => words.has(key))).size
}

/** Words of a text; single characters in scripts without spaces. */
export function listKeys(text: string): string[] {
  return [...text.matchAll(WORD)].map(([word]) => normalizeWordForMatch(word))
}

function readWords(text: string, kind: AnswerKind): StatementWord[] {
  const spansOf = (kinds: readonly AnswerKind[]) => kinds.flatMap((one) => findEvidence(text, one, '') ?? [])
  const [values, dates] = [spansOf(VALUE_KINDS), spansOf(['date'])]
  const asked = STRONG_KINDS.has(kind) ? spansOf([kind]) : []
  return [...text.matchAll(WORD)].map(({ 0: word, index: start }, place) => {
    const isIn = (span: Span) => span.start <= start && start < span.end
    return {
      text: place === 0 ? word.toLowerCase() : word,
      key: normalizeWordForMatch(word),
      isValue: DIGIT.test(word) || values.some(isIn),
      isDate: dates.some(isIn),
      isAsked: asked.some(isIn),
    }
  })
}

/** Aligns two statements by their longest common row of words. */
function compareWords(one: readonly StatementWord[], other: readonly StatementWord[]): Comparison {
  const common = alignWords(one, other)
  const places = [...common, { at: one.length, place: other.length }]
  const differences = places.flatMap(({ at, place }, index): Difference[] => {
    const last = common[index - 1] ?? { at: -1, place: -1 }
    const run = { mine: one.slice(last.at + 1, at), theirs: other.slice(last.place + 1, place) }
    return run.mine.length + run.theirs.length === 0 ? [] : [run]
  })
  return {
    share: common.filter(({ at }) => one[at]?.isDate === false).length / Math.max(1, lengthOf(one), lengthOf(other)),
    equalWords: common.filter(({ at }) => one[at]?.isValue === false).length,
    differences,
  }
}

/** "From March 2026 refunds …" is a statement about refunds. */
function lengthOf(words: readonly StatementWord[]): number {
  return words.filter(({ isDate }) => !isDate).length
}

function alignWords(one: readonly StatementWord[], other: readonly StatementWord[]): { at: number; place: number }[] {
  const width = other.length + 1
  const lengths = new Uint16Array((one.length + 1) * width)
  const lengthAt = (at: number, place: number) => lengths[at * width + place] ?? 0
  for (let at = one.length - 1; at >= 0; at--) {
    for (let place = other.length - 1; place >= 0; place--) {
      const isEqual = one[at]?.key === other[place]?.key
      const without = Math.max(lengthAt(at + 1, place), lengthAt(at, place + 1))
      lengths[at * width + place] = isEqual ? lengthAt(at + 1, place + 1) + 1 : without
    }
  }
  const common: { at: number; place: number }[] = []
  for (let [at, place] = [0, 0]; at < one.length && place < other.length; ) {
    if (one[at]?.key === other[place]?.key) common.push({ at: at++, place: place++ })
    else if (lengthAt(at + 1, place) >= lengthAt(at, place + 1)) at++
    else place++
  }
  return common
}

function isAlike({ share, equalWords, differences }: Comparison, isSameWork: boolean): boolean {
  const least = Math.min(
    sizeOf(differences.flatMap(({ mine }) => mine)),
    sizeOf(differences.flatMap(({ theirs }) => theirs)),
  )
  const isShared = share >= (isSameWork ? MIN_SHARE.sameWork : MIN_SHARE.usual) && equalWords >= (isSameWork ? 1 : 2)
  return isShared && differences.length > 0 && least <= MAX_WORDS_OF.differences
}

/** Number of words; a character of a script without spaces is half a word. */
function sizeOf(words: readonly StatementWord[]): number {
  return words.reduce((sum, { text }) => sum + (UNSPACED_WORD.test(text) ? 0.5 : 1), 0)
}

function isReplaced({ mine, theirs }: Difference): boolean {
  return mine.length > 0 && theirs.length > 0
}

function isOfValues({ mine, theirs }: Difference): boolean {
  return [...mine, ...theirs].some(({ isValue }) => isValue)
}

/** Nothing shows a name in a script without capitals. */
function isUnspaced({ mine, theirs }: Difference): boolean {
  return [...mine, ...theirs].some(({ text }) => UNSPACED_WORD.test(text))
}

function isShort({ mine, theirs }: Difference): boolean {
  return Math.min(sizeOf(mine), sizeOf(theirs)) <= MAX_WORDS_OF.rewording
}

/** True if the question has a word of a difference, in any form: it is about one of the two. */
function isNamedIn(question: string, { mine, theirs }: Difference): boolean {
  const words = normalizeForMatch(question).trim().split(' ')
  return [mine, theirs].some((side) => {
    if (UNSPACED_WORD.test(side[0]?.text ?? ''))
      return side.length > 1 && question.includes(side.map(({ text }) => text).join(''))
    const telling = side.filter(({ key, isValue }) => isValue || key.length >= MIN_WORD_LETTERS)
    return telling.some(({ key, isValue }) => words.some((word) => word === key || (!isValue && areForms(word, key))))
  })
}

function areForms(one: string, other: string): boolean {
  return one.length >= STEM_LETTERS && one.slice(0, STEM_LETTERS) === other.slice(0, STEM_LETTERS)
}

function isNameWord({ text, isValue }: StatementWord): boolean {
  return CAPITAL.test(text) && !isValue
}

function areNames({ mine, theirs }: Difference): boolean {
  return mine.some(isNameWord) && theirs.some(isNameWord)
}

/** True if both statements have a name that the other lacks, unless the question asks for it. */
function haveOtherNames(differences: readonly Difference[], kind: AnswerKind): boolean {
  const [mine, theirs] = [differences.flatMap((run) => run.mine), differences.flatMap((run) => run.theirs)]
  const ownOf = (words: readonly StatementWord[], others: readonly StatementWord[]) =>
    words.filter((word) => isNameWord(word) && !others.some(({ key }) => areForms(word.key, key)))
  if (ownOf(mine, theirs).length === 0 || ownOf(theirs, mine).length === 0) return false
  const named = differences.filter((run) => run.mine.some(isNameWord) || run.theirs.some(isNameWord))
  const isAnswer = SOFT_KINDS.has(kind) && named.length === 1 && named.every(areNames)
  return !isAnswer || differences.some((run) => isReplaced(run) && isOfValues(run))
}

/**
 * True if the values that differ are not those asked for. Another number beside them is that of a
 * sibling: zone 1 and zone 2.
 */
function isElsewhere(
  values: readonly Difference[],
  one: readonly StatementWord[],
  other: readonly StatementWord[],
): boolean {
  const isAsked = (word: StatementWord) => word.isAsked
  if (!one.some(isAsked) || !other.some(isAsked)) return false
  const hasAnswer = ({ mine, theirs }: Difference) => [...mine, ...theirs].some(isAsked)
  const isDate = ({ mine, theirs }: Difference) => [...mine, ...theirs].every((word) => word.isDate)
  const areValues = ({ mine, theirs }: Difference) => [mine, theirs].every((side) => side.some((word) => word.isValue))
  return !values.some(hasAnswer) || values.some((run) => areValues(run) && !hasAnswer(run) && !isDate(run))
}
