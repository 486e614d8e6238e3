import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createScrubber } from './scrub.ts'

const scrub = createScrubber(['sk-proj-0123456789', 'short'])

describe('the scrubber', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['any authorization header', '{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"[hidden]"}'],
    ['a header in any case', '{"X-Api-Key":"a\\"b"}', '{"X-Api-Key":"[hidden]"}'],
    ['a header with several values', '{"x-api-key":["one","two"]}', '{"x-api-key":"[hidden]"}'],
    ['a header among raw headers', '["Authorization","Basic dXNlcg=="]', '["Authorization","[hidden]"]'],
    ['a header in escaped JSON', '{"b":"{\\"x-api-key\\":\\"one two\\"}"}', '{"b":"{\\"x-api-key\\":\\"[hidden]\\"}"}'],
    ['a bearer token in a text', '{"msg":"got Bearer abc.def-1"}', '{"msg":"got Bearer [hidden]"}'],
    ['a cookie', '{"cookie":"session=1"}', '{"cookie":"[hidden]"}'],
    ['a given secret', '{"msg":"sk-proj-0123456789 failed"}', '{"msg":"[hidden] failed"}'],
    ['a key that lost a character', `{"k":"rcl_${'a'.repeat(45)}"}`, '{"k":"[hidden]"}'],
  ]
  for (const [what, line, expected] of cases) {
    it(`hides ${what}`, () => assert.equal(scrub(line), expected))
  }

  it('leaves previews of keys and ordinary text as they are', () => {
    const line = '{"keyPreview":"rcl_ab12…wxyz","msg":"a short authorization story"}'
    assert.equal(scrub(line), line)
  })
})
