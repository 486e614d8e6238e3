/**
 * What the engine knows of one language: lists of words, and no code. A list is a text of words with white space between
 * them; how it is read says each field. To add a language or to mend one, edit its file in this folder alone.
 */
export type Language = {
  /** ISO 639-1. */
  code: string
  /** Its Snowball algorithm, or a stemmer of our own (`stemmers.ts`). */
  stemmer?: string
  /** Where it has no stemmer: the letters of its endings, as they are folded. */
  endings?: Endings
  /** Name of its list of frequent words in npm `stopword`. */
  stopWords?: string
  /** True where words are folded before they are stemmed: accents show the stress alone, or most texts leave them out. */
  isFoldedFirst?: boolean
  /** True where every noun has a capital, so that none tells a name. */
  hasCapitalNouns?: boolean
  /**
   * Words that do nothing but ask, which `stopWords` lacks. They are rare in what is searched and so would weigh much:
   * without them nDCG@10 of questions in Spanish rose by .2 points, in Russian by .1 to .3 (docs/relevance.md).
   */
  askingWords?: string
  /** Words that ask in a question and are not asked for, in lower case without accents. */
  questionWords?: string
  /**
   * Forms of to be and to be able that questions are made with and `stopWords` lacks. Spanish past forms and "puede" are
   * left out: they say more than they ask. A search keeps all of them (.03 to .1 points of nDCG@10).
   */
  auxiliaries?: string
  /** Personal, possessive and demonstrative pronouns that begin a sentence, with a capital. */
  pronouns?: string
  /** What ends in a full stop without ending a sentence, in lower case without the last full stop. */
  abbreviations?: string
  /** January to December: names and usual abbreviations. */
  months?: readonly string[]
  /**
   * Words of which no ending tells that they are forms of one, a comma between words, the form that gives the term first.
   * Left out is what is as often another word, also in a form that has its term (English `wound`, German `Stahl`), and
   * what carries no meaning in any form (`was`, `had`). German forms take prefixes and endings (`inflections.ts`), and
   * words that only look so are forms of themselves: `Befunden` is of `Befund`.
   */
  irregularForms?: string
}

/** What the endings of a language are made of. */
export type Endings = {
  letters: string
  /** Letters that belong to an ending only behind another letter of endings: else they are the word's own. */
  inside?: string
  /** How many characters of a word stay in any case. */
  least?: number
}

/** The fields of a language that are lists of words. */
export type WordList = 'questionWords' | 'pronouns' | 'abbreviations'

/** The words of a list; none where a language has no such list. */
export function listWords(list: string | undefined): string[] {
  return list?.trim().split(/\s+/) ?? []
}
