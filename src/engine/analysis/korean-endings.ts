import type { Word } from './split-words.ts'

/** What is done with a noun, to do and to become; shorter endings are those of nouns as well (`유통기한`, `부당해고`). */
const VERBS = [
  '[하되](?:다|는|고|여|어|기|기를|기로|지|지만|면|며|면서|려면|려고|도록|십시오|세요|거나|게|던|는데|는지|나요|[였었]다|[였었]습니다)',
  '[합됩]니[다까]',
  '[했됐](?:다|던|는데|는지|습니[다까])',
  '[해돼][서야]',
  '[한된]다',
  '[된될]',
  '이?(?:습?니[다까]|십시오|세요|으면|면서|는데|지만)',
]
/** Without those of one syllable that nouns end with, too (`전문가`, `고양이`, `소아과`). */
const PARTICLES = '(?:들[이의과로]?)?(?:에서|에게|한테|으로|에)?(?:부터|까지|처럼|보다)?[은는을를]?'
/** Two syllables of a word stay in any case. */
const ENDING = new RegExp(`(?<=.{2})(?:${VERBS.join('|')}|${PARTICLES})$`, 'u')

/**
 * A Korean word of a query without what hangs on its end: particles, and what makes a noun a verb. Texts are indexed by pairs of syllables, of which
 * those of endings, and those across the border of a noun and its ending, say nothing of what is asked for (docs/relevance.md).
 */
export function withoutKoreanEnding(word: Word): Word {
  if (word.kind !== 'hangul') return word
  const stem = word.text.replace(ENDING, '')
  return stem === word.text ? word : { ...word, text: stem, end: word.start + stem.length }
}
