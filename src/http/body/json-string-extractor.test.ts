import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createJsonStringExtractor } from './json-string-extractor.ts'

/** Returns the rest of the text and the extracted string for pieces of this size. */
function divert(text: string, pieceBytes = 1_000_000) {
  const bytes = Buffer.from(text)
  const taken: string[] = []
  let strings = 0
  const extractor = createJsonStringExtractor('image', {
    onStart: () => void strings++,
    onChunk: (part) => void taken.push(part),
  })
  const kept: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) kept.push(extractor.pass(bytes.subarray(at, at + pieceBytes)))
  return { left: Buffer.concat(kept).toString(), taken: taken.join(''), strings }
}

describe('createStringDiverter', () => {
  const cases: readonly (readonly [title: string, text: string, left: string, taken: string])[] = [
    ['takes the field out', '{"image":"abc","mode":"fast"}', '{"image":"","mode":"fast"}', 'abc'],
    ['takes it at the end, with white space', '{ "a" : [1] , "image" : "xy" }', '{ "a" : [1] , "image" : "" }', 'xy'],
    ['reads escapes', String.raw`{"image":"a\/b\u002B\u002fc\r\nd"}`, '{"image":""}', 'a/b+/c\r\nd'],
    [
      'is not misled by quotes in other strings',
      String.raw`{"a":"\"image\":\\","image":"z"}`,
      String.raw`{"a":"\"image\":\\","image":""}`,
      'z',
    ],
    [
      'leaves a nested field alone',
      '{"options":{"image":"no"},"image":"yes"}',
      '{"options":{"image":"no"},"image":""}',
      'yes',
    ],
    ['leaves a value of that text alone', '{"a":"image","b":"c"}', '{"a":"image","b":"c"}', ''],
    ['leaves the names in other objects alone', '{"a":{"b":1},"c":"image"}', '{"a":{"b":1},"c":"image"}', ''],
    ['leaves what is no string alone', '{"image":17,"b":["image","x"]}', '{"image":17,"b":["image","x"]}', ''],
    ['leaves an array alone', '["image","x"]', '["image","x"]', ''],
  ]
  for (const [title, text, left, taken] of cases) {
    it(title, () => {
      const { left: actual, taken: got } = divert(text)
      assert.deepEqual([actual, got], [left, taken])
    })

    it(`${title}, at every chunk boundary`, () => {
      for (let bytes = 1; bytes <= text.length; bytes++) {
        const { left: actual, taken: got } = divert(text, bytes)
        assert.deepEqual([actual, got], [left, taken], `pieces of ${bytes}`)
      }
    })
  }

  it('reports a repeated field twice', () => assert.equal(divert('{"image":"a","image":"b"}').strings, 2))

  it('leaves invalid JSON unchanged', () => {
    assert.deepEqual(divert('{"image":"abc'), { left: '{"image":"', taken: 'abc', strings: 1 })
    assert.equal(divert('--b\r\nContent-Disposition').left, '--b\r\nContent-Disposition')
  })
})
