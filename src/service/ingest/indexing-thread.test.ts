import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createIndexingThread, type ThreadProcess } from './indexing-thread.ts'

const CONTEXT = {
  documentId: 'doc_1',
  kind: 'document',
  heading: 'Harbour',
  language: 'en',
  labels: [],
  firstIndex: 0,
} as const

/** Threads that answer each chunk with its number of characters, until they break. */
function openThreads(mostAnswers = Number.POSITIVE_INFINITY) {
  const seen = { started: 0, ended: 0, warnings: 0 }
  let answers = 0
  const start = (): ThreadProcess => {
    seen.started += 1
    return {
      async ask({ chunks }) {
        answers += 1
        if (answers > mostAnswers) throw new Error('out of memory')
        return {
          terms: chunks.map(({ text }) => String(text.length)),
          vectors: Float32Array.from(chunks.flatMap((_, index) => [index, 1])),
          windows: Int8Array.from(chunks.flatMap((_, index) => Array<number>(index).fill(index))),
          windowBytes: chunks.map((_, index) => index),
        }
      },
      async end() {
        seen.ended += 1
      },
    }
  }
  const log = {
    warn() {
      seen.warnings += 1
    },
  }
  return { seen, options: { model: 'of-tests', start, log, idleMs: 60_000, retryMs: 60_000 } }
}

const chunk = (text: string) => {
  return { text, startOffset: 0, endOffset: 0, page: null, pageEnd: null, section: null, header: null }
}

describe('an indexing thread', () => {
  it('is started by the first chunks, kept for the next, and gives each chunk its own', async () => {
    const { seen, options } = openThreads()
    const thread = createIndexingThread(options)
    assert.equal(seen.started, 0)
    const first = await thread.index([chunk('a'), chunk('bb'), chunk('ccc')], CONTEXT)
    assert.deepEqual(
      first?.map(({ terms, vector, windows }) => [terms, [...vector], [...windows]]),
      [
        ['1', [0, 1], []],
        ['2', [1, 1], [1]],
        ['3', [2, 1], [2, 2]],
      ],
    )
    await thread.index([chunk('a')], CONTEXT)
    assert.equal(seen.started, 1)
    await thread.close()
    assert.equal(seen.ended, 1)
  })

  it('that breaks leaves its work to the caller, says so once, and is not started again at once', async () => {
    const { seen, options } = openThreads(1)
    const thread = createIndexingThread(options)
    assert.notEqual(await thread.index([chunk('a')], CONTEXT), null)
    const both = await Promise.all([thread.index([chunk('a')], CONTEXT), thread.index([chunk('b')], CONTEXT)])
    assert.deepEqual(both, [null, null])
    assert.equal(await thread.index([chunk('c')], CONTEXT), null)
    assert.deepEqual(seen, { started: 1, ended: 1, warnings: 1 })
  })

  it('that broke is started again after a while', async () => {
    const { seen, options } = openThreads(0)
    const thread = createIndexingThread({ ...options, retryMs: 0 })
    await thread.index([chunk('a')], CONTEXT)
    await thread.index([chunk('a')], CONTEXT)
    assert.equal(seen.started, 2)
  })
})
