import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import { analyzeQuery, toRetrievers } from './question.ts'

it('repeats terms that occur in several sentences of a query', () => {
  const asked = { query: 'Herons in winter. Where does a heron sleep?', mode: 'lexical' } as const
  const { terms } = toRetrievers(analyzeQuery(createAnalyzer(), asked, ['en']))
  assert.equal(terms?.filter((term) => term === 'heron').length, 2)
})
