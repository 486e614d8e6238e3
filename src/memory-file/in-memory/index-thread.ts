import { type RunningThread, startThread } from '../../concurrency/worker-thread.ts'
import type { FoundSlots } from './best-slots.ts'
import type { IndexedRows, SlotSearch } from './chunk-index.ts'

/** A call of an index in the thread. `index` is a number that is never used again. */
export type IndexRequest = { index: number } & (
  | { kind: 'create'; dimensions: number }
  | { kind: 'add'; rows: IndexedRows }
  | { kind: 'remove'; slots: Uint32Array }
  | ({ kind: 'lexical'; terms: readonly string[] } & SlotSearch)
  | ({ kind: 'vector'; vector: Float32Array } & SlotSearch)
  | { kind: 'close' }
)

/** The result of a search; `null` for other requests. */
export type IndexReply = FoundSlots | null

/** Numbers of an index are in typed arrays, outside of the heap. */
const MAX_HEAP_MB = 256
/** A batch of rows is sent alone. */
const ROWS_WEIGHT = 8

/** Starts the thread that holds the in-memory indexes and searches them. */
export function startIndexThread(): RunningThread<IndexRequest, IndexReply> {
  return startThread({
    main: './index-thread-main',
    baseUrl: import.meta.url,
    maxHeapMb: MAX_HEAP_MB,
    weightOf: ({ kind }: IndexRequest) => (kind === 'add' ? ROWS_WEIGHT : 1),
    buffersOf: (request) => (request.kind === 'add' ? buffersOfRows(request.rows) : []),
  })
}

/** The buffers of the large columns, one for each column. */
function buffersOfRows({ terms, vectors }: IndexedRows): ArrayBuffer[] {
  return [terms.bytes.buffer, terms.offsets.buffer, vectors.buffer] as ArrayBuffer[]
}
