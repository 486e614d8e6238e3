import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { gateProblems } from './gate.ts'
import type { Requirement } from './requirements/requirement.ts'
import { BUILT_PART, REQUIREMENTS } from './requirements.ts'
import { verifies } from './verifies.ts'

const requirement = (id: string, part: number): Requirement => ({
  id,
  part,
  source: 'api',
  section: 'x',
  sentence: 'a rule',
})
const file = (source: string) => ({ path: 'x.test.ts', source })
const citing = (...ids: string[]) => file(ids.map((id) => `test('t', () => { verifies('${id}') })`).join('\n'))

test('every requirement of the built parts has a test, and every spec test cites one', () => {
  const directory = import.meta.dirname
  const names = readdirSync(directory).filter((name) => name.endsWith('.test.ts') && name !== 'gate.test.ts')
  const files = names.map((name) => ({ path: name, source: readFileSync(join(directory, name), 'utf8') }))
  assert.deepEqual(gateProblems(REQUIREMENTS, files, BUILT_PART), [])
})

test('every requirement has words, a section and a part from 1 to 7', () => {
  for (const { id, sentence, section, part } of REQUIREMENTS) {
    assert.match(id, /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/)
    assert.ok(sentence.length > 8 && section.length > 2, id)
    assert.ok(part >= 1 && part <= 7, id)
  }
})

test('a list whose built requirements are all cited passes', () => {
  assert.deepEqual(gateProblems([requirement('a.b', 1), requirement('c.d', 2)], [citing('a.b')], 1), [])
})

test('a requirement of a later part may be cited early', () => {
  assert.deepEqual(gateProblems([requirement('c.d', 2)], [citing('c.d')], 1), [])
})

test('a requirement of a built part without a test fails the gate', () => {
  const problems = gateProblems([requirement('a.b', 1), requirement('c.d', 1)], [citing('a.b')], 1)
  assert.deepEqual(problems, ['No test verifies c.d: a rule'])
})

test('a citation in a comment does not count', () => {
  const problems = gateProblems([requirement('a.b', 1)], [file("test('t', () => {\n  // verifies('a.b')\n})")], 1)
  assert.equal(problems.length, 2)
})

test('a citation of an unknown id fails the gate', () => {
  const problems = gateProblems([requirement('a.b', 1)], [citing('a.b', 'z.z')], 1)
  assert.deepEqual(problems, ['x.test.ts cites the unknown id z.z'])
})

test('a spec test that cites nothing fails the gate', () => {
  const silent = file("test('one', () => { verifies('a.b') })\ntest('two', () => {})")
  assert.deepEqual(gateProblems([requirement('a.b', 1)], [silent], 1), [
    "x.test.ts: the test 'two', () => {}) cites no requirement",
  ])
})

test('a file without tests, and a skipped test, fail the gate', () => {
  assert.deepEqual(gateProblems([], [file('const x = 1')], 1), ['x.test.ts has no test'])
  const skipped = file("test('t', { skip: true }, () => { verifies('a.b') })")
  assert.deepEqual(gateProblems([requirement('a.b', 1)], [skipped], 1), ['x.test.ts skips a test'])
})

test('an id that is given twice fails the gate', () => {
  const twice = [requirement('a.b', 1), requirement('a.b', 1)]
  assert.deepEqual(gateProblems(twice, [citing('a.b')], 1), ['The id a.b is given twice'])
})

test('citing an id that is not in the list throws', () => {
  assert.throws(() => verifies('no.such.rule'), /no\.such\.rule/)
})
