import { normalizeForMatch } from '../analysis/fold.ts'

/** Over words in lower case without accents, one space around each. */
const NEGATION = new RegExp(
  ` (?:${[
    'not|never|without|cannot|no(?! \\d)|neither|none|nothing|except(?!ional)\\S*|exclu(?!si[vf])\\S+|unsupported|forbidden|prohibited|disallowed|removed|dropped|discontinued',
    '(?:can|won|don|doesn|didn|isn|aren|wasn|weren|wouldn|shouldn|couldn|mustn|hasn|haven) t',
    'nicht|nie|kein\\S*|ohne|ausser|ausgeschlossen\\S*|ausschluss\\S*|ausschlusse\\S*|ausnahmen?|verboten\\S*|untersagt|entfernt\\S*|entfallen',
    'pas|jamais|sans|sauf|interdit\\S*|non|aucune?|sin|salvo|nunca|ningun\\S*|prohibid\\S*|supprime\\S*|eliminad\\S*',
    'senza|vietat\\S*|esclus(?!iv)\\S+|nao|sem|proibid\\S*|niet|geen|zonder|uitgesloten|uitsluiting\\S*',
    'nie|bez|oprocz|wylaczeni\\S*|не|нет|без|кроме|исключен\\S+|запрещен\\S*|нельзя|удален\\S*',
  ].join('|')}) `,
  'u',
)

/** Chinese has no spaces: only what says with the next character that something is not so or not to be done. */
const HAN_NEGATION = /不[予可得能准许允包含在适保赔支退宜]|禁止|严禁|除外|免责|例外|没有|未包|移除|删除/u
/** 能不能, 可不可: whoever asks so denies nothing. */
const HAN_WHETHER = /(\p{Script=Han})不\1/gu
/** Words among those above that say something else in another language (ISO 639-1): "in the", "only just", "need". */
const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['pt', ' no '],
  ['nl', ' pas '],
  ['de', ' not '],
])

/** `Order No. A-7`, `| No | Item |` */
const NUMBER_SIGN = /(?<!\p{L})no(?:\.| ?(?=\|))/giu

/**
 * True for a question or a heading that denies: "What is not covered?", `Exclusions`, `Verboten ist`. `language` (ISO 639-1) is what it is written in, `null` where that is not
 * known; it matters only where {@link isToldByLanguage} says so.
 */
export function negates(text: string, language: string | null): boolean {
  if (HAN_NEGATION.test(text.replace(HAN_WHETHER, ''))) return true
  const words = normalizeForMatch(text.replace(NUMBER_SIGN, ' '))
  const harmless = OTHERWISE.get(language ?? '')
  return NEGATION.test(harmless === undefined ? words : words.replaceAll(harmless, ' '))
}

/** True for a text with a word that says something else in one of the languages (ISO 639-1) it may be in than in those in which it denies. */
export function isToldByLanguage(text: string, languages: readonly string[]): boolean {
  const harmless = languages.flatMap((language) => OTHERWISE.get(language) ?? [])
  if (harmless.length === 0) return false
  const words = normalizeForMatch(text)
  return harmless.some((word) => words.includes(word))
}

/** What the head of a table says of its rows: `true` where the column that names them denies, `null` where another one does, which is then so of some of them only. */
export function rowsAreDenied(head: string, language: string | null): boolean | null {
  const [first = '', ...others] = (head.match(/[^|]+\|?/gu) ?? []).filter((cell) => /[^\s|]/u.test(cell))
  if (negates(first, language)) return true
  return others.some((cell) => negates(cell, language)) ? null : false
}
