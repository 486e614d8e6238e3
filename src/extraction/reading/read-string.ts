import type { Entry } from '../layout/entry.ts'
import { findDates } from '../values/find-dates.ts'
import type { FieldSearch, ReadValue } from './field-search.ts'

const MAX_CHARACTERS = 200
/** Numbers of accounts, orders and people are no longer. */
const MAX_NUMBER_CHARACTERS = 60
/** `BE-1902 vom 12.05.2026`: the day of a numbered thing is no part of its number. */
const OF_DAY = /\s+(?:vom|dated|du|del|of|from)\s+(?:the\s+)?\d[^\n]*$/iu
/** `Ralf Albrecht, Tel. 07361 889900`: who asks for a name wants no more of it. */
const BEHIND_NAME =
  /(?<=^[^\d\n,;]{4,60}),\s(?:tel|phone|telefon|mobile?|handy|e-?mail|fax|geb|geboren|born|née?|dob|nacid[oa])(?!\p{L}).*$/isu
const CONTACTS = ['phone', 'email', 'fax', 'address', 'birth', 'contact']
/** A text of more words that ends with a full stop is a sentence. */
const MAX_WORDS = 8
/** Fields whose value is a name: it has a capital letter before any small one, or is written in letters that have no capitals. */
const NAMES = ['name', 'customer', 'supplier', 'employer', 'employee', 'tenant', 'landlord', 'manager', 'author']

/**
 * The text of an entry as a string, white space made single, the lines of an address joined by commas; `null` where it is
 * no value for the words that were asked: a sentence, a number without digits, a name without capitals, a date for either.
 */
export function readString(text: string, entry: Entry, { keys }: Pick<FieldSearch, 'keys'>): ReadValue | null {
  const whole = text.slice(entry.start, keys.has('address') ? entry.blockEnd : entry.end).trimEnd()
  const isAlone = !CONTACTS.some((key) => keys.has(key))
  const raw = (keys.has('number') ? whole.replace(OF_DAY, '') : whole).replace(isAlone ? BEHIND_NAME : /$^/, '')
  const value = raw.replaceAll(/,?\s*\n\s*/g, ', ').replaceAll(/\s+/g, ' ')
  if (value === '' || value.length > MAX_CHARACTERS || /^[[{]/.test(value) || isProse(value)) return null
  if (keys.has('number') && (!/\d/.test(value) || value.length > MAX_NUMBER_CHARACTERS || isDate(value))) return null
  const isName = !keys.has('number') && NAMES.some((key) => keys.has(key))
  if (isName && (!/^\P{L}*[\p{Lu}\p{Lo}]/u.test(value) || isDate(value))) return null
  return { value, start: entry.start, end: entry.start + raw.length, fit: 1 }
}

function isDate(value: string): boolean {
  const [date] = findDates(value, { dateOrder: 'dmy' })
  return date !== undefined && date.end - date.start > value.length / 2
}

/** A whole sentence, or several, is not the value of a field but speaks of it. */
function isProse(value: string): boolean {
  return /[\p{Ll})]{2}[.!?]\s+\p{Lu}/u.test(value) || (value.endsWith('.') && value.split(' ').length > MAX_WORDS)
}
