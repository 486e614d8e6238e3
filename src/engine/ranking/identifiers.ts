import { normalizeForMatch } from '../analysis/fold.ts'
import { listPlainNumbers } from '../analysis/plain-number.ts'
import { isSingleQuotation } from '../analysis/query-words.ts'
import { UNSPACED } from '../analysis/unspaced-terms.ts'

/**
 * A number, or letters with digits or inner separators: `P1`, `ERR_4012`, `v2.3.1`, `a@b.org`,
 * `4012`, `getUserById`.
 */
const IDENTIFIER = /^#?(?=.*(?:\p{Nd}|[_@]|\p{L}[.\/]\p{L}|[a-z][A-Z]))[\p{L}\p{M}\p{Nd}_.@:\/+\-]+$/v
/** Trailing marks match from the first one, so that a long run of marks within a word is linear. */
const MARKS_AROUND = /^[\p{Ps}\p{Pi}"'`<]+|(?<![\p{Ps}\p{Pe}\p{Pf}"'`.,;:?!>])[\p{Ps}\p{Pe}\p{Pf}"'`.,;:?!>]+$/gu
/** Maximum number of compared identifiers of a query. */
const MAX_COMPARED = 64
const LETTER = /\p{L}/u
/** A letter in a shorter token names a kind: `P1` and `Q3` are different kinds. */
const MIN_RANDOM_CHARACTERS = 6
/**
 * Minimum number of changes between letters and digits in a random token: `9b6d7d`, not `INV20417`.
 */
const MIN_RANDOM_CHANGES = 2

/**
 * True for an identifier or a number. In a script without spaces, a whole sentence with a number
 * may be one token.
 */
function isIdentifier(word: string): boolean {
  return !UNSPACED.test(word) && IDENTIFIER.test(word)
}

/**
 * Lists identifiers with a letter, as written, without surrounding marks. Excludes plain numbers.
 */
export function listIdentifiers(text: string): string[] {
  return text
    .normalize('NFKC')
    .split(/[\s,;|]+/u)
    .map((word) => word.replace(MARKS_AROUND, ''))
    .filter((word) => LETTER.test(word) && isIdentifier(word))
}

/** Tests texts against the identifiers of a query; see {@link createIdentifierTest}. */
type IdentifierTest = (text: string) => boolean

/**
 * Creates a test for texts that name other identifiers than the query. True if a text has none of
 * them, but one of the same kind (`INV-1001` and `INV-1002`, two commit hashes). A query of
 * identifiers only requires one of them in the text. Linear in the length of the text.
 */
export function createIdentifierTest(query: string): IdentifierTest {
  const listed = listIdentifiers(query)
  const isAlone = query.trim().split(/\s+/u).length === listed.length
  const asked = [...new Set(listed)].slice(0, MAX_COMPARED)
  const written = new Set(asked.flatMap(listIdentifierVariants))
  const literal = asked.map(toIdentifierPattern)
  const makes = new Set(asked.map(kindOf))
  return (text) => {
    if (asked.length === 0) return false
    const own = listIdentifiers(text)
    const names = [...own.map(plainIdentifier), ...listPlainNumbers(text)]
    if (names.some((name) => written.has(name))) return false
    const comparable = normalizeForMatch(text)
    if (literal.some((identifier) => comparable.includes(identifier))) return false
    return isAlone || own.some((identifier) => makes.has(kindOf(identifier)))
  }
}

/** Normalizes an identifier: `COVID-19` becomes `covid19`. */
function plainIdentifier(identifier: string): string {
  return normalizeForMatch(identifier).replaceAll(' ', '')
}

/** The identifier, and its number after a short prefix: `v2.3` may be written "version 2.3". */
function listIdentifierVariants(identifier: string): string[] {
  const [, number] = /^\p{L}{1,3}[-._]?(\p{Nd}[\p{Nd}.,\-/]*)$/u.exec(identifier) ?? []
  return [plainIdentifier(identifier), ...(number === undefined ? [] : listPlainNumbers(number))]
}

/**
 * Pattern of the identifier in a normalized text. A name may have a suffix (`iPhones`), a number
 * may not.
 */
function toIdentifierPattern(identifier: string): string {
  const comparable = normalizeForMatch(identifier)
  return /\p{Nd}$/u.test(identifier) ? comparable : comparable.trimEnd()
}

/** Kind of an identifier: its letters and separators without digits, or random. */
function kindOf(identifier: string): string {
  const plain = identifier.toLowerCase()
  const changes = plain.match(/\p{L}(?=\p{Nd})|\p{Nd}(?=\p{L})/gu)?.length ?? 0
  if (changes >= MIN_RANDOM_CHANGES && plain.length >= MIN_RANDOM_CHARACTERS) return 'random'
  return plain.replace(/\p{Nd}+/gu, '0')
}

/** Longer queries are sentences. */
const MAX_IDENTIFIERS = 3
const SPOKEN_MARKS = /(?<![?!,;])[?!,;]+$/

/**
 * Resolves mode `auto`: `lexical` for one quoted phrase, or for up to three identifiers or numbers,
 * which embedders cannot represent; `hybrid` otherwise.
 */
export function chooseMode(query: string): 'hybrid' | 'lexical' {
  if (isSingleQuotation(query)) return 'lexical'
  const words = query.trim().split(/\s+/, MAX_IDENTIFIERS + 1)
  const isPlain = words.length <= MAX_IDENTIFIERS && words.every((word) => isIdentifier(word.replace(SPOKEN_MARKS, '')))
  return isPlain ? 'lexical' : 'hybrid'
}
