import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readText } from './read-text.ts'

test('yields events after a few thousand characters, for any chunks', () => {
  const text = 'heron\n'.repeat(20_000)
  for (const given of [text, [text.slice(0, 70_000), text.slice(70_000)]]) {
    const written: number[] = []
    const events = readText((emit, head) => {
      assert.ok(head.length >= 64 * 1024)
      return {
        write(piece) {
          written.push(piece.length)
          emit({ warning: piece })
        },
        end: () => undefined,
      }
    }, given)
    let read = ''
    for (const event of events) {
      if ('warning' in event) read += event.warning
      assert.equal(
        written.reduce((sum, length) => sum + length, 0),
        read.length,
      )
    }
    assert.equal(read, text)
    assert.ok(Math.max(...written) <= 10_000)
  }
})
