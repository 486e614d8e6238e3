import { isOneQuotation } from '../analysis/quotations.ts'
import { isIdentifier } from './identifiers.ts'

/** Longer queries are sentences, whatever they are made of. */
const MAX_IDENTIFIERS = 3
const SPOKEN_MARKS = /(?<![?!,;])[?!,;]+$/

/**
 * What `auto` stands for: `lexical` for a query that is nothing but one quoted phrase, or up to three identifiers or
 * numbers, which have no meaning that an embedder could know; `hybrid` for every other.
 */
export function chooseMode(query: string): 'hybrid' | 'lexical' {
  if (isOneQuotation(query)) return 'lexical'
  const words = query.trim().split(/\s+/, MAX_IDENTIFIERS + 1)
  const isPlain = words.length <= MAX_IDENTIFIERS && words.every((word) => isIdentifier(word.replace(SPOKEN_MARKS, '')))
  return isPlain ? 'lexical' : 'hybrid'
}
