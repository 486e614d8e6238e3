import type { FieldOutcome } from '../extraction/judge-field.ts'
import type { Judgement } from './judge-answer.ts'
import type { TrustQuestion } from './trust-set.ts'

/** A question, what was made of its answer, and the answer's confidence. */
export type Judged = Judgement & { question: TrustQuestion; confidence: number | null }

/** A number of questions, and how many of them have the property. */
export type Part = { count: number; of: number }

/** The figures of a set of questions. */
export type Tally = {
  questions: number
  /** Right ones of the answers given. */
  precision: Part
  /** Declined ones of the questions that nothing answers. */
  refused: Part
  /** Questions answered right, of those that the documents or a correction answer. */
  covered: Part
  /** Right ones of the answers with a confidence of {@link CONFIDENT} or more. */
  confident: Part
  /** Questions about siblings of a corrected thing where a correction was cited or came first. */
  leaked: Part
  /** Other questions that no correction is about, where one was cited. */
  strayed: Part
  /** Questions about a corrected thing where the correction was not first. */
  missed: Part
}

/** An answer with this confidence should be right. */
export const CONFIDENT = 0.8
const BINS = 10

/** Counts the outcomes of questions. */
export function tallyAnswers(judged: readonly Judged[]): Tally {
  const given = judged.filter(isGiven)
  const [unanswerable, answerable] = [judged.filter(isUnanswerable), judged.filter((one) => !isUnanswerable(one))]
  return {
    questions: judged.length,
    precision: partOf(given, isRight),
    refused: partOf(unanswerable, ({ outcome }) => outcome !== 'wrong'),
    covered: partOf(answerable, isRight),
    confident: partOf(
      given.filter(({ confidence }) => (confidence ?? 0) >= CONFIDENT),
      isRight,
    ),
    leaked: partOf(judged.filter(ofKind('corrected-sibling')), ({ isLeak }) => isLeak),
    strayed: partOf(
      judged.filter(({ question: { kind } }) => kind !== 'corrected' && kind !== 'corrected-sibling'),
      ({ isLeak }) => isLeak,
    ),
    missed: partOf(judged.filter(ofKind('corrected')), ({ isMissed }) => isMissed),
  }
}

/** Answers in a tenth of the confidences, `from` excluding the next tenth. */
export type Bin = { from: number; answers: number; right: number; meanConfidence: number }

/** The answers given that state a confidence, by tenth; empty tenths are left out. */
export function calibrate(judged: readonly Judged[]): Bin[] {
  const stated = judged.filter(isGiven).filter(({ confidence }) => confidence !== null)
  return Array.from({ length: BINS }, (_, bin) => {
    const own = stated.filter(({ confidence }) => Math.min(BINS - 1, Math.floor((confidence ?? 0) * BINS)) === bin)
    const sum = own.reduce((total, { confidence }) => total + (confidence ?? 0), 0)
    const right = own.filter(isRight).length
    return { from: bin / BINS, answers: own.length, right, meanConfidence: sum / own.length }
  }).filter(({ answers }) => answers > 0)
}

/** Fields by outcome. */
export function tallyFields(outcomes: readonly FieldOutcome[]): Record<FieldOutcome, Part> {
  const part = (wanted: FieldOutcome) => partOf(outcomes, (outcome) => outcome === wanted)
  return { right: part('right'), wrong: part('wrong'), 'not found': part('not found') }
}

/** The share of a part, 0 to 1; `null` of nothing. */
export function shareOf({ count, of }: Part): number | null {
  return of === 0 ? null : count / of
}

/** A part as a percentage with its counts; a dash of nothing. */
export function showPart(part: Part): string {
  const share = shareOf(part)
  return share === null ? '–' : `${(100 * share).toFixed(1)} % (${part.count}/${part.of})`
}

function partOf<Item>(items: readonly Item[], has: (item: Item) => boolean): Part {
  return { count: items.filter(has).length, of: items.length }
}

function isGiven({ outcome }: Judged): boolean {
  return outcome === 'right' || outcome === 'wrong'
}

function isRight({ outcome }: Judged): boolean {
  return outcome === 'right'
}

function isUnanswerable({ question: { kind } }: Judged): boolean {
  return kind === 'decline' || kind === 'sibling'
}

function ofKind(kind: TrustQuestion['kind']): (judged: Judged) => boolean {
  return ({ question }) => question.kind === kind
}
