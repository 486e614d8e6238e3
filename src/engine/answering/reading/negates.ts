import { matchable } from '../../analysis/fold.ts'

/** Over words in lower case without accents, one space around each. */
const NEGATION = new RegExp(
  ` (?:${[
    'not|never|without|cannot|no(?! \\d)|neither|none|nothing|except(?!ional)\\S*|exclu(?!si[vf])\\S+|unsupported|forbidden|prohibited|disallowed',
    '(?:can|won|don|doesn|didn|isn|aren|wasn|weren|wouldn|shouldn|couldn|mustn|hasn|haven) t',
    'nicht|nie|kein\\S*|ohne|ausser|ausgeschlossen\\S*|ausschluss\\S*|ausschlusse\\S*|ausnahmen?|verboten\\S*|untersagt',
    'pas|jamais|sans|sauf|interdit\\S*|non|aucune?|sin|salvo|nunca|ningun\\S*|prohibid\\S*',
    'senza|vietat\\S*|esclus(?!iv)\\S+|nao|sem|proibid\\S*|niet|geen|zonder|uitgesloten|uitsluiting\\S*',
    'nie|bez|oprocz|wylaczeni\\S*|не|нет|без|кроме|исключен\\S+|запрещен\\S*|нельзя',
  ].join('|')}) `,
  'u',
)

/** `Order No. A-7`, `| No | Item |` */
const NUMBER_SIGN = /(?<!\p{L})no(?:\.| ?(?=\|))/giu

/** True for a question or a heading that denies: "What is not covered?", `Exclusions`, `Verboten ist`. */
export function negates(text: string): boolean {
  return NEGATION.test(matchable(text.replace(NUMBER_SIGN, ' ')))
}
