import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countTitles, scoreTitles } from './score-titles.ts'

describe('scoreTitles', () => {
  it('gives a title with a term of the query more than one without, which has 0', () => {
    const [some = 0, none] = scoreTitles([['handbook', 'deploy'], ['playbook']], ['deploy', 'rollback'])
    assert.ok(some > 0)
    assert.equal(none, 0)
  })

  it('weighs a rare term more than one that every title has', () => {
    const [common = 0, rare = 0] = scoreTitles(
      [
        ['guide', 'alpha'],
        ['guide', 'deploy'],
        ['guide', 'beta'],
      ],
      ['guide', 'deploy'],
    )
    assert.ok(rare > 2 * common)
  })

  it('takes a term for as rare as it is in the stock of further titles, which get no score', () => {
    const titles = [['alpha'], ['beta']]
    const [alike = 0, same = 0] = scoreTitles(titles, ['alpha', 'beta'])
    assert.equal(alike, same)
    const stock = countTitles(Array.from({ length: 20 }, () => ['alpha', 'alpha']))
    assert.deepEqual([stock.titles, stock.length, stock.having.get('alpha')], [20, 40, 20])
    const [common = 0, rare = 0, ...others] = scoreTitles(titles, ['alpha', 'beta'], stock)
    assert.ok(rare > 2 * common)
    assert.deepEqual(others, [])
  })

  it('has a score for each title, 0 without a query or words', () => {
    assert.deepEqual(scoreTitles([['a'], []], []), [0, 0])
    assert.deepEqual(scoreTitles([[], []], ['a']), [0, 0])
    assert.deepEqual(scoreTitles([], ['a']), [])
  })
})
