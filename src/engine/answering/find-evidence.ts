import { matchable } from '../analysis/fold.ts'
import type { Span } from '../chunking/split-text.ts'
import { EVIDENCE_FORMS } from './evidence-forms.ts'
import type { AnswerKind } from './question-forms.ts'

/** Looked for in a sentence; more of one kind says no more. */
const MOST_SPANS = 40

/**
 * The places in a sentence that could be an answer of the kind, in order: a year for a date, a name for a person.
 * What the question itself says is no answer to it and is left out; `asked` is the question as `matchable` makes it.
 * `null` for kinds that no form shows.
 */
export function findEvidence(sentence: string, kind: AnswerKind, asked: string): Span[] | null {
  const form = EVIDENCE_FORMS[kind]
  if (form === undefined) return null
  const spans: Span[] = []
  for (const match of sentence.matchAll(form)) {
    if (spans.length >= MOST_SPANS) break
    const found = match[0]
    if (found.trim() === '' || isSaid(found, asked)) continue
    spans.push({ start: match.index, end: match.index + found.length })
  }
  return spans
}

function isSaid(found: string, asked: string): boolean {
  const words = matchable(found).trim()
  return words === '' ? asked.includes(found) : asked.includes(` ${words} `)
}
