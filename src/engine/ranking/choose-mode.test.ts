import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseMode } from './choose-mode.ts'

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

  it('is decided in time that grows with the query alone: this one took minutes', { timeout: 20_000 }, () => {
    assert.equal(chooseMode(`${'?'.repeat(300_000)}x`), 'hybrid')
  })
})
