import { findBooleans } from './find-booleans.ts'
import { findEmails, findPhones, findUrls } from './find-contacts.ts'
import { findDates } from './find-dates.ts'
import { findMoney } from './find-money.ts'
import { findIntegers, findNumbers, findPercents } from './find-numbers.ts'
import { narrowDigits } from './narrow-digits.ts'
import { splitList } from './split-list.ts'
import type { Conventions, FoundValue, ValueType } from './value.ts'

/**
 * Every value of a type that stands in a text, in order and none inside another, normalised: dates to ISO 8601 (a month
 * without a day to `2026-03`), numbers to numbers, lists to their items. A `string` or `list` is the whole text; it is
 * given only where there is any. Pure, and linear in the length of the text.
 */
export function findValues(text: string, type: ValueType, conventions: Conventions): FoundValue[] {
  const narrow = narrowDigits(text)
  switch (type) {
    case 'date':
      return findDates(narrow, conventions)
    case 'currency':
      return findMoney(narrow, conventions)
    case 'number':
      return findNumbers(narrow, conventions)
    case 'integer':
      return findIntegers(narrow, conventions)
    case 'percent':
      return findPercents(narrow, conventions)
    case 'boolean':
      return findBooleans(text)
    case 'email':
      return findEmails(text)
    case 'phone':
      return findPhones(narrow)
    case 'url':
      return findUrls(text)
    case 'list':
      return splitList(text)
    case 'string':
      return wholeText(text)
  }
}

function wholeText(text: string): FoundValue[] {
  const trimmed = text.trim()
  const start = text.indexOf(trimmed)
  return trimmed === '' ? [] : [{ value: trimmed.replaceAll(/\s+/g, ' '), start, end: start + trimmed.length }]
}
