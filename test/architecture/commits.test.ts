import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const root = join(import.meta.dirname, '../..')
/** The last commit before the rule. Earlier subjects are not checked. */
const FIRST_PARENT = 'c8c83987'
const MAX_COLUMNS = 72
const TYPES = 'feat|fix|docs|refactor|test|perf|build|ci|chore|style|revert'
/** `type(scope): subject`: one scope, lower case, no period at the end. */
const FORM = new RegExp(`^(?:${TYPES})(?:\\([a-z-]+\\))?!?: (?![A-Z][a-z])\\S.*[^.]$`)

describe('the subjects of commits', () => {
  const range = `${FIRST_PARENT}..HEAD`
  const isKnown = spawnSync('git', ['cat-file', '-e', FIRST_PARENT], { cwd: root }).status === 0

  it('have a type and a scope, and fit in 72 columns', { skip: !isKnown && 'the history is not here' }, () => {
    const log = execFileSync('git', ['log', '--no-merges', '--format=%h %s', range], { cwd: root, encoding: 'utf8' })
    assert.deepEqual(log.split('\n').filter(Boolean).flatMap(violations), [])
  })

  const wrong = ['Fix the queue', 'fix(a,b): two scopes', 'fix: Ends in a period.', `fix: ${'x'.repeat(70)}`]
  for (const subject of wrong) {
    it(`may not be ${JSON.stringify(subject.slice(0, 30))}`, () => {
      assert.equal(violations(`0123abcd ${subject}`).length, 1)
    })
  }

  it('may name a product at the start', () =>
    assert.deepEqual(violations('0123abcd fix(models): ONNX models load'), []))
})

function violations(line: string): string[] {
  const [hash = '', subject = ''] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
  if (subject.length > MAX_COLUMNS) return [`${hash} has ${subject.length} columns`]
  return FORM.test(subject) ? [] : [`${hash} "${subject}" is not type(scope): subject`]
}
