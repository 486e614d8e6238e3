import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scoreTitles } from './score-titles.ts'

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

  it('has a score for each title, 0 without a query or words', () => {
    assert.deepEqual(scoreTitles([['a'], []], []), [0, 0])
    assert.deepEqual(scoreTitles([[], []], ['a']), [0, 0])
    assert.deepEqual(scoreTitles([], ['a']), [])
  })
})
