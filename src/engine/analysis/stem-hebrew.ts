/** "And", one of in, to, as, from, that, and the article, in the order in which they are written onto a word; three letters stay. */
const PREFIXES = /^ו?[בלכמש]?ה?(?=.{3})/su

/**
 * A light stemmer of Hebrew, as that of Arabic is: what is written onto the beginning of a word goes. Of a word whose own first
 * letter is one of them it goes as well, and then only where nothing is written before it. Endings stay: without them as much was lost as found (docs/relevance.md). Takes folded words.
 */
export function stemHebrew(word: string): string {
  return word.replace(PREFIXES, '')
}
