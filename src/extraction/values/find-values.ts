import { ITEM_MARK } from '../../engine/markup.ts'
import { findEmails, findPhones, findUrls } from './find-contacts.ts'
import { findDates } from './find-dates.ts'
import { findMoney } from './find-money.ts'
import { findIntegers, findNumbers, findPercents, narrowDigits } from './find-numbers.ts'
import { type Conventions, createOverlaps, type FoundValue, type ValueType } from './value.ts'

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

/** The values that share nothing with a value of other types in the text: the 800 of `0800 555 0133` is no number. */
export function leaveOutParts(
  values: readonly FoundValue[],
  text: string,
  { of, conventions }: { of: readonly ValueType[]; conventions: Conventions },
): FoundValue[] {
  if (values.length === 0) return []
  const isPart = createOverlaps(of.flatMap((type) => findValues(text, type, conventions)))
  return values.filter((value) => !isPart(value))
}

function wholeText(text: string): FoundValue[] {
  const trimmed = text.trim()
  const start = text.indexOf(trimmed)
  return trimmed === '' ? [] : [{ value: trimmed.replaceAll(/\s+/g, ' '), start, end: start + trimmed.length }]
}

const YES = 'yes|true|ja|oui|sí|si|sim|tak|да|y|x|是|有|はい|예'
const NO = 'no|false|nein|non|não|nie|нет|n|none|否|没有|沒有|いいえ|아니오'
const WORDS = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:(${YES})|(${NO}))(?![\p{L}\p{N}]|[-'’]\p{L})`, 'giu')
const TICKED = String.raw`\[[xX✓✔]\]|\([xX]\)|[☒☑✓✔✅🗹]`
const UNTICKED = String.raw`\[[ _]?\]|\(\s\)|[☐□◻✗✘❌]`
const BOX = new RegExp(`(${TICKED})|(${UNTICKED})`, 'gu')
const ANSWER = new RegExp(String.raw`^\s*(?:(${YES})|(${NO}))(?![\p{L}\p{N}])`, 'iu')

/**
 * The answers yes and no of a text, as words of several languages or as boxes. Of boxes that name their answers the
 * ticked one counts (`[ ] yes [x] no`); a box alone is its own answer. Where a choice has several ticks, there is none.
 */
function findBooleans(text: string): FoundValue[] {
  const boxes = [...text.matchAll(BOX)].map((match) => ({
    isTicked: match[1] !== undefined,
    start: match.index,
    end: match.index + match[0].length,
    answer: ANSWER.exec(text.slice(match.index + match[0].length)),
  }))
  if (boxes.length === 0) return findWords(text)
  const named = boxes.filter(({ answer }) => answer !== null)
  if (named.length === 0) return boxes.map(({ isTicked, start, end }) => ({ value: isTicked, start, end }))
  const ticked = named.filter(({ isTicked }) => isTicked)
  return ticked.length > 1
    ? []
    : ticked.map(({ answer, start, end }) => ({
        value: answer?.[1] !== undefined,
        start,
        end: end + (answer?.[0].length ?? 0),
      }))
}

function findWords(text: string): FoundValue[] {
  return [...text.matchAll(WORDS)].map((match) => ({
    value: match[1] !== undefined,
    start: match.index,
    end: match.index + match[0].length,
  }))
}

const BULLET = new RegExp(String.raw`^[ \t]*${ITEM_MARK}[ \t]+(\S.*)$`, 'u')
const LAST = /,? (?:and|und|et|y|e|&) /iu
/** `2019 – 2022  Engineer, Acme`: a line that begins with a year is an item, whatever is in it. */
const DATED = /^\s*(?:\p{L}{3,9}\.?\s)?(?:\d{1,2}[./])?(?:19|20)\d{2}(?!\d)/u
/** Items are names of things: what is longer is prose with commas in it. */
const MAX_ITEM_CHARACTERS = 120
const MAX_ITEMS = 200

/**
 * The list that a text is, as one value: bulleted or numbered lines, a JSON array, else parts between semicolons, else
 * between commas and a last "and", else lines. Empty where there is no item, or where the text is prose.
 */
function splitList(text: string): FoundValue[] {
  const trimmed = text.trim()
  const start = text.indexOf(trimmed)
  const items = itemsOf(trimmed)
    .map((item) =>
      item
        .replaceAll(/\s+/g, ' ')
        .trim()
        .replace(/[.,;]$/, ''),
    )
    .filter((item) => item !== '')
  if (items.length === 0 || items.some((item) => item.length > MAX_ITEM_CHARACTERS)) return []
  return [{ value: items.slice(0, MAX_ITEMS), start, end: start + trimmed.length }]
}

function itemsOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const bulleted = lines.map((line) => BULLET.exec(line)?.[1])
  if (lines.length > 0 && bulleted.every((item) => item !== undefined)) return bulleted
  if (/^\[.*\]$/s.test(text))
    return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s,"[\]]+)/g)].map(([, a, b]) => a ?? b ?? '')
  if (lines.length > 1 && lines.every((line) => DATED.test(line))) return lines
  if (text.includes(';')) return text.split(';')
  if (lines.length > 1 && !text.includes(',')) return lines
  const parts = text.split(/,\s+|\n| [|/·•] /u)
  const last = parts.pop() ?? ''
  // White space made single first: a long run of it would be gone through from each of its places.
  return [...parts, ...last.replaceAll(/\s+/g, ' ').split(LAST)]
}
