import type { DocumentExplanation, HitExplanation } from '../../client/findings.ts'
import { oneLine } from './printable.ts'

/** What a hit's score is made of, a line for each part, for the terms, and for what all scores are shares of; each begins with `indent`. */
export function describeExplanation({ parts, top, terms }: HitExplanation, indent: string): string {
  const lines = parts.map(({ points, message }) => `${points.toFixed(2).padStart(5)}  ${oneLine(message)}`)
  const found = terms.filter(({ count }) => count > 0).map(({ term, words }) => `${term} (${words.join(', ')})`)
  const missed = terms
    .filter(({ count }) => count === 0)
    .flatMap(({ term, asked }) => (asked.length > 0 ? asked : [term]))
  const matched = found.length === 0 ? [] : [`terms  ${oneLine(found.join(', '))}`]
  const missing = missed.length === 0 ? [] : [`not there  ${oneLine(missed.join(', '))}`]
  const measure = top === null ? [] : [oneLine(top.message)]
  return [...lines, ...matched, ...missing, ...measure].map((line) => `${indent}${line}\n`).join('')
}

/** Where a document stands, or why it does not. */
export function describeDocumentExplanation({ documentId, title, message, explanation }: DocumentExplanation): string {
  const name = title === null ? documentId : `${oneLine(title)}  ${documentId}`
  const parts = explanation === null ? '' : describeExplanation(explanation, '   ')
  return `${name}\n   ${oneLine(message)}\n${parts}`
}
