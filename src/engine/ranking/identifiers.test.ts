import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseMode, createIdentifierTest, listIdentifiers } from './identifiers.ts'

describe('identifiers of a text', () => {
  it('have a letter, and exclude surrounding marks', () => {
    const text = 'See "ERR_4012", (INV-2041) and getUserById; not 4012, nor well-known words. Mail a.b@c.org.'
    assert.deepEqual(listIdentifiers(text), ['ERR_4012', 'INV-2041', 'getUserById', 'a.b@c.org'])
  })

  it('do not occur in a script without spaces', () => assert.deepEqual(listIdentifiers('東京2024年'), []))
})

/** A query, and a text that speaks of another thing of the same kind. */
const OTHERS = [
  ['9f31c0a7be42', 'The commit 77ab0d19ce03 is the good one now.'],
  ['status of order ORD-88231', 'The status of order ORD-88232 is shipped.'],
  ['who signed the contract C2019/44?', 'The contract C2019/45 was signed by Ms Bello.'],
  ['is build 4d1f-99ab-c3e0 signed', 'Build 0be2-41cd-a777 is signed.'],
  ['parseDate()', 'parseTime() takes milliseconds.'],
  ['device SN7Q22K9 warranty', 'The warranty of device SN4X81L2 ends in May.'],
  ['HTTP_504', 'HTTP_503 means that the service is busy.'],
  ['user_name', 'The column user_mail is required.'],
  ['ticket ＡＢＣ-１２', 'Ticket ABC-13 is closed.'],
] as const

/** A query, and a text that may well be about the same. */
const SAME = [
  ['9F31C0A7BE42', 'The commit 9f31c0a7be42 is the good one now.'],
  ['covid19', 'COVID-19 tests are free again.'],
  ['v2.3', 'Version 2.3 drops the old format.'],
  ['ORD-88231 ORD-88232', 'ORD-88232 is shipped.'],
  ['Q4 budget', 'The fourth-quarter budget is final.'],
  ['which room has the H264 encoder', 'The encoder stands in room B12.'],
  ['does P2 follow P1', 'P1 incidents are acknowledged within 10 minutes.'],
  ['GitHub', "GitHub's mirror is read only."],
  ['iPhone', 'iPhones are handed out by the desk.'],
  ['user@example.com', 'Mail to <user@example.com> is answered on Mondays.'],
  ['how long is the warranty', 'The warranty of device SN4X81L2 ends in May.'],
] as const

describe('a text', () => {
  for (const [query, text] of OTHERS)
    it(`about identifiers other than "${query}" names others`, () =>
      assert.equal(createIdentifierTest(query)(text), true))

  for (const [query, text] of SAME)
    it(`that "${query}" may ask for names no others`, () => assert.equal(createIdentifierTest(query)(text), false))

  it('is compared in linear time, like the query', { timeout: 20_000 }, () => {
    const long = 'a1'.repeat(100_000)
    assert.equal(createIdentifierTest(long)(`${long}b ${'"'.repeat(100_000)}x ${'1-'.repeat(100_000)}`), true)
    const marks = `lift ${'.'.repeat(200_000)}a1`
    assert.equal(createIdentifierTest(marks)(`${'!'.repeat(200_000)}b`), false)
    const many = Array.from({ length: 20_000 }, (_, place) => `A${place}-x`).join(' ')
    const test = createIdentifierTest(many)
    for (let times = 0; times < 50; times += 1) test('Part B7-y is out of stock. '.repeat(300))
  })
})

const LEXICAL = [
  'P1',
  'ERR_4012',
  'v2.3.1',
  '4012',
  '#4012',
  'getUserById',
  'a.b@c.org',
  '"change freeze"',
  '“change freeze”',
  'INC-4021, INC-4022',
  '/v1/memories',
  'COVID-19?',
]
const HYBRID = [
  'how fast do we acknowledge a P1?',
  'refund',
  'GDPR',
  'what is "change freeze"?',
  'well-known',
  '',
  'P1 P2 P3 P4',
  '東京',
  '2024年营收是多少',
  'ปี2563มีนักเรียนกี่คน',
  '"',
]

describe('auto', () => {
  for (const query of LEXICAL) it(`is lexical for ${query}`, () => assert.equal(chooseMode(query), 'lexical'))
  for (const query of HYBRID) {
    it(`is hybrid for ${JSON.stringify(query)}`, () => assert.equal(chooseMode(query), 'hybrid'))
  }

  it('is decided in linear time: this query took minutes', { timeout: 20_000 }, () => {
    assert.equal(chooseMode(`${'?'.repeat(300_000)}x`), 'hybrid')
  })
})
