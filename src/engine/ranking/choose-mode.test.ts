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
  '"',
]

describe('auto', () => {
  for (const query of LEXICAL) it(`is lexical for ${query}`, () => assert.equal(chooseMode(query), 'lexical'))
  for (const query of HYBRID) {
    it(`is hybrid for ${JSON.stringify(query)}`, () => assert.equal(chooseMode(query), 'hybrid'))
  }
})
