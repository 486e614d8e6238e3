import type { Warning } from '../../api/values.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { citeClaims } from '../../engine/citing/grounding.ts'
import { judgeSupport, type Verdict } from '../../engine/citing/judge-support.ts'
import { findOpenCode } from '../../engine/citing/parse-citations.ts'
import { createQuotedTest, type PlacedCitation, resolveCitations } from '../../engine/citing/resolve-citations.ts'
import { supportCitations } from '../../engine/citing/support-citations.ts'
import type { DetectLanguage } from '../ingest/indexing/language-detector.ts'
import type { GeneratedAnswer } from './answer-generator.ts'
import { NO_ANSWER } from './answer-prompt.ts'

/** Buffers a streamed answer until its citations are resolved. */
type CitationStreamBuffer = {
  /** Returns the newly releasable part of `text`, the answer so far; often empty. */
  push(text: string): string
  /** Returns the rest of the final answer; empty if it differs from the released text. */
  end(answer: string): string
  /** Released text with its citations. */
  read(): { answer: string; citations: readonly PlacedCitation[] }
}

/** Characters after a mark needed to resolve it. */
const LOOK_AHEAD_CHARACTERS = 12
/** Maximum length of a run of marks held back. */
const MAX_RUN_CHARACTERS = 400
/** Whitespace that belongs to the next mark, and a possible beginning of {@link NO_ANSWER}. */
const OPEN_END = /[\s(（]{0,20}(?:\b[A-Z_]{1,9})?$/u
const MAX_OPEN_END_CHARACTERS = 32
const LEADING_SIGNS = /^[^\p{L}\p{N}]+/u

/**
 * Holds back marks until they refer to one of the sources, and all text while the model may still
 * decline. So no token shows a citation that the final answer lacks.
 */
export function createCitationStreamBuffer(sources: readonly string[]): CitationStreamBuffer {
  const isQuoted = createQuotedTest(sources)
  let told = ''
  let citations: readonly PlacedCitation[] = []
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
      const end = findReleasableEnd(text)
      const open = OPEN_END.exec(text.slice(Math.max(0, end - MAX_OPEN_END_CHARACTERS), end))?.[0] ?? ''
      const resolved = resolveCitations(text.slice(0, end - open.length).trimStart(), sources.length, isQuoted)
      if (resolved.answer.startsWith(told)) citations = resolved.citations
      return tell(resolved.answer)
    },
    end: tell,
    read: () => ({ answer: told, citations }),
  }
}

/** Possible starts of marks, and their ends. A parenthesis may begin `(source 1)`. */
const OPENING = /[[［【〔]|[(（](?=\s?\p{L}{0,20}[.:：]? ?(?:$|[#№\p{Nd}]))/gu
const CLOSING = /[\]］】〕)）]/gu

function findReleasableEnd(text: string): number {
  const start = Math.max(0, text.length - MAX_RUN_CHARACTERS)
  const whole = text.slice(start)
  const tail = whole.slice(0, findOpenCode(whole) ?? whole.length)
  const opened = [...tail.matchAll(OPENING)].map(({ index }) => index)
  const closed = [...tail.matchAll(CLOSING)].map(({ index }) => index)
  let end = tail.length
  // A run of marks is resolved as a unit: the text after the last mark decides on the space before
  // the first.
  while (end > 0) {
    const open = opened.findLast((index) => index < end) ?? -1
    const close = closed.findLast((index) => index < end) ?? -1
    if (open < 0 || (close > open && end - close > LOOK_AHEAD_CHARACTERS)) break
    end = open
  }
  return start + end
}

/** Output of a model, with its sources. */
type ModelOutput = {
  question: string
  text: string
  /** Texts of the sources, from number 1. */
  sources: readonly string[]
  /** The sources with their titles and headings, as in the prompt. */
  contexts: readonly string[]
  languages: readonly string[]
}

/** Answer parsed from a model's output. */
export type ParsedAnswer = Pick<
  GeneratedAnswer,
  'answer' | 'answered' | 'draft' | 'citations' | 'grounding' | 'warnings'
>

type ParserDeps = { analyzer: Analyzer; detectLanguage: DetectLanguage }

const NO_ANSWER_MARK = new RegExp(`[\\s*_\`"']*\\b${NO_ANSWER}\\b[*_\`"'.:]*`, 'g')
const DECLINED = new RegExp(`^[^\\p{L}\\p{N}]*${NO_ANSWER}\\b`, 'u')

/**
 * Checks a model's output. Removes citations without a source, and narrows the others to the
 * supporting part of their source. An answer without citations is cited by matching its claims with
 * the sources. If no claim matches, or if the cited passages do not support the answer, it is only
 * a draft (see {@link judgeSupport}).
 */
export async function parseModelAnswer(parts: ParserDeps, output: ModelOutput): Promise<ParsedAnswer> {
  const { text, sources, languages } = output
  if (DECLINED.test(text)) return emptyAnswer([])
  const written = text.replaceAll(NO_ANSWER_MARK, '').trim()
  const resolved = resolveCitations(written, sources.length, createQuotedTest(sources))
  const warnings = resolved.dropped.length === 0 ? [] : [citationRemoved(resolved.dropped)]
  const isDeclined = text.includes(NO_ANSWER) && resolved.citations.length === 0
  if (isDeclined || resolved.answer === '') return emptyAnswer(warnings)
  const { answer, citations } =
    resolved.citations.length > 0
      ? resolved
      : citeClaims(parts.analyzer, { answer: resolved.answer, sources, languages })
  if (citations.length === 0) return { ...emptyAnswer([...warnings, ANSWER_WITHHELD]), draft: answer }
  const isTranslated = await isInOtherLanguage(parts, { answer, citations }, output)
  const judged = { ...output, sources: output.contexts, answer, citations, isTranslated }
  const verdict = judgeSupport(parts.analyzer, judged)
  return {
    ...(verdict.isSupported ? { answer, answered: true } : { answer: '', answered: false, draft: answer }),
    citations: supportCitations(parts.analyzer, { answer, citations, sources, languages }),
    grounding: verdict.grounding,
    warnings: verdict.isSupported ? warnings : [...warnings, unsupportedAnswer(verdict)],
  }
}

/** Enough text to detect a language. */
const SAMPLE_CHARACTERS = 4000

/** False if either language is unknown. */
async function isInOtherLanguage(
  { detectLanguage }: ParserDeps,
  { answer, citations }: { answer: string; citations: readonly PlacedCitation[] },
  { sources }: ModelOutput,
): Promise<boolean> {
  const cited = [...new Set(citations.map(({ index }) => sources[index - 1] ?? ''))].join('\n\n')
  const [own, other] = await Promise.all([detectLanguage(answer), detectLanguage(cited.slice(0, SAMPLE_CHARACTERS))])
  return own !== null && other !== null && own !== other
}

/** An empty answer. */
export function emptyAnswer(warnings: Warning[]): ParsedAnswer {
  return { answer: '', answered: false, citations: [], grounding: null, warnings }
}

const ANSWER_WITHHELD: Warning = {
  code: 'answer_withheld',
  message: 'The answer of the model matches no source and was withheld. `draft` contains its text.',
  param: null,
}

/** Maximum number of values in a warning. */
const MAX_LISTED_VALUES = 5

function unsupportedAnswer({ unknown, isContradicted, grounding }: Verdict): Warning {
  const listed = unknown.slice(0, MAX_LISTED_VALUES).map((value) => `"${value}"`)
  const rest = unknown.length > MAX_LISTED_VALUES ? ', …' : ''
  const why =
    unknown.length > 0
      ? `no source contains ${listed.join(', ')}${rest}`
      : isContradicted
        ? 'a cited passage says the opposite'
        : `only ${Math.round(100 * grounding.score)} % of its words are in the cited passages`
  const message = `The cited passages do not support the answer of the model: ${why}. Its text is in draft: verify it.`
  return { code: 'unsupported_answer', message, param: null }
}

/** Maximum number of citations in a warning; the full list can be as long as the answer. */
const MAX_LISTED_NUMBERS = 10

function citationRemoved(numbers: readonly number[]): Warning {
  const shown = numbers.slice(0, MAX_LISTED_NUMBERS).map((number) => `[${number}]`)
  const rest = numbers.length > MAX_LISTED_NUMBERS ? ', …' : ''
  const message = `Citations without a source were removed: ${shown.join(', ')}${rest}.`
  return { code: 'citation_removed', message, param: null }
}
