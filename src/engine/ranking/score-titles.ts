import { scoreBm25 } from './bm25.ts'

/** How much a match in a title weighs beside a lexical score of 0 to 1: +4 to +6 % nDCG@10 where documents have titles (docs/relevance.md). */
export const TITLE_WEIGHT = 0.4

type Titled = { titleTerms: readonly string[] }

/** BM25 of titles for the terms of a query; a term that every title of `among` has weighs next to nothing. */
export function scoreTitles(
  titled: readonly Titled[],
  terms: readonly string[],
  among: readonly Titled[] = titled,
): number[] {
  const countTerms = ({ titleTerms }: Titled) => ({
    counts: Uint32Array.from(terms, (term) => titleTerms.filter((own) => own === term).length),
    length: titleTerms.length,
  })
  return [...scoreBm25(titled.map(countTerms), terms.length, among === titled ? undefined : among.map(countTerms))]
}
