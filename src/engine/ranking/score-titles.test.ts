import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countTitles, scoreTitles } from './score-titles.ts'

describe('scoreTitles', () => {
  it('scores a title with a query term above one without, which gets 0', () => {
    const [some = 0, none] = scoreTitles([['handbook', 'deploy'], ['playbook']], ['deploy', 'rollback'])
    assert.ok(some > 0)
    assert.equal(none, 0)
  })

  it('weighs a rare term more than a term of all titles', () => {
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

  it('includes further titles in document frequencies, without scoring them', () => {
    const titles = [['alpha'], ['beta']]
    const [alike = 0, same = 0] = scoreTitles(titles, ['alpha', 'beta'])
    assert.equal(alike, same)
    const stock = countTitles(Array.from({ length: 20 }, () => ['alpha', 'alpha']))
    assert.deepEqual([stock.titles, stock.length, stock.having.get('alpha')], [20, 40, 20])
    const [common = 0, rare = 0, ...others] = scoreTitles(titles, ['alpha', 'beta'], stock)
    assert.ok(rare > 2 * common)
    assert.deepEqual(others, [])
  })

  it('returns a score for each title, 0 without terms', () => {
    assert.deepEqual(scoreTitles([['a'], []], []), [0, 0])
    assert.deepEqual(scoreTitles([[], []], ['a']), [0, 0])
    assert.deepEqual(scoreTitles([], ['a']), [])
  })
})
