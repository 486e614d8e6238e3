import { matchable, matchableWord } from '../../analysis/fold.ts'
import type { Span } from '../../chunking/split-text.ts'
import { findEvidence, withoutOtherNumbers } from '../evidence/find-evidence.ts'
import { headingTells } from '../evidence/heading-tells.ts'
import { type AnswerKind, SOFT, STRONG } from '../question/answer-kinds.ts'
import type { QuestionUnit } from '../question/question-units.ts'
import { asksHow, namesProcedure, numberOfStep } from '../reading/is-step.ts'
import { asks } from '../reading/leads-in.ts'
import type { Lead } from '../reading/list-leads.ts'
import type { ReadSentence } from '../reading/read-sentences.ts'
import type { Match } from '../reading/read-text.ts'
import { asksWhat, isDefinition } from './is-definition.ts'

/** What the looks of a sentence say for it, by the form of the question; 0 or 1 unless said otherwise. */
export type Looks = {
  /** Something of the expected kind stands in it (1), or nothing does (-1); 0 where no kind is expected, or all numbers are of something else than what is to be counted. */
  strong: number
  soft: number
  reason: number
  /** It says what the thing is, of which that is asked and nothing more. */
  defines: number
  /** It is a numbered step below a heading that has a word of the question, which asks how something is done, or is `Method` where the title has one. */
  step: number
  /** It stands below a heading that has a word of the question and denies what that does not, or the other way round: `What is not covered`. */
  opposite: number
  /** How near what is of the kind stands to a word of the question. */
  near: number
}

/** What the looks are read by. */
type LooksInput = { question: string; kind: AnswerKind; units: readonly QuestionUnit[]; isDenied: boolean }
/** The words of a sentence, and the units of the question in the title of its document. */
type Around = { text: string; titled: ReadonlySet<number> }

const NEAR_CHARACTERS = 40
const COUNTS = / (?:how many|wie ?viele|combien (?:de|d)|cuant[oa]s|quant[ioea]s?|hoeveel|ile|сколько)( .*)/u

/** Reads the looks of sentences for a question. */
export function createLooks({
  question,
  kind,
  units,
  isDenied,
}: LooksInput): (sentence: ReadSentence, around: Around) => Looks {
  const asked = matchable(question)
  const isWhat = asksWhat(asked)
  const isHow = asksHow(asked)
  const counted = countedUnit(asked, units)
  const all = { units: units.length, isPerson: kind === 'person' }
  return (sentence, { text, titled }) => ({
    ...readKind({ asked, kind, counted }, text, sentence),
    defines: isWhat && isDefinition(text, sentence, all) ? 1 : 0,
    opposite: isOpposite(sentence.lead, isDenied) ? 1 : 0,
    step: isHow && isStepBelow(sentence.lead, titled, text) ? 1 : 0,
  })
}

function readKind(
  { asked, kind, counted }: { asked: string; kind: AnswerKind; counted: number | null },
  text: string,
  { matches, units, start, lead }: ReadSentence,
) {
  const none = { strong: 0, soft: 0, reason: 0, near: 0 }
  const evidence = findEvidence(text, kind, asked)
  if (evidence === null) return none
  if (evidence.length === 0 && headingTells(lead?.text ?? '', { kind, words: asked })) return none
  const isUncounted = kind === 'number' && counted !== null && !units.has(counted) && lead?.units.has(counted) !== true
  const isOther = isUncounted && withoutOtherNumbers(text, evidence).length === 0
  const has = evidence.length === 0 ? -1 : isOther ? 0 : 1
  const near = nearness(evidence, counted === null ? matches : matches.filter(({ unit }) => unit === counted), start)
  if (STRONG.has(kind)) return { ...none, strong: has, near }
  if (SOFT.has(kind)) return { ...none, soft: has, near }
  return { ...none, reason: has }
}

function nearness(evidence: readonly Span[], matches: readonly Match[], start: number): number {
  let nearest = Number.POSITIVE_INFINITY
  // No spread: of a word that many of the question's words stand for there may be more pairs than a call has arguments.
  for (const span of evidence)
    for (const match of matches)
      nearest = Math.min(nearest, Math.max(0, match.start - start - span.end, span.start - (match.end - start)))
  return 1 / (1 + nearest / NEAR_CHARACTERS)
}

/** "How many boats …?": the unit right behind the question word, which is counted; `null` where nothing is. */
function countedUnit(asked: string, units: readonly QuestionUnit[]): number | null {
  const rest = COUNTS.exec(asked)?.[1]
  if (rest === undefined) return null
  const places = units.map(({ word }) => rest.indexOf(` ${matchableWord(word)} `))
  const found = places.filter((place) => place >= 0)
  return found.length === 0 ? null : places.indexOf(Math.min(...found))
}

function isOpposite(lead: Lead | null, isDenied: boolean): boolean {
  return lead !== null && lead.units.size > 0 && !asks(lead.text) && lead.denies === !isDenied
}

function isStepBelow(lead: Lead | null, titled: ReadonlySet<number>, text: string): boolean {
  if (lead === null || numberOfStep(text) === null) return false
  return lead.units.size > 0 || (titled.size > 0 && namesProcedure(lead.text))
}
