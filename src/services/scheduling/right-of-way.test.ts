import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createRightOfWay } from './right-of-way.ts'

const LONG_MS = 60_000

describe('the right of way', () => {
  it('lets long work through where there is no short work', async () => {
    await createRightOfWay(LONG_MS).giveWay()
  })

  it('holds long work until all short work is done, then lets it go on one by one', async () => {
    const { goFirst, giveWay } = createRightOfWay(LONG_MS)
    const [one, other] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const short = [goFirst(() => one.promise), goFirst(() => other.promise)]
    const passed: string[] = []
    const long = ['a', 'b'].map((name) => giveWay().then(() => passed.push(name)))
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
    const { goFirst, giveWay } = createRightOfWay(LONG_MS)
    const first = Promise.withResolvers<void>()
    const short = goFirst(() => first.promise)
    const passed: string[] = []
    const long = ['a', 'b'].map((name) => giveWay().then(() => passed.push(name)))
    first.resolve()
    await short
    await long[0]
    const second = Promise.withResolvers<void>()
    const next = goFirst(() => second.promise)
    await nextTurn()
    await nextTurn()
    assert.deepEqual(passed, ['a'])
    second.resolve()
    await next
    await Promise.all(long)
  })

  it('holds long work no longer than it may, and gives on what short work throws', async () => {
    const { goFirst, giveWay } = createRightOfWay(1)
    const end = Promise.withResolvers<void>()
    const short = goFirst(() => end.promise)
    await giveWay()
    end.reject(new Error('of the work'))
    await assert.rejects(short, /of the work/)
    await giveWay()
  })
})
