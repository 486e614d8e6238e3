import { normalizeForMatch } from '../analysis/fold.ts'
import { listPlainNumbers } from '../analysis/plain-number.ts'
import { isOneQuotation } from '../analysis/query-words.ts'
import { UNSPACED } from '../analysis/scripts.ts'

/**
 * A number, or letters with digits or joints inside: `P1`, `ERR_4012`, `v2.3.1`, `a@b.org`, `4012`,
 * `getUserById`.
 */
const IDENTIFIER = /^#?(?=.*(?:\p{Nd}|[_@]|\p{L}[.\/]\p{L}|[a-z][A-Z]))[\p{L}\p{M}\p{Nd}_.@:\/+\-]+$/v
/**
 * Marks behind a word are looked for from the first of them on, so that a long row of marks inside
 * a word takes no longer than its length.
 */
const MARKS_AROUND = /^[\p{Ps}\p{Pi}"'`<]+|(?<![\p{Ps}\p{Pe}\p{Pf}"'`.,;:?!>])[\p{Ps}\p{Pe}\p{Pf}"'`.,;:?!>]+$/gu
/** Of a query that lists more identifiers the first ones are compared. */
const MAX_COMPARED = 64
const LETTER = /\p{L}/u
/**
 * A token of fewer characters has a letter that names its kind: `P1` and `Q3` are two kinds, not
 * two of one.
 */
const MIN_RANDOM_CHARACTERS = 6
/**
 * A random token changes between letters and digits at least so often: `9b6d7d`, not `INV20417`.
 */
const MIN_RANDOM_CHANGES = 2

/**
 * True for a word that is an identifier or a number. A text without spaces may be a whole sentence
 * with a number in it.
 */
function isIdentifier(word: string): boolean {
  return !UNSPACED.test(word) && IDENTIFIER.test(word)
}

/**
 * The identifiers of a text that have a letter, as they are written, without marks around them.
 * Plain numbers are left out.
 */
export function listIdentifiers(text: string): string[] {
  return text
    .normalize('NFKC')
    .split(/[\s,;|]+/u)
    .map((word) => word.replace(MARKS_AROUND, ''))
    .filter((word) => LETTER.test(word) && isIdentifier(word))
}

/** A test of texts against the identifiers of a query; see {@link compareIdentifiers}. */
type IdentifierTest = (text: string) => boolean

/**
 * Prepares a test that is true where a query names identifiers and a text names others in their
 * place: nothing of it is about what the query names. That is so where the text has none of them
 * but one of the same make (`INV-1001` and `INV-1002`, two commit hashes). A query of identifiers
 * alone asks for a text that has one of them. Takes time in proportion to the text.
 */
export function compareIdentifiers(query: string): IdentifierTest {
  const listed = listIdentifiers(query)
  const isAlone = query.trim().split(/\s+/u).length === listed.length
  const asked = [...new Set(listed)].slice(0, MAX_COMPARED)
  const written = new Set(asked.flatMap(writings))
  const literal = asked.map(literally)
  const makes = new Set(asked.map(makeOf))
  return (text) => {
    if (asked.length === 0) return false
    const own = listIdentifiers(text)
    const names = [...own.map(plainIdentifier), ...listPlainNumbers(text)]
    if (names.some((name) => written.has(name))) return false
    const comparable = normalizeForMatch(text)
    if (literal.some((identifier) => comparable.includes(identifier))) return false
    return isAlone || own.some((identifier) => makes.has(makeOf(identifier)))
  }
}

/** One form for all ways to write an identifier: `COVID-19` as `covid19`. */
function plainIdentifier(identifier: string): string {
  return normalizeForMatch(identifier).replaceAll(' ', '')
}

/**
 * The identifier, and its number where it is one behind a short word: `v2.3` may be "version 2.3".
 */
function writings(identifier: string): string[] {
  const [, number] = /^\p{L}{1,3}[-._]?(\p{Nd}[\p{Nd}.,\-/]*)$/u.exec(identifier) ?? []
  return [plainIdentifier(identifier), ...(number === undefined ? [] : listPlainNumbers(number))]
}

/**
 * The identifier as it stands in a comparable text; a name may have an ending there (`iPhones`), a
 * number may not.
 */
function literally(identifier: string): string {
  const comparable = normalizeForMatch(identifier)
  return /\p{Nd}$/u.test(identifier) ? comparable : comparable.trimEnd()
}

/**
 * What identifiers of one kind share: letters and joints with any number in the place of digits, or
 * that they are random.
 */
function makeOf(identifier: string): string {
  const plain = identifier.toLowerCase()
  const changes = plain.match(/\p{L}(?=\p{Nd})|\p{Nd}(?=\p{L})/gu)?.length ?? 0
  if (changes >= MIN_RANDOM_CHANGES && plain.length >= MIN_RANDOM_CHARACTERS) return 'random'
  return plain.replace(/\p{Nd}+/gu, '0')
}

/** Longer queries are sentences, whatever they are made of. */
const MAX_IDENTIFIERS = 3
const SPOKEN_MARKS = /(?<![?!,;])[?!,;]+$/

/**
 * What `auto` stands for: `lexical` for a query that is nothing but one quoted phrase, or up to
 * three identifiers or numbers, which have no meaning that an embedder could know; `hybrid` for
 * every other.
 */
export function chooseMode(query: string): 'hybrid' | 'lexical' {
  if (isOneQuotation(query)) return 'lexical'
  const words = query.trim().split(/\s+/, MAX_IDENTIFIERS + 1)
  const isPlain = words.length <= MAX_IDENTIFIERS && words.every((word) => isIdentifier(word.replace(SPOKEN_MARKS, '')))
  return isPlain ? 'lexical' : 'hybrid'
}
