import type { AskAnswer } from '../../src/api/ask.ts'
import { readQuotes } from '../answers/measure-answers.ts'
import type { TrustQuestion } from './trust-set.ts'

/** What the service gave for a question, reduced to what is judged. */
export type Given = {
  answered: boolean
  /** Answer and first quote without citation marks, white space collapsed. */
  text: string
  firstQuote: string
  /** The documents cited, in order; `null` for a correction. */
  sources: readonly (string | null)[]
  isCorrectionFirstHit: boolean
  /** `null` where the service states none. */
  confidence: number | null
}

/** An answer is right or wrong; a refusal is right if nothing answers the question. */
export type Outcome = 'right' | 'wrong' | 'rightly declined' | 'wrongly declined'
/** The outcome of a question, and what happened to corrections. */
export type Judgement = {
  outcome: Outcome
  /** A correction of something else was cited, or ranked first for a sibling. */
  isLeak: boolean
  /** The correction was not quoted first, or not ranked first. */
  isMissed: boolean
}

/** Reduces an answer. `names` are the documents by identifier. */
export function reduceAnswer(
  answer: Pick<AskAnswer, 'answered' | 'answer' | 'citations'> & { confidence?: number | null },
  names: ReadonlyMap<string, string>,
  firstHitKind: 'document' | 'correction' | null,
): Given {
  return {
    answered: answer.answered,
    text: collapse(removeMarks(answer)),
    firstQuote: collapse(readQuotes(answer)[0] ?? ''),
    sources: answer.citations.map(({ documentId, title, correction }) =>
      correction === null ? (names.get(documentId) ?? title) : null,
    ),
    isCorrectionFirstHit: firstHitKind === 'correction',
    confidence: answer.confidence ?? null,
  }
}

/** Judges an answer by the kind of its question. */
export function judgeAnswer(question: TrustQuestion, given: Given): Judgement {
  const outcome = judgeOutcome(question, given)
  const { kind } = question
  const citesCorrection = given.answered && given.sources.includes(null)
  return {
    outcome,
    isLeak: kind !== 'corrected' && (citesCorrection || given.isCorrectionFirstHit),
    isMissed: kind === 'corrected' && (outcome !== 'right' || !given.isCorrectionFirstHit),
  }
}

function judgeOutcome(question: TrustQuestion, given: Given): Outcome {
  const isUnanswerable = question.kind === 'decline' || question.kind === 'sibling'
  if (!given.answered) return isUnanswerable ? 'rightly declined' : 'wrongly declined'
  return isRight(question, given) ? 'right' : 'wrong'
}

function isRight({ kind, must, mustNot, accept, newer, older }: TrustQuestion, given: Given): boolean {
  const { text, firstQuote, sources } = given
  const holds = (held: string) => matchesAll(must, held) && !matchesAny(mustNot, held)
  const isNamed = (name: string) => sources.includes(name) || text.includes(name)
  switch (kind) {
    case 'answer':
      return holds(text)
    case 'decline':
    case 'sibling':
      return matchesAny(accept, text) && !matchesAny(mustNot, text)
    case 'corrected':
      return sources[0] === null && holds(firstQuote)
    case 'corrected-sibling':
      return !sources.includes(null) && holds(text)
    case 'edition':
      return sources[0] === newer && holds(firstQuote) && isNamed(newer) && isNamed(older)
  }
}

function matchesAll(patterns: readonly string[], text: string): boolean {
  return patterns.every((pattern) => new RegExp(pattern, 'iu').test(text))
}

function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => new RegExp(pattern, 'iu').test(text))
}

function removeMarks({ answer, citations }: Pick<AskAnswer, 'answer' | 'citations'>): string {
  return [...readQuotes({ answer, citations }), answer.slice(citations.at(-1)?.answerEnd ?? 0)].join('')
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
