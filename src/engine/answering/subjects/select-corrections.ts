import type { Analyzer } from '../../analysis/analyzer.ts'
import { normalizeForMatch } from '../../analysis/fold.ts'
import { containsTopic, namesOtherNumber } from '../../ranking/match-correction.ts'
import { readAnswerKind } from '../answer-kinds.ts'
import { isQuestion } from '../dialogue-lines.ts'
import { findEvidence } from '../evidence.ts'
import { readQuestionUnits } from '../question-units.ts'
import { splitSentences } from '../split-sentences.ts'
import { readAskedWords } from './asked-words.ts'
import { createSubjectReader, type SubjectEvidence, type SubjectSource, shareWords } from './subject-evidence.ts'

/** A correction that matches a query. `createdAt` is an ISO 8601 time. */
export type MatchedCorrection = { statement: string; topics: readonly string[]; createdAt: string; boost: number }
/** A passage of a document, with its title and headings. */
export type RetrievedPassage = { text: string; headings: readonly string[] }

/** Minimum share of equal words of two corrections of the same thing. */
const MIN_SHARED_WORDS = 0.6

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
  const asked = readAskedWords(analyzer, query, { units, languages })
  const texts = corrections.map(({ statement, topics }) => [statement, ...topics].join('\n'))
  const sources = [...texts.map((text) => toSource({ text, headings: [] })), ...passages.map(toSource)]
  const question = normalizeForMatch(query)
  const unknown = { similarityOf: () => null, knowsSynonyms: false }
  const read = createSubjectReader({ analyzer, question, asked, languages, sources, ...unknown })
  const { kind } = readAnswerKind(query)
  const subjects = texts.map((text, source) => read({ text, before: '', above: [], lead: 0, source }))
  const isAbout = (index: number) => {
    const [subject, text] = [subjects[index], texts[index]]
    if (subject === undefined || text === undefined) return false
    // The author of a correction names its topics, which therefore decide.
    if (corrections[index]?.topics.some((topic) => containsTopic(question, topic))) return true
    if (isOfSibling(subject)) return false
    const lacksAspect = isQuestion(query) && subject.nounsElsewhere > 0
    return !lacksAspect || (findEvidence(text, kind, question) ?? []).length > 0
  }
  // Different boosts rank the corrections, so that both are shown.
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

/** An amount is a value, and no name: `GBP 430`. */
function withoutCodes(text: string): string {
  return text.replace(/\p{Lu}{3}(?=\s?\p{Nd})/gu, '')
}

function isOfSibling({ sibling, between, replaced, namesElsewhere, foreignHeading }: SubjectEvidence): boolean {
  return sibling + between + replaced + namesElsewhere > 0 || foreignHeading > 0
}

function toSource({ text, headings }: RetrievedPassage): SubjectSource {
  return { text, headings, innerHeadings: [], sentences: splitSentences(text) }
}
