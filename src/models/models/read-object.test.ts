import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createObjectReader } from './read-object.ts'

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

  it('names the place of what does not fit, and not the value', () =>
    assert.throws(() => read('{"total":"a secret"}'), {
      name: 'ModelFailure',
      kind: 'garbage',
      message: 'gave JSON that does not fit the schema at /total',
    }))

  for (const text of ['', 'seven', '{"total":7', '}{'])
    it(`refuses ${JSON.stringify(text)}`, () =>
      assert.throws(() => read(text), { kind: 'garbage', message: /^gave no JSON/ }))
})
