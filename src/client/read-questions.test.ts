import assert from 'node:assert/strict'
import test from 'node:test'
import { readQuestions } from './read-questions.ts'

const ID = 'doc_01m7yr0fdrf21vdwyrjzjpfjva'

test('reads questions from JSON and tab-separated lines and skips empty ones', () => {
  const text = `\ufeff{"query":"a","documentIds":["${ID}"],"grades":{"${ID}":3}}\r\n\n b c \t${ID}, hand book ,x\n`
  assert.deepEqual(readQuestions(text), [
    { query: 'a', documentIds: [ID], grades: { [ID]: 3 } },
    { query: 'b c', documentIds: [ID], externalIds: ['hand book', 'x'] },
  ])
  assert.deepEqual(readQuestions(' \n'), [])
})

test('names the number of an invalid line', () => {
  const wrong: [string, RegExp][] = [
    ['{"query":"a"', /^SyntaxError: Line 1 is not valid JSON/],
    ['\n{"documentIds":["x"]}', /Line 2 has no query/],
    ['{"query":"a","documentIds":[]}', /Line 1 has neither documentIds nor externalIds/],
    ['{"query":"a","externalIds":[7]}', /Line 1 has neither documentIds nor externalIds/],
    ['no tab', /Line 1 is neither JSON nor/],
    ['\tx', /Line 1 is neither/],
  ]
  for (const [text, message] of wrong) assert.throws(() => readQuestions(text), message)
})
