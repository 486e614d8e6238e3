import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { estimatePromptTokens, estimateTokens } from './estimate-tokens.ts'

describe('estimateTokens', () => {
  it('takes three and a half characters for a token', () => assert.equal(estimateTokens('x'.repeat(35)), 10))
  it('takes every character of a dense script for a token', () => assert.equal(estimateTokens('東京都に住む'), 6))
  it('finds nothing in nothing', () => assert.equal(estimateTokens(''), 0))
  it('counts the frame of each message and each picture', () =>
    assert.equal(estimatePromptTokens([{ text: 'x'.repeat(7) }, { text: '', pictures: [0, 0] }]), 7 + 5 + 3000))
})
