import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { packWindows, unpackWindows } from './windows.ts'

const WINDOWS = fc
  .array(fc.integer({ min: -127, max: 127 }), { maxLength: 600 })
  .map((numbers) => Int8Array.from(numbers))

const again = (windows: Int8Array) => unpackWindows(packWindows(windows), windows.length)

describe('packed windows', () => {
  it('differ by at most an eighth of the largest number of their block', () => {
    fc.assert(
      fc.property(WINDOWS, (windows) => {
        for (const [at, number] of again(windows).entries()) {
          const start = at - (at % 32)
          const largest = Math.max(...windows.subarray(start, start + 32).map(Math.abs))
          assert.ok(Math.abs(number - (windows[at] ?? 0)) <= largest / 8 + 0.5)
        }
      }),
    )
  })

  it('preserve the largest number of a block and zeros', () => {
    assert.deepEqual([...again(Int8Array.of(-127, 0, 111))], [-127, 0, 111])
    assert.deepEqual([...again(Int8Array.of(127, 0, -111))], [127, 0, -111])
    assert.deepEqual([...again(new Int8Array(70))], [...new Int8Array(70)])
    assert.deepEqual([...again(new Int8Array())], [])
  })

  it('take slightly more than half of the space', () => {
    assert.equal(packWindows(new Int8Array(1024)).length, 544)
  })
})
