import { findDates } from '../engine/analysis/find-dates.ts'
import { normalizeForMatch } from '../engine/analysis/fold.ts'
import type { FieldSearch } from './field.ts'
import type { Entry } from './layout/entry.ts'
import { CONDITION } from './prose/statements.ts'
import { findBareMoney, findMoney, resolveCurrency } from './values/find-money.ts'
import { dropOverlapping, findValues } from './values/find-values.ts'
import { findIdentifiers, findLabelledIdentifiers, isIdentifierKey } from './values/identifiers.ts'
import { hasOtherUnit, isForOtherPeriod } from './values/units.ts'
import type { Conventions, FoundValue, ValueType } from './values/value.ts'

/** Number of characters beside the value from which the value counts as stray. */
const STRAY_CHARACTERS = 40
/** Factors for values with other text or other values in the same cell. */
const FIT = { exact: 1, stray: 0.9, several: 0.93 } as const
/** Labels of rates, whose bare numbers are percentages, not amounts. */
const RATE_LABEL = /percent|prozent|rate\b|satz\b|share|taux|%/i

const RATE = /\d+(?:[.,]\d+)?\s?%/g
/** Confidence of an identifier whose check digits are wrong: mistyped here, or invented. */
const UNVERIFIED_FIT = 0.7
/** Characters before an identifier in its cell. */
const MAX_BEFORE_IDENTIFIER = 20

/** A value and how well it fits the field, 0 to 1. */
type ReadValue = FoundValue & { fit: number }

/**
 * Returns the value of an entry, or `null` if its text has no value of the type. Offsets are those
 * of the passage.
 */
export function readValue(text: string, entry: Entry, search: FieldSearch): ReadValue | null {
  const { type, conventions } = search
  if (entry.items !== undefined) {
    const { items, start, end } = entry
    return type === 'list' ? { value: [...items], start, end, fit: FIT.exact } : null
  }
  if (type === 'string') return readString(text, entry, search)
  const region = text.slice(entry.start, type === 'list' ? entry.blockEnd : entry.end)
  if (type === 'boolean' && CONDITION.test(region)) return null
  if (type === 'currency' && isCountBesideMoney(text, entry, conventions)) return null
  const values = findInRegion(region, entry, search)
  const [first] = values
  if (first === undefined) return type === 'percent' ? readPercentInLabel(text, entry, conventions) : null
  if (type === 'list' && normalizeForMatch(entry.label) !== search.name && !isList(first, entry.label)) return null
  const behind = region.slice(first.end)
  if (isOfOtherUnit(behind, search)) return null
  const stray = region.trim().length - (first.end - first.start)
  const fit = values.length > 1 ? FIT.several : stray > STRAY_CHARACTERS ? FIT.stray : FIT.exact
  return { ...first, start: entry.start + first.start, end: entry.start + first.end, fit }
}

function isOfOtherUnit(behind: string, { type, unit, keys }: FieldSearch): boolean {
  return (unit !== null && hasOtherUnit(behind, unit)) || (type === 'currency' && isForOtherPeriod(behind, keys))
}

/** A longer line is no row, and is not read once for each of its values. */
const MAX_ROW_CHARACTERS = 500

/** Position numbers and counts have no mark and no decimals, unlike the amounts of their row. */
function isCountBesideMoney(text: string, { start, end }: Entry, conventions: Conventions): boolean {
  if (!/^\s*\d{1,4}\s*$/.test(text.slice(start, end))) return false
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, (text.indexOf('\n', end) + 1 || text.length + 1) - 1)
  return line.length <= MAX_ROW_CHARACTERS && findMoney(line, conventions).length > 0
}

function findInRegion(
  region: string,
  { label, contextLabel }: Entry,
  { type, conventions }: FieldSearch,
): FoundValue[] {
  const local = withNamedCurrency(`${label} ${contextLabel}`, conventions)
  const all = findValues(region, type, local)
  const isNumber = type === 'number' || type === 'integer'
  const others: readonly ValueType[] = ['date', 'email', 'phone', 'url']
  const of: readonly ValueType[] = type === 'integer' ? [...others, 'currency', 'percent'] : others
  const found = isNumber ? dropOverlapping(all, region, { of, conventions }) : all
  if (found.length > 0) return found
  const isRate = RATE_LABEL.test(label.replaceAll(RATE, ''))
  if (type === 'currency' && !isRate) return findBareMoney(region, local)
  return type === 'percent' && isRate && /^\s*[-−]?[\d.,]+\s*$/.test(region) ? findValues(region, 'number', local) : []
}

/** A single item is a list only below a plural label or the exact asked label. */
function isList({ value }: FoundValue, label: string): boolean {
  return Array.isArray(value) && (value.length > 1 || /s$/i.test(label.trim()))
}

/**
 * Applies a currency code in the label, such as `Cost (USD)` or `Total (AUD)`, to symbols and bare
 * numbers.
 */
function withNamedCurrency(label: string, conventions: Conventions): Conventions {
  const words = [...label.matchAll(/(?<![A-Z])[A-Z]{3}(?![A-Z])/g)]
  const named = words.map(([word]) => resolveCurrency(word, conventions)).find((code) => code !== null)
  return named === undefined ? conventions : { ...conventions, currency: named, dollar: named }
}

/** Reads the rate from the label of its amount: `VAT (20%)   £210.00`. */
function readPercentInLabel(text: string, entry: Entry, conventions: Conventions): ReadValue | null {
  const line = text.lastIndexOf('\n', entry.start - 1) + 1
  const at = text.slice(line, entry.start).lastIndexOf(entry.label)
  const [percent] = findValues(entry.label, 'percent', conventions)
  if (at < 0 || percent === undefined) return null
  const start = line + at
  return { ...percent, start: start + percent.start, end: start + percent.end, fit: FIT.exact }
}

const MAX_CHARACTERS = 200
/** Numbers of accounts, orders and people are no longer. */
const MAX_NUMBER_CHARACTERS = 60
/** Removes the date of a numbered document: `BE-1902 vom 12.05.2026`. */
const DATE_SUFFIX = /\s+(?:vom|dated|du|del|of|from)\s+(?:the\s+)?\d[^\n]*$/iu
/** Same in a script without spaces: `邵文澜，电话010-5550-1199`. */
const UNSPACED_CONTACT_SUFFIX =
  /(?<=^[\p{Script=Han}\p{Script=Katakana}ー·・]{2,20})[，,、（(]\s?\p{L}{0,6}[:：]?\+?[\d(（].*$/su
/** Removes contact data after a name: `Ralf Albrecht, Tel. 07361 889900`. */
const CONTACT_SUFFIX = new RegExp(
  String.raw`(?<=^[^\d\n,;]{4,60}),\s(?:t[eé]l|phone|telefon|mobile?|handy|e-?mail|fax|geb|geboren|born|née?|dob|` +
    String.raw`nacid[oa])(?!\p{L}).*$`,
  'isu',
)
/** Removes an address with a house number after a name: `Ann Lee, 12 Quay Road, Bray`. */
const ADDRESS_SUFFIX = /(?<=^[^\d\n,;]{4,60}),\s(?=[^\d\n,;]{0,40}\d{1,4}[a-z]?(?:[ ,]|$))(?=[^,;]*\p{L}{3}).*$/su
const CODE_KEYS = ['number', 'reference', 'booking_reference']
const CONTACT_KEYS = ['phone', 'email', 'fax', 'address', 'birth', 'contact']
/** A name with other sentences behind: `Ruth Ndlovu. Opens at 8:00.` */
const NAME_SENTENCE = /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){1,3}(?=\.\s+\p{Lu})/u
/** A longer text that ends with a full stop is a sentence. */
const MAX_LABEL_WORDS = 8
/**
 * Fields whose value is a name: it starts with a capital, or with a letter of a script without
 * case.
 */
export const NAME_KEYS = [
  'name',
  'customer',
  'supplier',
  'employer',
  'employee',
  'tenant',
  'landlord',
  'manager',
  'author',
]

/** Values of these fields have a form, in any language. "Email provider" is another field. */
const FORMS: readonly { key: string; form: RegExp }[] = [
  { key: 'phone', form: /\p{Nd}(?:\P{Nd}{0,3}\p{Nd}){2}/u },
  { key: 'fax', form: /\p{Nd}(?:\P{Nd}{0,3}\p{Nd}){2}/u },
  { key: 'email', form: /\S@\S/ },
  { key: 'website', form: /\S\.\S/ },
]
/** Words behind the name of a form: "Phone number". */
const FORM_ENDINGS = ['number', 'address']

function isSuitable(value: string, asked: FieldSearch['asked']): boolean {
  if (value === '' || value.length > MAX_CHARACTERS || /^[[{]/.test(value) || isProse(value)) return false
  const head = asked.findLast(({ keys }) => !FORM_ENDINGS.some((key) => keys.includes(key)))
  return FORMS.every(({ key, form }) => head?.keys.includes(key) !== true || form.test(value))
}

/**
 * Returns the text of an entry as a string, with single spaces; address lines are joined by commas.
 * Returns `null` for unsuitable text: a sentence, an identifier without digits, a name without
 * capitals, a date.
 */
function readString(
  text: string,
  entry: Entry,
  { keys, asked }: Pick<FieldSearch, 'keys' | 'asked'>,
): ReadValue | null {
  const kind = [...keys].find(isIdentifierKey)
  if (kind !== undefined) return readIdentifier(text, entry, kind)
  const whole = text
    .slice(entry.start, keys.has('address') ? entry.blockEnd : entry.end)
    .replace(/[。；\s]+$|(?<=\p{Ll}{3})\.\s*$/u, '')
  const isAlone = !CONTACT_KEYS.some((key) => keys.has(key))
  const undated = keys.has('number') ? whole.replace(DATE_SUFFIX, '') : whole
  const isName = !keys.has('number') && NAME_KEYS.some((key) => keys.has(key))
  const named = isName && !isDate(undated) ? undated.replace(ADDRESS_SUFFIX, '') : undated
  const raw = isAlone
    ? withoutIdentifier(named.replace(CONTACT_SUFFIX, '').replace(UNSPACED_CONTACT_SUFFIX, ''))
    : undated
  const isCode = CODE_KEYS.some((key) => keys.has(key))
  const [name] = (!isCode && NAME_SENTENCE.exec(undated)) || []
  if (name !== undefined) return { value: name, start: entry.start, end: entry.start + name.length, fit: 1 }
  const value = raw.replaceAll(/,?\s*\n\s*/g, ', ').replaceAll(/\s+/g, ' ')
  if (!isSuitable(value, asked)) return null
  if (isCode && (!/\d/.test(value) || value.length > MAX_NUMBER_CHARACTERS || isDate(value))) return null
  if (keys.has('location') && beginsWithDate(value)) return null
  if (isName && (!/^\P{L}*[\p{Lu}\p{Lo}]/u.test(value) || isDate(value))) return null
  return { value, start: entry.start, end: entry.start + raw.length, fit: 1 }
}

/** Removes an identifier with its label after a name: `Acme Ltd, VAT no. GB 123 4567 82`. */
function withoutIdentifier(value: string): string {
  const [identifier] = findLabelledIdentifiers(value)
  const before = value.slice(0, identifier?.labelStart ?? 0)
  return BEHIND_NAME.test(before) ? before.replace(BEHIND_NAME, '') : value
}

/** What separates a name from the identifier behind. */
const BEHIND_NAME = /(?<=\p{L}.*)\s*[,;(·|–—]\s*$/u

/** Returns the identifier that a cell begins with; text of another form is no identifier. */
function readIdentifier(text: string, { start, end }: Entry, kind: string): ReadValue | null {
  const [found] = findIdentifiers(text.slice(start, end), kind)
  if (found === undefined || found.start > MAX_BEFORE_IDENTIFIER) return null
  const place = { start: start + found.start, end: start + found.end }
  const value = text.slice(place.start, place.end).replaceAll(/\s+/g, ' ')
  return { value, ...place, fit: found.isValid ? 1 : UNVERIFIED_FIT }
}

function isDate(value: string): boolean {
  const [date] = findDates(value, { dateOrder: 'dmy' })
  return date !== undefined && date.end - date.start > value.length / 2
}

/** "14 July 2026, in the vestry" is the date of a meeting, and no place. */
function beginsWithDate(value: string): boolean {
  return findDates(value, { dateOrder: 'dmy' })[0]?.start === 0
}

/** Sentences describe a field rather than state its value. */
function isProse(value: string): boolean {
  return /[\p{Ll})]{2}[.!?]\s+\p{Lu}/u.test(value) || (value.endsWith('.') && value.split(' ').length > MAX_LABEL_WORDS)
}
