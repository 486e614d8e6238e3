import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { estimatePromptTokens, estimateTokens } from './estimate-tokens.ts'

describe('estimateTokens', () => {
  it('counts 3.5 characters as a token', () => assert.equal(estimateTokens('x'.repeat(35)), 10))
  it('counts every character of a dense script as a token', () => assert.equal(estimateTokens('東京都に住む'), 6))
  it('returns 0 for an empty text', () => assert.equal(estimateTokens(''), 0))
  it('adds the overhead of each message and image', () =>
    assert.equal(estimatePromptTokens([{ text: 'x'.repeat(7) }, { text: '', pictures: [0, 0] }]), 7 + 5 + 3000))
})
