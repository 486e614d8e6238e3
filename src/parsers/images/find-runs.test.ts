import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRuns } from './find-runs.ts'

function marked(page: string, before: string, wanted: string): string[] {
  return findRuns([...page], { before, wanted }).map(({ start, end }) => [...page].slice(start, end).join(''))
}

test('a passage is found across lines, hyphens, ligatures and case', () => {
  const page = 'The of\ufb01ce opens at eight and clo-\nses at FIVE every day.'
  assert.deepEqual(marked(page, '', 'office opens at eight and closes at five'), [
    'of\ufb01ce opens at eight and clo-\nses at FIVE',
  ])
})

test('of two places with the same words that behind the words before it counts', () => {
  const page = 'Total 50 euros. Deposit: Total 50 euros.'
  const runs = findRuns([...page], { before: 'Deposit:', wanted: 'Total 50 euros' })
  assert.deepEqual(runs, [{ start: 25, end: 39 }])
})

test('a passage that the page has in pieces is marked in its pieces', () => {
  const page = 'second half of it stands here. first half of'
  assert.deepEqual(marked(page, '', 'first half of second half of it'), ['first half of', 'second half of it'])
})

test('words that stand nowhere are left out, and what stands nowhere is no run', () => {
  assert.deepEqual(marked('Rent is due monthly.', '', 'Rent unknown is due'), ['Rent', 'is due'])
  assert.deepEqual(marked('Rent is due monthly.', '', 'nothing of that'), [])
  assert.deepEqual(marked('', '', 'anything'), [])
})
