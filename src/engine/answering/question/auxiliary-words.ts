import { matchableWord } from '../../analysis/fold.ts'

/**
 * Forms of to be, and of to be able (in Spanish those of who asks alone), that questions are made with and lists of frequent words lack, by ISO 639-1. In Spanish the past
 * forms and "puede" say more than they ask: without them .7 points fewer of the first sentences hold the answer. A search keeps all of them: as stop words
 * they cost Spanish and Russian questions .03 to .1 points of nDCG@10.
 */
const AUXILIARY: Readonly<Record<string, string>> = {
  es: 'es son está están hay puedo puedes podemos debo debes debemos',
  fr: 'peut peuvent peux puis pouvait pouvoir doit doivent dois devoir faut fait font faire',
  it: 'può possono posso poteva potere deve devono devo dovere bisogna',
  pt: 'é são está estão há posso podemos devo devemos',
  ru: 'является являются являлся являлась являлось может могут можно нужно надо должен должна должно должны',
}
const WORDS = new Map(
  Object.entries(AUXILIARY).map(([language, words]) => [language, new Set(words.split(' ').map(matchableWord))]),
)

/** True for a word of a question in a language (ISO 639-1) that helps to ask and is not asked for. */
export function isAuxiliary(word: string, language: string): boolean {
  return WORDS.get(language)?.has(matchableWord(word)) ?? false
}
