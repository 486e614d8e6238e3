import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../errors.ts'
import { type FromChild, MAX_BATCHES_IN_FLIGHT } from './protocol.ts'
import { serveTasks } from './serve-tasks.ts'

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

describe("the child's end of the protocol", () => {
  it('sends no more batches than the parent consumes', async () => {
    let made = 0
    const sent: FromChild[] = []
    const receive = serveTasks(
      {
        flood: async function* () {
          for (; made < 1000; made++) yield { page: made }
        },
      },
      (message) => sent.push(message),
    )
    receive({ type: 'run', task: 'flood', input: null })
    await settle()
    assert.equal(sent.length, MAX_BATCHES_IN_FLIGHT)
    assert.equal(made, MAX_BATCHES_IN_FLIGHT)

    receive({ type: 'taken' })
    await settle()
    assert.equal(sent.length, MAX_BATCHES_IN_FLIGHT + 1)
  })

  it('batches small events and flushes at the end of a page', async () => {
    const sent: FromChild[] = []
    const receive = serveTasks(
      {
        pages: async function* () {
          yield { block: { text: 'a' } }
          yield { block: { text: 'b' } }
          yield { page: { page: 1 } }
          yield { block: { text: 'c' } }
        },
      },
      (message) => sent.push(message),
    )
    receive({ type: 'run', task: 'pages', input: null })
    await settle()
    assert.deepEqual(
      sent.map((message) => (message.type === 'events' ? message.events.length : message.type)),
      [3, 1, 'done'],
    )
  })

  it('sends events before a failure, then the failure with its code', async () => {
    const sent: FromChild[] = []
    const receive = serveTasks(
      {
        fail: async function* () {
          yield 1
          throw new ApiError('unprocessable_document', { message: 'It is damaged.', remedy: 'Mend it.' })
        },
      },
      (message) => sent.push(message),
    )
    receive({ type: 'run', task: 'fail', input: null })
    await settle()
    const [events, failed] = sent
    assert.deepEqual(events, { type: 'events', events: [1] })
    assert.deepEqual(failed, {
      type: 'failed',
      error: {
        code: 'unprocessable_document',
        message: 'It is damaged.',
        facts: { message: 'It is damaged.', remedy: 'Mend it.' },
        stack: null,
      },
    })
  })
})
