import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatNumber } from '../../list-numbers.ts'
import type { List, ListLevel } from './numbering.ts'
import { createListCounters } from './numbering.ts'

function level(text: string, more: Partial<ListLevel> = {}): ListLevel {
  return { start: 1, format: 'decimal', text, restartAfter: null, isLegal: false, styleId: null, ...more }
}

function list(levels: readonly ListLevel[], more: Partial<List> = {}): List {
  return { definitionId: 'd', levels: new Map(levels.entries()), starts: new Map(), ...more }
}

test("lists with the same definition continue each other's numbers unless restarted", () => {
  const levels = [level('%1.')]
  const counters = createListCounters(
    new Map([
      ['1', list(levels)],
      ['2', list(levels)],
      ['3', list(levels, { starts: new Map([[0, 10]]) })],
    ]),
  )
  const next = (id: string) => counters.next(id, 0, null)
  assert.deepEqual([next('1'), next('2'), next('3'), next('3'), next('1')], ['1.', '2.', '10.', '11.', '12.'])
})

test('deeper levels restart unless set to never restart', () => {
  const levels = [level('%1'), level('%1.%2'), level('%3', { restartAfter: 0 })]
  const counters = createListCounters(new Map([['1', list(levels)]]))
  const shown = [0, 1, 1, 2, 0, 1, 2].map((at) => counters.next('1', at, null))
  assert.deepEqual(shown, ['1', '1.1', '1.2', '1', '2', '2.1', '2'])
})

test('legal numbering is decimal throughout, and a level may be linked to a style', () => {
  const levels = [level('%1', { format: 'upperRoman' }), level('%1.%2', { isLegal: true, styleId: 'Clause' })]
  const counters = createListCounters(new Map([['1', list(levels)]]))
  assert.deepEqual([counters.next('1', 0, null), counters.next('1', null, 'Clause')], ['I', '1.1'])
  assert.equal(counters.next('99', 0, null), null)
})

test('an unknown format is decimal, whatever its name', () => {
  assert.deepEqual(
    ['hebrew1', 'constructor', '__proto__'].map((format) => formatNumber(3, format)),
    ['3', '3', '3'],
  )
})

test('numbers are formatted in every common form', () => {
  const cases: readonly (readonly [number, string, string])[] = [
    [4, 'decimal', '4'],
    [4, 'decimalZero', '04'],
    [1994, 'upperRoman', 'MCMXCIV'],
    [4, 'lowerRoman', 'iv'],
    [28, 'upperLetter', 'BB'],
    [3, 'lowerLetter', 'c'],
    [22, 'ordinal', '22nd'],
    [13, 'ordinal', '13th'],
    [21, 'chineseCounting', '二十一'],
    [3, 'decimalEnclosedCircle', '③'],
    [5, 'none', ''],
    [5, 'somethingNew', '5'],
  ]
  for (const [value, format, shown] of cases) assert.equal(formatNumber(value, format), shown, format)
})
