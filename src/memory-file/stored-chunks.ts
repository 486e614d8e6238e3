import type { Table } from 'apache-arrow'
import type { StoredChunk } from './memory-file.ts'

/** The chunks of a result table, in its order. */
export function toStoredChunks(table: Table): StoredChunk[] {
  const texts = (name: string) => column<string>(table, name)
  const numbers = (name: string) => column<number>(table, name)
  const [documentId, kind, text, section, header] = ['document_id', 'kind', 'text', 'section', 'header'].map(texts)
  const [chunkIndex, startOffset, endOffset] = ['chunk_index', 'start_offset', 'end_offset'].map(numbers)
  const [page, pageEnd] = ['page', 'page_end'].map(numbers)
  const windows = column<Uint8Array>(table, 'windows')
  return Array.from({ length: table.numRows }, (_, i) => ({
    documentId: documentId?.get(i) ?? '',
    chunkIndex: chunkIndex?.get(i) ?? 0,
    kind: kind?.get(i) === 'correction' ? 'correction' : 'document',
    text: text?.get(i) ?? '',
    windows: asSigned(windows?.get(i)),
    startOffset: startOffset?.get(i) ?? 0,
    endOffset: endOffset?.get(i) ?? 0,
    page: page?.get(i) ?? null,
    pageEnd: pageEnd?.get(i) ?? null,
    section: section?.get(i) ?? null,
    header: header?.get(i) ?? null,
  }))
}

type Column<Value> = { get(row: number): Value | null }

function column<Value>(table: Table, name: string): Column<Value> | null {
  return table.getChild(name) as Column<Value> | null
}

/** The same bytes: candidates live as long as their search, and so may the result they came in. */
function asSigned(bytes: Uint8Array | null | undefined): Int8Array {
  return bytes ? new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Int8Array()
}
