import type { Warning } from '../../api/values.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { citeClaims, measureGrounding } from '../../engine/citing/grounding.ts'
import { resolveCitations } from '../../engine/citing/resolve-citations.ts'
import { supportCitations } from '../../engine/citing/support-citations.ts'
import { NO_ANSWER } from './answer-prompt.ts'
import type { WrittenAnswer } from './answer-writer.ts'

/** Tells an answer while it is written. */
type CitationStream = {
  /** What of the text so far can be told, beyond what was told before; often nothing. */
  push(text: string): string
  /** What of the whole answer was not told yet; nothing where it is another than was told. */
  end(answer: string): string
  /** All that was told. */
  read(): string
}

/** A mark is judged by up to so many characters behind it. */
const LOOK_AHEAD_CHARACTERS = 8
/** No run of marks that is held back is longer. */
const LONGEST_RUN = 400
/** What may go with the mark behind it, and what may become {@link NO_ANSWER}. */
const OPEN_END = /[\s(（]{0,20}(?:\b[A-Z_]{1,9})?$/u
const LONGEST_OPEN_END = 32
const LEADING_SIGNS = /^[^\p{L}\p{N}]+/u

/**
 * Holds back what may still go: marks until it is known that they lead to one of so many sources, and everything while it may turn
 * out that the model declines. So no token shows a citation that the answer will not have.
 */
export function createCitationStream(sources: number): CitationStream {
  let told = ''
  const tell = (answer: string): string => {
    if (!answer.startsWith(told)) return ''
    const news = answer.slice(told.length)
    told = answer
    return news
  }
  return {
    push(text) {
      const beginning = text.replace(LEADING_SIGNS, '')
      if (NO_ANSWER.startsWith(beginning.slice(0, NO_ANSWER.length)) || text.includes(NO_ANSWER)) return ''
      const end = findSureEnd(text)
      const open = OPEN_END.exec(text.slice(Math.max(0, end - LONGEST_OPEN_END), end))?.[0] ?? ''
      return tell(resolveCitations(text.slice(0, end - open.length).trimStart(), sources).answer)
    },
    end: tell,
    read: () => told,
  }
}

function findSureEnd(text: string): number {
  const start = Math.max(0, text.length - LONGEST_RUN)
  const tail = text.slice(start)
  let end = tail.length
  // A run of marks is one thing: what follows the last decides on the white space before the first.
  while (end > 0) {
    const open = tail.lastIndexOf('[', end - 1)
    const close = tail.lastIndexOf(']', end - 1)
    if (open < 0 || (close > open && end - close > LOOK_AHEAD_CHARACTERS)) break
    end = open
  }
  return start + end
}

/** What a model wrote, and over what. */
type ModelText = {
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
