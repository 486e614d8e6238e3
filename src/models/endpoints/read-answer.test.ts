import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createObjectReader, createThinkingFilter, dropThinking } from './read-answer.ts'

describe('the thinking filter', () => {
  const inPieces = (text: string, size: number) => {
    const filter = createThinkingFilter()
    let told = ''
    for (let at = 0; at < text.length; at += size) told += filter.push(text.slice(at, at + size))
    return told + filter.end()
  }
  const cases = [
    ['<think>hm, hm</think>\n\nIt is <b>7</b>.', 'It is <b>7</b>.'],
    ['\n<think>\n</think>It is 7.', 'It is 7.'],
    ['It is 7. <think>no</think>', 'It is 7. <think>no</think>'],
    ['<thin> is not thinking', '<thin> is not thinking'],
    ['<think>never closed', ''],
    ['<th', '<th'],
    [' \n It is 7.\n', 'It is 7.\n'],
    ['', ''],
  ] as const
  for (const [text, answer] of cases)
    it(`returns ${JSON.stringify(answer)} for ${JSON.stringify(text)}, in chunks of any size`, () => {
      assert.equal(dropThinking(text), answer)
      for (const size of [1, 2, 3, 7]) assert.equal(inPieces(text, size), answer)
    })

  it('takes linear time in the length of the thinking', () => {
    const filter = createThinkingFilter()
    filter.push('<think>')
    for (let count = 0; count < 200_000; count += 1) assert.equal(filter.push('and so on '), '')
    assert.equal(filter.push('</think>Seven.'), 'Seven.')
  })
})

const read = await createObjectReader({
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
  additionalProperties: false,
})
const readList = await createObjectReader({ type: 'array' })

describe('createObjectReader', () => {
  const written = ['{"total":7}', ' {"total":7}\n', '```json\n{"total":7}\n```', 'Here it is: {"total":7}. Good luck!']
  for (const text of written) it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(read(text), { total: 7 }))

  it('reads a list', () => assert.deepEqual(readList('So: [1, {"a":2}]'), [1, { a: 2 }]))

  it('reports the path of an invalid value, not the value', () =>
    assert.throws(() => read('{"total":"a secret"}'), {
      name: 'ModelFailure',
      kind: 'garbage',
      message: 'gave JSON that does not fit the schema at /total',
    }))

  for (const text of ['', 'seven', '{"total":7', '}{'])
    it(`refuses ${JSON.stringify(text)}`, () =>
      assert.throws(() => read(text), { kind: 'garbage', message: /^gave no JSON/ }))
})
