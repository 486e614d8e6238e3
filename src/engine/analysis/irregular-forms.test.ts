import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from './analyzer.ts'

describe('irregular forms of English words', () => {
  const analyzer = createAnalyzer()

  const cases: [form: string, base: string][] = [
    ['bought', 'buying'],
    ['written', 'writes'],
    ['Went', 'going'],
    ['ate', 'eat'],
    ['children', "child's"],
    ['knives', 'knife'],
  ]
  for (const [form, base] of cases) {
    it(`have one term: ${form} and ${base}`, () => {
      const [term] = analyzer.terms(form, 'en')
      assert.equal(analyzer.terms(base, 'en')[0], term)
    })

    it(`are found in a text: ${form} by ${base}`, () => {
      const { terms } = analyzer.queryTerms(`They ${base}`, ['en'])
      assert.ok(
        analyzer.findTerms(`Nobody ${form} here`, terms, ['en']).some(({ start }) => start === 'Nobody '.length),
      )
    })
  }

  it('are words of their own in other languages, and where they are as often others', () => {
    assert.deepEqual(analyzer.terms('found', 'de'), ['found'])
    assert.deepEqual(analyzer.terms('wound led people', 'en'), ['wound', 'led', 'peopl'])
    assert.deepEqual(
      analyzer.terms('live lives bit bits thought thoughts', 'en'),
      'live live bit bit think think'.split(' '),
    )
  })
})
