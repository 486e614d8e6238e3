/** Characters from which on chance is out of the question: one in six pairs of random bytes is no character at all. */
const CERTAIN_CHARACTERS = 64
/** More than two in five pairs of random bytes are Han, one in six is Hangul: of these it takes so many, or other signs of text beside them. */
const CERTAIN_IDEOGRAPHS = 6

/** True when what was decoded as UTF-16 or UTF-32, without a mark that says so, is text. */
export function isWideText(text: string): boolean {
  return isPlausible(text) && (text.length >= CERTAIN_CHARACTERS || looksWritten(text))
}

/** Text has next to no characters that are unassigned, private, control or halves of a pair, and no U+0000. */
function isPlausible(text: string): boolean {
  if (text.includes('\0')) return false
  const strange = text.match(/[\p{Cn}\p{Co}\p{Cs}\uFFFD]|(?![\t\n\v\f\r])\p{Cc}/gu)?.length ?? 0
  return strange <= text.length * 0.02
}

/** Nearly any four bytes are two characters. Those of a text are Latin (letters, digits, spaces, line ends) and of one other script. */
function looksWritten(text: string): boolean {
  const latin = text.match(/[\0-\xff]/g)?.length ?? 0
  if (latin === 0) return false
  const others = text.match(/(?![\0-\xff\p{Script=Latin}\p{P}])./gsu) ?? []
  if (latin > 1 && latin >= others.length) return true
  const byScript = [...Map.groupBy(others, scriptOf)].sort(([, one], [, other]) => other.length - one.length)
  const [script, most] = byScript[0] ?? ['latin', []]
  if (most.length < others.length * 0.8) return false
  return (script !== 'han' && script !== 'hangul') || latin > 1 || most.length >= CERTAIN_IDEOGRAPHS
}

/** Of an alphabet the 256 characters among which it stands. */
function scriptOf(character: string): string | number {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u.test(character)) return 'han'
  if (/\p{Script=Hangul}/u.test(character)) return 'hangul'
  return (character.codePointAt(0) ?? 0) >> 8
}
