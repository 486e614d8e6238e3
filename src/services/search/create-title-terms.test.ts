import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import { createTitleTerms } from './create-title-terms.ts'

const titleTerms = createTitleTerms(createAnalyzer())

describe('createTitleTerms', () => {
  it('gives the terms of a title in the language of its document', () => {
    assert.deepEqual(titleTerms({ title: 'Pumps', filename: null, language: 'en' }), ['pump'])
    assert.deepEqual(titleTerms({ title: 'Pumpen', filename: 'p1.pdf', language: 'de' }), ['pump'])
  })

  // As small chunks of one title, texts that came one after the other lent each other scores: Chinese questions lost .3 points by it.
  it('gives none where a document has no title of its own', () => {
    assert.deepEqual(titleTerms({ title: 'Untitled', filename: null, language: 'en' }), [])
    assert.deepEqual(titleTerms({ title: 'pumps', filename: 'pumps.pdf', language: 'en' }), [])
  })
})
