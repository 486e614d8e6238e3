import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from './analyzer.ts'
import { classicalForms } from './classical-forms.ts'

describe('Greek and Latin words of English', () => {
  const analyzer = createAnalyzer()

  const cases: [one: string, several: string][] = [
    ['diagnosis', 'diagnoses'],
    ['bacterium', 'bacteria'],
    ['nucleus', 'nuclei'],
    ['matrix', 'matrices'],
    ['index', 'indices'],
    ['carcinoma', 'carcinomata'],
    ['foramen', 'foramina'],
    ['criterion', 'criteria'],
    ['mitochondrion', 'mitochondria'],
    ['locus', 'loci'],
  ]
  for (const [one, several] of cases) {
    it(`are looked up in either number: ${one} and ${several}`, () => {
      const [single, plural] = analyzer.terms(`${one} ${several}`, 'en')
      assert.ok(analyzer.queryTerms(one, ['en']).forms.includes(plural ?? ''))
      assert.ok(analyzer.queryTerms(several, ['en']).forms.includes(single ?? ''))
    })
  }

  it('are none where a word is short or ends otherwise, and in other languages', () => {
    for (const word of ['gas', 'era', 'gum', 'library']) assert.deepEqual(classicalForms(word), [])
    assert.deepEqual(
      analyzer.queryTerms('Thesis', ['de']).forms.filter((form) => form.startsWith('these')),
      [],
    )
  })
})
