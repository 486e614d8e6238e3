import type { Table } from 'apache-arrow'
import type { FoundChunk } from './memory-file.ts'

/** The chunks of a result table. `scoreOf` turns the row's score column into a score; without a column it is 0. */
export function toFoundChunks(
  table: Table,
  scoreColumn: '_score' | '_distance' | null,
  scoreOf: (value: number) => number,
): FoundChunk[] {
  const column = (name: string) => table.getChild(name)
  const columns = {
    documentId: column('document_id'),
    chunkIndex: column('chunk_index'),
    kind: column('kind'),
    text: column('text'),
    terms: column('terms'),
    windows: column('windows'),
    startOffset: column('start_offset'),
    endOffset: column('end_offset'),
    page: column('page'),
    pageEnd: column('page_end'),
    section: column('section'),
    header: column('header'),
    documentSeq: column('document_seq'),
  }
  const scores = scoreColumn === null ? null : column(scoreColumn)
  const entries = Object.entries(columns)
  return Array.from({ length: table.numRows }, (_, i) => {
    const row = Object.fromEntries(entries.map(([name, values]) => [name, values?.get(i) ?? null]))
    row['windows'] = toWindows(row['windows'])
    row['score'] = scores === null ? 0 : scoreOf(Number(scores.get(i)))
    return row as FoundChunk
  })
}

/** A copy, so that a kept chunk does not keep the whole result alive. */
function toWindows(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.slice().buffer)
}
