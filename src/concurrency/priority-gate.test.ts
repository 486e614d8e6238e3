import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createPriorityGate } from './priority-gate.ts'

const LONG_MS = 60_000

describe('the right of way', () => {
  it('lets long work through where there is no short work', async () => {
    await createPriorityGate(LONG_MS).yieldToForeground()
  })

  it('holds long work until all short work is done, then lets it go on one by one', async () => {
    const { foreground, yieldToForeground } = createPriorityGate(LONG_MS)
    const [one, other] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const short = [foreground(() => one.promise), foreground(() => other.promise)]
    const passed: string[] = []
    const long = ['a', 'b'].map((name) => yieldToForeground().then(() => passed.push(name)))
    one.resolve('first')
    assert.equal(await short[0], 'first')
    await nextTurn()
    assert.deepEqual(passed, [])
    other.resolve('second')
    await short[1]
    await long[0]
    assert.deepEqual(passed, ['a'])
    await Promise.all(long)
    assert.deepEqual(passed, ['a', 'b'])
  })

  it('holds what has not gone on yet again when short work comes in between', async () => {
    const { foreground, yieldToForeground } = createPriorityGate(LONG_MS)
    const first = Promise.withResolvers<void>()
    const short = foreground(() => first.promise)
    const passed: string[] = []
    const long = ['a', 'b'].map((name) => yieldToForeground().then(() => passed.push(name)))
    first.resolve()
    await short
    await long[0]
    const second = Promise.withResolvers<void>()
    const next = foreground(() => second.promise)
    await nextTurn()
    await nextTurn()
    assert.deepEqual(passed, ['a'])
    second.resolve()
    await next
    await Promise.all(long)
  })

  it('holds long work no longer than it may, and gives on what short work throws', async () => {
    const { foreground, yieldToForeground } = createPriorityGate(1)
    const end = Promise.withResolvers<void>()
    const short = foreground(() => end.promise)
    await yieldToForeground()
    end.reject(new Error('of the work'))
    await assert.rejects(short, /of the work/)
    await yieldToForeground()
  })
})
