import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createIdleThread, type RunningThread } from './worker-thread.ts'

/** Threads that return the length of a text, until they break. */
function openThreads(mostAnswers = Number.POSITIVE_INFINITY) {
  const seen = { started: 0, ended: 0, warnings: [] as string[] }
  let answers = 0
  const start = (): RunningThread<string, number> => {
    seen.started += 1
    return {
      async call(text) {
        answers += 1
        if (answers > mostAnswers) throw new Error('out of memory')
        return text.length
      },
      async terminate() {
        seen.ended += 1
      },
    }
  }
  const log = { warn: (_facts: object, text?: string) => void seen.warnings.push(text ?? '') }
  return { seen, options: { name: 'counting', start, log, idleMs: 60_000, retryMs: 60_000 } }
}

describe('an idle thread', () => {
  it('is started by the first question, and kept for the next', async () => {
    const { seen, options } = openThreads()
    const thread = createIdleThread(options)
    assert.equal(seen.started, 0)
    assert.deepEqual(await Promise.all([thread.call('a'), thread.call('bb')]), [1, 2])
    assert.equal(await thread.call('ccc'), 3)
    assert.equal(seen.started, 1)
    await thread.close()
    assert.equal(seen.ended, 1)
  })

  it('is ended when nobody asked for a while, and started again by the next question', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { seen, options } = openThreads()
    const thread = createIdleThread(options)
    await thread.call('a')
    t.mock.timers.tick(options.idleMs - 1)
    assert.equal(seen.ended, 0)
    t.mock.timers.tick(1)
    assert.equal(seen.ended, 1)
    assert.equal(await thread.call('bb'), 2)
    assert.equal(seen.started, 2)
  })

  it('that breaks leaves its work to the caller, says so once, and is not started again at once', async () => {
    const { seen, options } = openThreads(1)
    const thread = createIdleThread(options)
    assert.notEqual(await thread.call('a'), null)
    assert.deepEqual(await Promise.all([thread.call('a'), thread.call('b')]), [null, null])
    assert.equal(await thread.call('c'), null)
    const warnings = ['the counting thread failed; its work is done without it']
    assert.deepEqual(seen, { started: 1, ended: 1, warnings })
  })

  it('that broke is started again after a while', async () => {
    const { seen, options } = openThreads(0)
    const thread = createIdleThread({ ...options, retryMs: 0 })
    await thread.call('a')
    await thread.call('a')
    assert.equal(seen.started, 2)
  })

  it('that cannot be started leaves its work to the caller, and says so', async () => {
    const { seen, options } = openThreads()
    const start = () => {
      throw new Error('no thread can be made')
    }
    const thread = createIdleThread({ ...options, start })
    assert.deepEqual(await Promise.all([thread.call('a'), thread.call('b')]), [null, null])
    assert.equal(seen.warnings.length, 1)
  })
})
