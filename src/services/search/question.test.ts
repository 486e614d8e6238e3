import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import { analyzeQuery, toRetrievers } from './question.ts'

it('leaves out the frequent words of a language without documents', () => {
  const asked = { query: 'Which die is used for the Tesla coil?', mode: 'lexical' } as const
  const read = (...languages: string[]) => analyzeQuery(createAnalyzer(), asked, languages)
  // `for` and `the` are in most quotations of a German document.
  assert.deepEqual(read('de').contentTerms.includes('tesla'), true)
  for (const term of ['for', 'the', 'is']) assert.equal(read('de').terms.includes(term), false, term)
  assert.deepEqual([read('de').isForeign, read('de').languages], [true, ['en', 'de']])
  assert.deepEqual([read('en').isForeign, read('en', 'de').isForeign], [false, false])
})

it('repeats terms that occur in several sentences of a query', () => {
  const asked = { query: 'Herons in winter. Where does a heron sleep?', mode: 'lexical' } as const
  const { terms } = toRetrievers(analyzeQuery(createAnalyzer(), asked, ['en']))
  assert.equal(terms?.filter((term) => term === 'heron').length, 2)
})
