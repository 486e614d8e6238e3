import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRuns } from './find-runs.ts'

function marked(page: string, before: string, wanted: string): string[] {
  return findRuns([...page], { before, wanted }).map(({ start, end }) => [...page].slice(start, end).join(''))
}

test('finds a passage across lines, hyphens, ligatures and case', () => {
  const page = 'The of\ufb01ce opens at eight and clo-\nses at FIVE every day.'
  assert.deepEqual(marked(page, '', 'office opens at eight and closes at five'), [
    'of\ufb01ce opens at eight and clo-\nses at FIVE',
  ])
})

test('takes the occurrence after the context', () => {
  const page = 'Total 50 euros. Deposit: Total 50 euros.'
  const runs = findRuns([...page], { before: 'Deposit:', wanted: 'Total 50 euros' })
  assert.deepEqual(runs, [{ start: 25, end: 39 }])
})

test('finds a split passage in pieces', () => {
  const page = 'second half of it stands here. first half of'
  assert.deepEqual(marked(page, '', 'first half of second half of it'), ['first half of', 'second half of it'])
})

test('skips words that are not on the page', () => {
  assert.deepEqual(marked('Rent is due monthly.', '', 'Rent unknown is due'), ['Rent', 'is due'])
  assert.deepEqual(marked('Rent is due monthly.', '', 'nothing of that'), [])
  assert.deepEqual(marked('', '', 'anything'), [])
})
