import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from './analyzer.ts'

describe('what several sentences of a query have', () => {
  const analyzer = createAnalyzer()
  const repeatedIn = (query: string, ...languages: string[]) => analyzer.queryTerms(query, languages).repeated.sort()

  it('is given again for each further sentence, up to three times', () => {
    assert.deepEqual(repeatedIn('Heat pumps. How does a pump freeze? Costs: Pumps cost; What pumps!\nPump', 'en'), [
      'cost',
      'pump',
      'pump',
      'pump',
    ])
    assert.deepEqual(repeatedIn('热泵。热泵！', 'zh'), ['热泵'])
  })

  it('counts once in a sentence, also in one with abbreviations, and in every language of the memory together', () => {
    assert.deepEqual(repeatedIn('a wing-body, i.e. a wing with a body', 'en'), [])
    assert.deepEqual(repeatedIn('a wing-body, i.e.  a wing with a body', 'en'), [])
    assert.deepEqual(repeatedIn('Photon? A photon.', 'en', 'de'), ['photon'])
  })
})
