import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StaticTable } from '../../../models/local/static-table.ts'
import { createIndexingThread, type IndexingThreadOptions } from './indexing-thread.ts'

const CONTEXT = {
  documentId: 'doc_1',
  kind: 'document',
  heading: 'Harbour',
  language: 'en',
  labels: [],
  firstIndex: 0,
} as const

const chunk = (text: string) => {
  return { text, startOffset: 0, endOffset: 0, page: null, pageEnd: null, section: null, header: null }
}

/** A thread that answers each chunk with its number of characters. */
const start: IndexingThreadOptions['start'] = () => {
  return {
    async call({ chunks }) {
      return {
        terms: chunks.map(({ text }) => String(text.length)),
        vectors: Float32Array.from(chunks.flatMap((_, index) => [index, 1])),
        windows: Uint8Array.from(chunks.flatMap((_, index) => Array<number>(index).fill(index))),
        windowBytes: chunks.map((_, index) => index),
      }
    },
    terminate: async () => undefined,
  }
}

const TABLE = {} as StaticTable

describe('an indexing thread', () => {
  it('returns the index data of each chunk', async () => {
    const options = { model: 'of-tests', log: { warn: assert.fail }, idleMs: 60_000, retryMs: 60_000 }
    const openTable = async () => TABLE
    const thread = createIndexingThread({ ...options, openTable, start })
    const found = await thread.index([chunk('a'), chunk('bb'), chunk('ccc')], CONTEXT)
    assert.deepEqual(
      found?.map(({ terms, vector, windows }) => [terms, [...vector], [...windows]]),
      [
        ['1', [0, 1], []],
        ['2', [1, 1], [1]],
        ['3', [2, 1], [2, 2]],
      ],
    )
    await thread.close()
  })
})
