import { normalizeForMatch } from '../../src/engine/analysis/fold.ts'

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/**
 * True when a text holds an answer: both in compatibility form and lower case, accents off, every mark a space; as whole
 * words, and in scripts without spaces as a run of characters.
 */
export function holdsAnswer(text: string, answer: string): boolean {
  const [own, wanted] = [normalizeForMatch(text), normalizeForMatch(answer)]
  if (wanted.trim() === '') return false
  return UNSPACED.test(text) ? own.replaceAll(' ', '').includes(wanted.replaceAll(' ', '')) : own.includes(wanted)
}
