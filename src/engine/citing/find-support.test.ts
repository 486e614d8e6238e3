import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { findSupport } from './find-support.ts'

const analyzer = createAnalyzer()
const TEXT =
  'The depot keeps spare lamps. Lamps are changed every two years. The harbour crane was repaired in 1987 by Mara Lindqvist. ' +
  'It lifts up to 40 tons. Visitors need a pass.'

function support(claim: string, text = TEXT): string {
  const { start, end } = findSupport(analyzer, { claim, text, languages: ['en'] })
  return text.slice(start, end)
}

test('the sentence with most of the claim supports it', () => {
  assert.equal(
    support('Mara Lindqvist repaired the crane in 1987'),
    'The harbour crane was repaired in 1987 by Mara Lindqvist.',
  )
})

test('neighbours come along when the claim is spread over them', () => {
  assert.equal(
    support('The crane of the harbour, repaired in 1987, lifts 40 tons'),
    'The harbour crane was repaired in 1987 by Mara Lindqvist. It lifts up to 40 tons.',
  )
})

test('a claim in other words is supported by the text as a whole', () => {
  assert.equal(support('Nothing alike', '  The gate opens.  '), 'The gate opens.')
})

test('an empty text gives an empty span', () => {
  assert.equal(support('anything', '   '), '')
})
