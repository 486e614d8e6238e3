import type { Warning } from '../../api/values.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { citeClaims, measureGrounding } from '../../engine/citing/grounding.ts'
import { resolveCitations } from '../../engine/citing/resolve-citations.ts'
import { supportCitations } from '../../engine/citing/support-citations.ts'
import { NO_ANSWER } from './answer-prompt.ts'
import type { WrittenAnswer } from './answer-writer.ts'

/** What a model wrote, and over what. */
export type ModelText = {
  text: string
  /** The texts of the sources it was given; the first is number 1. */
  sources: readonly string[]
  languages: readonly string[]
}

/** The answer that a model's text is. */
export type ReadAnswer = Pick<WrittenAnswer, 'answer' | 'answered' | 'citations' | 'grounding' | 'warnings'>

const MARK = new RegExp(`[\\s*_\`"']*\\b${NO_ANSWER}\\b[*_\`"'.:]*`, 'g')
const ONLY_MARK = new RegExp(`^[^\\p{L}\\p{N}]*${NO_ANSWER}\\b`, 'u')

/**
 * Checks what a model wrote: citations that lead to no source go, each of the others gets the part of its source that supports it, and
 * an answer that cites nothing is cited where its words stand in the sources. Where they stand in none it is withheld: what no
 * source can be opened for is no answer here.
 */
export function readModelAnswer(analyzer: Analyzer, { text, sources, languages }: ModelText): ReadAnswer {
  if (ONLY_MARK.test(text)) return notAnswered([])
  const resolved = resolveCitations(text.replaceAll(MARK, '').trim(), sources.length)
  const warnings = resolved.dropped.length === 0 ? [] : [citationRemoved(resolved.dropped)]
  const isDeclined = text.includes(NO_ANSWER) && resolved.citations.length === 0
  if (isDeclined || resolved.answer === '') return notAnswered(warnings)
  const { answer, citations } =
    resolved.citations.length > 0 ? resolved : citeClaims(analyzer, { answer: resolved.answer, sources, languages })
  if (citations.length === 0) return notAnswered([...warnings, ANSWER_WITHHELD])
  const placed = { answer, citations, sources, languages }
  return {
    answer,
    answered: true,
    citations: supportCitations(analyzer, placed),
    grounding: measureGrounding(analyzer, placed),
    warnings,
  }
}

/** An answer that says nothing. */
export function notAnswered(warnings: Warning[]): ReadAnswer {
  return { answer: '', answered: false, citations: [], grounding: null, warnings }
}

const ANSWER_WITHHELD: Warning = {
  code: 'answer_withheld',
  message: 'The model answered without a source, and its words stand in none: the answer was withheld.',
  param: null,
}

/** A list of what was cited can be as long as the answer. */
const MOST_NUMBERS = 10

function citationRemoved(numbers: readonly number[]): Warning {
  const shown = numbers.slice(0, MOST_NUMBERS).map((number) => `[${number}]`)
  const message = `The model cited what is no source, and that was removed: ${shown.join(', ')}${numbers.length > MOST_NUMBERS ? ', …' : ''}.`
  return { code: 'citation_removed', message, param: null }
}
