import type { Endings } from '../languages/language.ts'

/**
 * Minimum stem for alphabetic scripts; four gave the same on German, Russian and Spanish
 * (docs/relevance.md).
 */
const MIN_STEM = 3
/**
 * Inflections are rarely longer. Without a bound, Greek `συναίνεση` and `συνεννόηση` had one stem.
 */
const MAX_TAKEN = 4

/**
 * Creates a fallback stemmer that removes up to four letters of endings. On three languages with a
 * stemmer, retrieval was as good as with that stemmer (docs/relevance.md). Takes folded words.
 */
export function createEndingStripper({ letters, inside = '', least = MIN_STEM }: Endings): (word: string) => string {
  const inEndings = new Set(letters)
  const onlyInside = new Set(inside)

  function isOfEnding(word: string, place: number): boolean {
    const letter = word.charAt(place)
    return inEndings.has(letter) || (onlyInside.has(letter) && inEndings.has(word.charAt(place - 1)))
  }

  return (word) => {
    const stays = Math.max(least, word.length - MAX_TAKEN)
    let end = word.length
    while (end > stays && isOfEnding(word, end - 1)) end -= 1
    return word.slice(0, end)
  }
}

/** Longer prefixes precede their own beginnings. */
const ARABIC_PREFIXES = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل', 'و']
const ARABIC_SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي']
/** Minimum stem; one letter more after "and" alone, which often belongs to the word. */
const MIN_ARABIC_STEM = 2
const MIN_BEHIND_AND = 3

/**
 * Arabic light stemmer by Larkey, Ballesteros and Connell ("Light stemming for Arabic information
 * retrieval", light10). Removes articles with prepositions, "and", and endings, each once. Takes
 * folded words, in which feminine endings are unified.
 */
export function stemArabic(word: string): string {
  const prefix =
    ARABIC_PREFIXES.find((each) => word.startsWith(each) && word.length >= each.length + leastBehind(each)) ?? ''
  return ARABIC_SUFFIXES.reduce(
    (stem, suffix) =>
      stem.endsWith(suffix) && stem.length >= suffix.length + MIN_ARABIC_STEM ? stem.slice(0, -suffix.length) : stem,
    word.slice(prefix.length),
  )
}

function leastBehind(prefix: string): number {
  return prefix.length === 1 ? MIN_BEHIND_AND : MIN_ARABIC_STEM
}

/**
 * "And", one of in, to, as, from, that, and the article, in written order; three letters remain.
 */
const HEBREW_PREFIXES = /^ו?[בלכמש]?ה?(?=.{3})/su

/**
 * Hebrew light stemmer: removes prefixes. An initial letter of the word itself is removed too if no
 * prefix precedes it. Endings are kept: removing them lost as much as it gained
 * (docs/relevance.md). Takes folded words.
 */
export function stemHebrew(word: string): string {
  return word.replace(HEBREW_PREFIXES, '')
}

/** Suffixes in order of removal: particles, possessives, derivations. */
const MALAY_ENDINGS = [/(?:lah|kah|tah|pun)$/, /(?:ku|mu|nya)$/, /(?:kan|an|i)$/]
/** Includes the nasal that joins some prefixes to the word: `membaca`, `pengguna`. */
const MALAY_PREFIX = /^(?:(?:me|pe)(?:ny|ng|[mnrl])?|di|ter|ber|be|ke|se)/
/** Minimum stem: most roots have four letters or more. */
const MIN_MALAY_STEM = 4

/**
 * Light stemmer of Indonesian and Malay in Tala's order of affixes ("A Study of Stemming Effects on
 * Information Retrieval in Bahasa Indonesia"). Removes each type of ending and one prefix once.
 * Initial letters that a prefix elided are not restored. Takes folded words.
 */
export function stemMalay(word: string): string {
  return [...MALAY_ENDINGS, MALAY_PREFIX].reduce((stem, affix) => {
    const rest = stem.replace(affix, '')
    return rest.length >= MIN_MALAY_STEM ? rest : stem
  }, word)
}
