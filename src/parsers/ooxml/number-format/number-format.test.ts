import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DateSystem } from './format-date.ts'
import { formatDecimal } from './format-decimal.ts'
import type { FormatToken } from './format-tokens.ts'
import { createNumberFormat } from './number-format.ts'

const SHOWN: readonly (readonly [code: string, value: number, shown: string])[] = [
  ['0', 12.5, '13'],
  ['0.00', 1.005, '1.01'],
  ['0.00', -2.5, '-2.50'],
  ['#,##0', 1234567, '1,234,567'],
  ['#,##0.00 "€"', 1234.5, '1,234.50 €'],
  ['[$€-407] #,##0.00', 99, '€ 99.00'],
  ['"$"#,##0.00;("$"#,##0.00)', -12.3, '($12.30)'],
  ['"$"#,##0_);[Red]\\("$"#,##0\\)', -1200, '($1,200)'],
  ['_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-', 0, '-'],
  ['0%', 0.154, '15%'],
  ['0.0%', -0.154, '-15.4%'],
  ['0.00E+00', 12345, '1.23E+04'],
  ['##0.0E+0', 0.00012, '1.2E-4'],
  ['#,##0,', 1234567, '1,235'],
  ['0.0,,"M"', 1234567, '1.2M'],
  ['0.##', 1.5, '1.5'],
  ['#.##', 0.25, '.25'],
  ['00000', 42, '00042'],
  ['000-0000', 5551234, '555-1234'],
  ['(000) 000-0000', 5551234567, '(555) 123-4567'],
  ['0" km"', 5, '5 km'],
  ['General" units"', 5, '5 units'],
  ['[>=1000]#,##0," k";0', 25000, '25 k'],
  ['[>=1000]#,##0," k";0', 25, '25'],
  ['0;-0;"none"', 0, 'none'],
  ['# ?/?', 0.5, '0.5'],
]

for (const [code, value, shown] of SHOWN) {
  test(`${value} in the format ${code} is displayed as ${shown}`, () => {
    assert.equal(createNumberFormat(code, '1900').formatted(value), shown)
  })
}

// Linear time: a search for a literal before each placeholder would be quadratic.
test('a format of very many places is filled', () => {
  const section = Array.from({ length: 400_000 }, (): FormatToken => ({ kind: 'digit', text: '#' }))
  assert.equal(formatDecimal(12, section), '12')
})

const DATES: readonly (readonly [code: string, serial: number, shown: string, raw: string, system?: DateSystem])[] = [
  ['yyyy-mm-dd', 45352, '2024-03-01', '2024-03-01'],
  ['d-mmm-yy', 45352, '1-Mar-24', '2024-03-01'],
  ['dddd, d mmmm yyyy', 45352, 'Friday, 1 March 2024', '2024-03-01'],
  ['[$-407]dd.mm.yyyy', 45352, '01.03.2024', '2024-03-01'],
  ['m/d/yyyy h:mm', 45352.75, '3/1/2024 18:00', '2024-03-01 18:00:00'],
  ['h:mm AM/PM', 0.75, '6:00 PM', '18:00:00'],
  ['mm:ss.0', 0.000011574, '00:01.0', '00:00:01'],
  ['[h]:mm', 1.5, '36:00', '1.5'],
  ['yyyy-mm-dd', 0, '1904-01-01', '1904-01-01', '1904'],
  ['yyyy-mm-dd', 59, '1900-02-28', '1900-02-28'],
  ['yyyy-mm-dd', 61, '1900-03-01', '1900-03-01'],
  ['yyyy-mm-dd', -5, '-5', '-5'],
  ['yyyy-mm-dd', 9e9, '9000000000', '9000000000'],
]

for (const [code, serial, shown, raw, system = '1900'] of DATES) {
  test(`day ${serial} (${system}) in the format ${code} is displayed as ${shown} and stored as ${raw}`, () => {
    const format = createNumberFormat(code, system)
    assert.equal(format.formatted(serial), shown)
    assert.equal(format.raw(serial), raw)
  })
}

test('malformed formats display the plain number', () => {
  for (const code of ['', ';', '[', '"', '[$', ';;;', '[>]0;', 'E+']) {
    assert.match(createNumberFormat(code, '1900').formatted(3), /3|^$/, code)
  }
})
