import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseExpiry } from './options.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')

describe('parseExpiry', () => {
  const good: readonly (readonly [string, string])[] = [
    ['12h', '2026-11-21T22:00:00.000Z'],
    ['90d', '2027-02-19T10:00:00.000Z'],
    ['2w', '2026-12-05T10:00:00.000Z'],
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T12:00+02:00', '2027-01-31T10:00:00.000Z'],
  ]
  for (const [text, expected] of good) {
    it(`takes ${text}`, () => assert.equal(parseExpiry(text, NOW), expected))
  }

  for (const text of ['', 'soon', '90', '0d', '2027-13-01', '2027-01-31T12:00', '2026-11-20', '2026-11-21T10:00:00Z']) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parseExpiry(text, NOW), { exitCode: 1 }))
  }
})
