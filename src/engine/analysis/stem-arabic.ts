/** The longer before the shorter that they begin with. */
const PREFIXES = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل', 'و']
const SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي']
/** What stays of a word; behind "and" alone, which is as often a letter of the word itself, one more. */
const LEAST = 2
const LEAST_BEHIND_AND = 3

/**
 * The light stemmer of Larkey, Ballesteros and Connell ("Light stemming for Arabic information retrieval", light10): articles with their
 * prepositions, "and", and endings go, each once. Takes folded words, in which the endings of the feminine are already one.
 */
export function stemArabic(word: string): string {
  const prefix = PREFIXES.find((each) => word.startsWith(each) && word.length >= each.length + leastBehind(each)) ?? ''
  return SUFFIXES.reduce(
    (stem, suffix) =>
      stem.endsWith(suffix) && stem.length >= suffix.length + LEAST ? stem.slice(0, -suffix.length) : stem,
    word.slice(prefix.length),
  )
}

function leastBehind(prefix: string): number {
  return prefix.length === 1 ? LEAST_BEHIND_AND : LEAST
}
