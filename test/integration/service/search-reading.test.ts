import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../src/ids.ts'
import type { ChunkRow } from '../../../src/memory-file/memory-file.ts'
import { createSearchService } from '../../../src/service/search/search-service.ts'
import { openIngestHouse, textDocument, withOwn } from './ingest-house.ts'

const QUERY = 'herons nest'
const ASKED = { query: QUERY, limit: 10, mode: 'auto', highlight: false } as const
const FILTER = { tags: [], documentIds: null, metadata: {} }

test('what shows is found behind any number of passages that do not, which are not counted', async (t) => {
  const { add, find, files, memory } = await openIngestHouse(t)
  await add({}, [textDocument('The herons have come back to the old weir this spring, and many a nest is seen there.')])
  // As an add leaves them that is under way, or was killed: no row names their documents.
  const hidden = Array.from({ length: 150 }, (): ChunkRow => {
    const [text, terms] = ['Herons nest.', 'heron nest']
    const place = { startOffset: 0, endOffset: text.length, page: null, pageEnd: null, section: null, header: null }
    const vector = new Float32Array(256)
    const windows = new Int8Array()
    return {
      documentId: newId('doc'),
      chunkIndex: 0,
      kind: 'document',
      text,
      terms,
      vector,
      windows,
      labels: [],
      ...place,
    }
  })
  await files.add(memory.id, hidden)
  const { hits, totalHits } = await find(QUERY, { mode: 'lexical' })
  assert.deepEqual([hits.length, totalHits], [1, 1])
  assert.match(hits[0]?.text ?? '', /old weir/)
})

test('what maintenance moves between finding and reading is found all the same', async (t) => {
  const { add, caller, files, memory, parts } = await openIngestHouse(t)
  for (const place of ['weir', 'mill', 'lake']) await add({}, [textDocument(`Herons nest at the ${place}.`)])
  let isMoved = false
  const memoryFile = withOwn(parts.memoryFile, {
    async readFound(memoryId, found) {
      if (!isMoved) await files.maintain(memoryId)
      isMoved = true
      return files.readFound(memoryId, found)
    },
  })
  const search = createSearchService({ ...parts, memoryFile, rerank: true })
  const { hits } = await search.find(caller, memory.id, { ...ASKED, filter: FILTER })
  assert.deepEqual([isMoved, hits.length], [true, 3])
})
