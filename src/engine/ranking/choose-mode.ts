import { isOneQuotation } from '../analysis/quotations.ts'
import { UNSPACED } from '../analysis/scripts.ts'

/** Longer queries are sentences, whatever they are made of. */
const MAX_IDENTIFIERS = 3
/** A number, or letters with digits or joints inside: `P1`, `ERR_4012`, `v2.3.1`, `a@b.org`, `4012`, `getUserById`. */
const IDENTIFIER = /^#?(?=.*(?:\p{Nd}|[_@]|\p{L}[.\/]\p{L}|[a-z][A-Z]))[\p{L}\p{M}\p{Nd}_.@:\/+\-]+$/v
const SPOKEN_MARKS = /(?<![?!,;])[?!,;]+$/

/**
 * What `auto` stands for: `lexical` for a query that is nothing but one quoted phrase, or up to three identifiers or
 * numbers, which have no meaning that an embedder could know; `hybrid` for every other.
 */
export function chooseMode(query: string): 'hybrid' | 'lexical' {
  if (isOneQuotation(query)) return 'lexical'
  const words = query.trim().split(/\s+/, MAX_IDENTIFIERS + 1)
  const isPlain = words.length <= MAX_IDENTIFIERS && words.every(isIdentifier)
  return isPlain ? 'lexical' : 'hybrid'
}

/** What has no spaces may be a whole sentence with a number in it. */
function isIdentifier(word: string): boolean {
  return !UNSPACED.test(word) && IDENTIFIER.test(word.replace(SPOKEN_MARKS, ''))
}
