import { normalizeForMatch } from '../../src/engine/analysis/fold.ts'

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/**
 * True when a text contains an answer. Both are compared in compatibility form and lower case,
 * without accents, punctuation as spaces: whole words, and character runs in scripts without
 * spaces.
 */
export function holdsAnswer(text: string, answer: string): boolean {
  const [own, wanted] = [normalizeForMatch(text), normalizeForMatch(answer)]
  if (wanted.trim() === '') return false
  return UNSPACED.test(text) ? own.replaceAll(' ', '').includes(wanted.replaceAll(' ', '')) : own.includes(wanted)
}
