import { normalizeWordForMatch } from '../../analysis/fold.ts'
import { listPlainNumbers, plainNumber } from '../../analysis/plain-number.ts'
import { NORMALIZED, wordPattern } from '../../phrases.ts'
import type { AskedWord, PlacedWord } from './asked-words.ts'
import { isAmong } from './other-entities.ts'

/** A text with its words. `plain` is in the form of `normalizeForMatch`. */
export type PlacedText = { text: string; plain: string; placed: readonly PlacedWord[] }

/** True if a text has an asked word. */
export function isPresent(asked: readonly AskedWord[], index: number, { plain, placed }: PlacedText): boolean {
  const word = asked[index]
  if (word === undefined) return false
  return (word.isLiteral && plain.includes(word.text)) || placed.some((one) => one.asked.has(index))
}

/** Same as `isPresent`, but a number has to be the number of the thing asked for. */
export function holds(asked: readonly AskedWord[], index: number, text: PlacedText): boolean {
  const word = asked[index]
  if (word?.isNumeric && RANGE.test(text.text) && isInRange(word.text, text.text)) return true
  if (word === undefined || !isPresent(asked, index, text)) return false
  return word.isLiteral || !PLAIN_NUMBER.test(word.text) || isNumberOfNeighbour(asked, index, text.placed)
}

/** "and", in the form of `normalizeForMatch`. */
export const AND = new RegExp(`^(?:${wordPattern(({ answers }) => answers?.and, NORMALIZED)})$`, 'u')

const RANGE = /\p{Nd}[–-]\p{Nd}/u

function isInRange(number: string, text: string): boolean {
  return listPlainNumbers(text).some((other) => other.includes('-') && isAmong(other, [plainNumber(number)]))
}

const PLAIN_NUMBER = /^(?:\p{Nd}{1,4}|\p{Lu})$/u

/**
 * "zone 1" is not in `zone 2 costs 1 euro`. A number has to be next to its neighbour if that
 * occurs.
 */
function isNumberOfNeighbour(asked: readonly AskedWord[], index: number, placed: readonly PlacedWord[]): boolean {
  const { before = null, after = null } = asked[index] ?? {}
  const beside = [before, after].filter((neighbour) => neighbour?.gap === '').map((neighbour) => neighbour?.index ?? -1)
  const there = beside.filter((neighbour) => placed.some((one) => one.asked.has(neighbour)))
  if (there.length === 0) return true
  // "Row 10 seats 22 guests" is not about "row 22", although the number is beside "seats".
  const numbered = placed.filter(
    ({ isNumeric }, at) => isNumeric && before?.gap === '' && placed[at - 1]?.asked.has(before.index),
  )
  if (numbered.length > 0 && !numbered.some((one) => one.asked.has(index))) return isInList(placed, index)
  return placed.some(
    (one, at) =>
      one.asked.has(index) &&
      [placed[findListStart(placed, at) - 1], one, placed[at + 1]].some((other) =>
        there.some((neighbour) => other?.asked.has(neighbour)),
      ),
  )
}

/** True for the second of two numbers: `13` in "error 12 and 13". */
function isInList(placed: readonly PlacedWord[], index: number): boolean {
  return placed.some((one, at) => one.asked.has(index) && findListStart(placed, at) !== at)
}

/** Returns the place of the first of two numbers: of `12` in "error 12 and 13". */
function findListStart(placed: readonly PlacedWord[], at: number): number {
  const [first, and] = [placed[at - 2], placed[at - 1]]
  return first?.isNumeric && and !== undefined && AND.test(normalizeWordForMatch(and.text)) ? at - 2 : at
}

/** True if a text has an asked word next to one of its neighbours of the question. */
export function isBesideNeighbour(asked: readonly AskedWord[], index: number, { placed }: PlacedText): boolean {
  const word = asked[index]
  const neighbours = [word?.before?.index, word?.after?.index].filter((one) => one !== undefined)
  if (neighbours.length === 0) return false
  const content = placed.filter(({ isFunction, asked: own }) => !isFunction || own.size > 0)
  return content.some(
    (one, at) =>
      one.asked.has(index) &&
      [content[at - 1], content[at + 1]].some((other) => neighbours.some((neighbour) => other?.asked.has(neighbour))),
  )
}
