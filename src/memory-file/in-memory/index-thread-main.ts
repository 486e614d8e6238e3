/** Main module of the thread of `index-thread.ts`: handles each `IndexRequest` in order. */

import { answerMessages } from '../../concurrency/worker-thread.ts'
import { type ChunkIndex, createChunkIndex } from './chunk-index.ts'
import type { IndexReply, IndexRequest } from './index-thread.ts'
import { createVectorMemory } from './vector-blocks.ts'

const memory = createVectorMemory()
const indexes = new Map<number, ChunkIndex>()

function answer(request: IndexRequest): IndexReply {
  const { index } = request
  if (request.kind === 'create') indexes.set(index, createChunkIndex(memory, request.dimensions))
  const found = indexes.get(index)
  // Closed while a search or an update was running.
  if (found === undefined) return null
  if (request.kind === 'add') found.add(request.rows)
  if (request.kind === 'remove') found.remove(request.slots)
  if (request.kind === 'lexical') return found.searchLexical(request.terms, request)
  if (request.kind === 'vector') return found.searchVector(request.vector, request)
  if (request.kind === 'close') {
    found.close()
    indexes.delete(index)
  }
  return null
}

answerMessages(answer)
