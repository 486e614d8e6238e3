import type { Endings } from '../languages/language.ts'

/**
 * Of alphabets; measured on German, Russian and Spanish, where four gave the same
 * (docs/relevance.md).
 */
const MIN_STEM = 3
/**
 * Inflections are no longer as a rule; without a bound Greek `συναίνεση` and `συνεννόηση` were one.
 */
const MAX_TAKEN = 4

/**
 * What makes one of the forms of a word where no stemmer is at hand: it takes letters of endings
 * off the end, as many as stand there, four at most. On three languages that have a stemmer this
 * found as much as the stemmer did (docs/relevance.md). Takes folded words.
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

/** The longer before the shorter that they begin with. */
const ARABIC_PREFIXES = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل', 'و']
const ARABIC_SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي']
/**
 * What stays of a word; behind "and" alone, which is as often a letter of the word itself, one
 * more.
 */
const MIN_ARABIC_STEM = 2
const MIN_BEHIND_AND = 3

/**
 * The light stemmer of Larkey, Ballesteros and Connell ("Light stemming for Arabic information
 * retrieval", light10): articles with their prepositions, "and", and endings go, each once. Takes
 * folded words, in which the endings of the feminine are already one.
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
 * "And", one of in, to, as, from, that, and the article, in the order in which they are written
 * onto a word; three letters stay.
 */
const HEBREW_PREFIXES = /^ו?[בלכמש]?ה?(?=.{3})/su

/**
 * A light stemmer of Hebrew, as that of Arabic is: what is written onto the beginning of a word
 * goes. Of a word whose own first letter is one of them it goes as well, and then only where
 * nothing is written before it. Endings stay: without them as much was lost as found
 * (docs/relevance.md). Takes folded words.
 */
export function stemHebrew(word: string): string {
  return word.replace(HEBREW_PREFIXES, '')
}

/**
 * What hangs on the end of a word, in the order in which it goes: particles, whose it is, suffixes.
 */
const MALAY_ENDINGS = [/(?:lah|kah|tah|pun)$/, /(?:ku|mu|nya)$/, /(?:kan|an|i)$/]
/** With the nasal that joins some of them to the word: `membaca`, `pengguna`. */
const MALAY_PREFIX = /^(?:(?:me|pe)(?:ny|ng|[mnrl])?|di|ter|ber|be|ke|se)/
/** Letters of a word that stay: most roots have four or more. */
const MIN_MALAY_STEM = 4

/**
 * A light stemmer of Indonesian and Malay, after the order of affixes in Tala's ("A Study of
 * Stemming Effects on Information Retrieval in Bahasa Indonesia"): each sort of ending and one
 * prefix go, once. First letters that a prefix has taken away do not come back. Takes folded words.
 */
export function stemMalay(word: string): string {
  return [...MALAY_ENDINGS, MALAY_PREFIX].reduce((stem, affix) => {
    const rest = stem.replace(affix, '')
    return rest.length >= MIN_MALAY_STEM ? rest : stem
  }, word)
}
