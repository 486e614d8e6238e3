import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findValues } from './find-values.ts'
import { readConventions } from './read-conventions.ts'
import { readValueType, type ValueType } from './value.ts'

const CONVENTIONS = readConventions('', null)

function values(text: string, type: ValueType): unknown[] {
  return findValues(text, type, CONVENTIONS).map(({ value }) => value)
}

test('reads yes and no in several languages', () => {
  assert.deepEqual(values('yes', 'boolean'), [true])
  assert.deepEqual(values('Nein', 'boolean'), [false])
  assert.deepEqual(values('oui', 'boolean'), [true])
  assert.deepEqual(values('perhaps', 'boolean'), [])
})

test('reads the ticked box; two ticks give no value', () => {
  assert.deepEqual(values('[ ] Yes   [x] No', 'boolean'), [false])
  assert.deepEqual(values('☒ Yes  ☐ No', 'boolean'), [true])
  assert.deepEqual(values('☒', 'boolean'), [true])
  assert.deepEqual(values('[ ]', 'boolean'), [false])
  assert.deepEqual(values('[x] yes [x] no', 'boolean'), [])
})

test('lower-cases e-mail addresses and ends them at the sentence', () => {
  assert.deepEqual(values('Write to Dana.W@Quillon.example.', 'email'), ['dana.w@quillon.example'])
})

test('keeps plus and digits of telephone numbers and guesses no country', () => {
  assert.deepEqual(values('+44 113 496 0142', 'phone'), ['+441134960142'])
  assert.deepEqual(values('+49 (0)30 555 0123', 'phone'), ['+49305550123'])
  assert.deepEqual(values('(503) 555-0143', 'phone'), ['5035550143'])
  assert.deepEqual(values('08031 / 47 11 20', 'phone'), ['08031471120'])
  assert.deepEqual(values('0041 44 555 01 20', 'phone'), ['+41445550120'])
  assert.deepEqual(values('03-1234-5678', 'phone'), ['0312345678'])
})

test('rejects accounts, dates, amounts and year ranges as telephone numbers', () => {
  const text =
    'IBAN DE12 5001 0517 0648 4898 90, 01.03.2026, 1,250,000.00, 2014 – 2018, 01/2014 – 2018, 0900-1700, Fax (503) 555-0144, sort code 20-41-08'
  assert.deepEqual(values(text, 'phone'), [])
  assert.deepEqual(values('(16) (17) (18) (19), 86.5% (9857/11399), the scholar (973-1048)', 'phone'), [])
})

test('ignores a full stop without a space as URL', () => {
  assert.deepEqual(values('of 35 km.no definite end.It is so', 'url'), [])
})

test('returns URLs as written, without a trailing full stop', () => {
  assert.deepEqual(values('See https://harrow.example/help?a=1. Or www.northgate.example, or x@y.example', 'url'), [
    'https://harrow.example/help?a=1',
    'www.northgate.example',
  ])
})

test('splits bullets, semicolons, commas, lines and arrays into items', () => {
  const items = ['Python', 'SQL', 'Kafka']
  for (const text of [
    '- Python\n- SQL\n- Kafka',
    'Python, SQL and Kafka',
    'Python; SQL; Kafka',
    '["Python", "SQL", "Kafka"]',
    'Python\nSQL\nKafka',
  ])
    assert.deepEqual(values(text, 'list'), [items], text)
  assert.deepEqual(values('1. Insulate the roof\n2. Replace the pumps', 'list'), [
    ['Insulate the roof', 'Replace the pumps'],
  ])
})

test('reads type hints in any case; unknown and missing hints are strings', () => {
  assert.equal(readValueType('Date'), 'date')
  assert.equal(readValueType('colour'), 'string')
  assert.equal(readValueType(null), 'string')
})

test('reads full-width digits and preserves offsets', () => {
  const text = '共￥１３２，０００（税込）'
  assert.deepEqual(values(text, 'currency'), [{ amount: 132000, currency: 'JPY' }])
  const [found] = findValues(text, 'currency', CONVENTIONS)
  assert.equal(text.slice(found?.start, found?.end), '￥１３２，０００')
  assert.deepEqual(values('２０２４年１１月５日', 'date'), ['2024-11-05'])
  assert.deepEqual(values('１２．５％', 'percent'), [12.5])
  assert.deepEqual(values('０３－１２３４－５６７８', 'phone'), ['0312345678'])
})
