import { matchable } from '../analysis/fold.ts'
import { listPlainNumbers } from '../analysis/plain-number.ts'
import { UNSPACED } from '../analysis/scripts.ts'

/** A number, or letters with digits or joints inside: `P1`, `ERR_4012`, `v2.3.1`, `a@b.org`, `4012`, `getUserById`. */
const IDENTIFIER = /^#?(?=.*(?:\p{Nd}|[_@]|\p{L}[.\/]\p{L}|[a-z][A-Z]))[\p{L}\p{M}\p{Nd}_.@:\/+\-]+$/v
const MARKS_AROUND = /^[\p{Ps}\p{Pi}"'`]+|[\p{Ps}\p{Pe}\p{Pf}"'`.,;:?!]+$/gu
const LETTER = /\p{L}/u
/** A token of fewer characters has a letter that names its kind: `P1` and `Q3` are two kinds, not two of one. */
const MIN_RANDOM_CHARACTERS = 6
/** A random token changes between letters and digits at least so often: `9b6d7d`, not `INV20417`. */
const MIN_RANDOM_CHANGES = 2

/** True for a word that is an identifier or a number. A text without spaces may be a whole sentence with a number in it. */
export function isIdentifier(word: string): boolean {
  return !UNSPACED.test(word) && IDENTIFIER.test(word)
}

/** The identifiers of a text that have a letter, as they are written, without marks around them. Plain numbers are left out. */
export function listIdentifiers(text: string): string[] {
  return text
    .normalize('NFKC')
    .split(/[\s,;|]+/u)
    .map((word) => word.replace(MARKS_AROUND, ''))
    .filter((word) => LETTER.test(word) && isIdentifier(word))
}

/**
 * True where a query names identifiers and a text names others in their place: nothing of it is about what the query names. That is so where the text has
 * none of them but one of the same make (`INV-1001` and `INV-1002`, two commit hashes). A query of identifiers alone asks for a text that has one of them.
 */
export function namesOtherIdentifiers(query: string, text: string): boolean {
  const asked = listIdentifiers(query)
  if (asked.length === 0) return false
  const own = listIdentifiers(text)
  const names = new Set([...own.map(plainIdentifier), ...listPlainNumbers(text)])
  if (asked.some((identifier) => writings(identifier).some((writing) => names.has(writing)))) return false
  if (query.trim().split(/\s+/u).length === asked.length) return true
  const makes = new Set(own.map(makeOf))
  return asked.some((identifier) => makes.has(makeOf(identifier)))
}

/** One form for all ways to write an identifier: `COVID-19` as `covid19`. */
function plainIdentifier(identifier: string): string {
  return matchable(identifier).replaceAll(' ', '')
}

/** The identifier, and its number where it is one behind a short word: `v2.3` may be "version 2.3". */
function writings(identifier: string): string[] {
  const [, number] = /^\p{L}{1,3}[-._]?(\p{Nd}[\p{Nd}.,\-/]*)$/u.exec(identifier) ?? []
  return [plainIdentifier(identifier), ...(number === undefined ? [] : listPlainNumbers(number))]
}

/** What identifiers of one kind share: letters and joints with any number in the place of digits, or that they are random. */
function makeOf(identifier: string): string {
  const plain = identifier.toLowerCase()
  const changes = plain.match(/\p{L}(?=\p{Nd})|\p{Nd}(?=\p{L})/gu)?.length ?? 0
  if (changes >= MIN_RANDOM_CHANGES && plain.length >= MIN_RANDOM_CHARACTERS) return 'random'
  return plain.replace(/\p{Nd}+/gu, '0')
}
