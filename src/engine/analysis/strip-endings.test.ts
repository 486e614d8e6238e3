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

  it('takes some letters only behind another letter of endings', () => {
    const strip = createEndingStripper({ letters: 'ai', inside: 'y' })
    for (const form of ['nadi', 'nadiya', 'nadiy']) assert.equal(strip(form), 'nad')
    for (const form of ['kalpy', 'kalpya']) assert.equal(strip(form), 'kalpy')
  })

  it('leaves a word whole that ends otherwise', () => {
    assert.equal(createEndingStripper({ letters: 'a' })('kont'), 'kont')
  })
})
