import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEndingStripper } from './strip-endings.ts'

describe('createEndingStripper', () => {
  it('takes off as many letters of endings as stand at the end', () => {
    const strip = createEndingStripper({ letters: 'aiwom' })
    for (const form of ['kont', 'konto', 'kontami', 'kontaom']) assert.equal(strip(form), 'kont')
  })

  it('leaves so many letters in any case', () => {
    assert.equal(createEndingStripper({ letters: 'amo' })('mamo'), 'mam')
    assert.equal(createEndingStripper({ letters: 'amo', least: 2 })('mamo'), 'ma')
  })

  it('leaves a word whole that ends otherwise', () => {
    assert.equal(createEndingStripper({ letters: 'a' })('kont'), 'kont')
  })
})
