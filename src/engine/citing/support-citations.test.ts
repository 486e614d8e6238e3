import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { resolveCitations } from './resolve-citations.ts'
import { findSupport, supportCitations, supportSettledCitations } from './support-citations.ts'

const analyzer = createAnalyzer()
const SOURCES = [
  'Pets are allowed. The rent is 1,250 euros a month.',
  'The crane lifts 40 tons. It was repaired in 1987.',
]

function support(text: string): [number, string][] {
  const { answer, citations } = resolveCitations(text, SOURCES.length)
  const found = supportCitations(analyzer, { answer, citations, sources: SOURCES, languages: ['en'] })
  return found.map(({ index, start, end }) => [index, SOURCES[index - 1]?.slice(start, end) ?? ''])
}

test('each citation has the sentence of its source that supports its own sentence', () => {
  assert.deepEqual(support('The rent is 1,250 euros [1]. Pets are allowed [1]. The repair was in 1987 [2].'), [
    [1, 'The rent is 1,250 euros a month.'],
    [1, 'Pets are allowed.'],
    [2, 'It was repaired in 1987.'],
  ])
})

test('a mark after the full stop supports the sentence before', () => {
  assert.deepEqual(support('The rent is 1,250 euros. [1] The crane lifts 40 tons. [2]'), [
    [1, 'The rent is 1,250 euros a month.'],
    [2, 'The crane lifts 40 tons.'],
  ])
})

test('a citation without a sentence has the whole of its source', () => {
  assert.deepEqual(support('[2]'), [[2, SOURCES[1] ?? '']])
})

test('during generation a citation is returned once its sentence is complete', () => {
  const read = (text: string, known: number) => {
    const cited = { ...resolveCitations(text, SOURCES.length), sources: SOURCES, languages: ['en'] }
    return supportSettledCitations(analyzer, cited, known).map(({ index }) => index)
  }
  assert.deepEqual(read('The rent is 1,250 euros [1]', 0), [])
  assert.deepEqual(read('The rent is 1,250 euros. [1]', 0), [])
  assert.deepEqual(read('The rent is 1,250 euros. [1] The crane', 0), [1])
  assert.deepEqual(read('The rent is 1,250 euros. [1] The crane lifts 40 tons. [2] It', 1), [2])
})

const TEXT =
  'The depot keeps spare lamps. Lamps are changed every two years. The harbour crane was repaired in 1987 by Mara Lindqvist. ' +
  'It lifts up to 40 tons. Visitors need a pass.'

function sentenceFor(claim: string, text = TEXT): string {
  const { start, end } = findSupport(analyzer, { claim, text, languages: ['en'] })
  return text.slice(start, end)
}

test('the sentence with most of the claim is the support', () => {
  assert.equal(
    sentenceFor('Mara Lindqvist repaired the crane in 1987'),
    'The harbour crane was repaired in 1987 by Mara Lindqvist.',
  )
})

test('adjacent sentences are included if the claim spans them', () => {
  assert.equal(
    sentenceFor('The crane of the harbour, repaired in 1987, lifts 40 tons'),
    'The harbour crane was repaired in 1987 by Mara Lindqvist. It lifts up to 40 tons.',
  )
})

test('a claim in other words has the whole text as support', () => {
  assert.equal(sentenceFor('Nothing alike', '  The gate opens.  '), 'The gate opens.')
})

test('an empty text gives an empty span', () => {
  assert.equal(sentenceFor('anything', '   '), '')
})

test('a negated claim is cited to what negates it, not to another negation', () => {
  const lease =
    'The rent may rise once a year, not before March. The deposit is 1,670 euros. Dogs are welcome in the garden. Dogs are prohibited in the flat.'
  assert.equal(sentenceFor('The deposit is not 1,670 euros', lease), 'The deposit is 1,670 euros.')
  assert.equal(sentenceFor('Dogs are not welcome inside', lease), 'Dogs are prohibited in the flat.')
})
