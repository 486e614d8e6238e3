import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type DocumentStock, listInlineTexts } from '../../database/documents/inventory.ts'
import type { Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { isUnitVector } from '../../engine/vectors.ts'
import type { ChunkRow, MemoryFile } from '../../memory-file/memory-file.ts'
import type { Blobs } from '../../objects/blobs.ts'
import { documentObject } from '../document-folder.ts'
import { isSliceOf, openTextSlices, type TextSlices } from '../documents/text-slices.ts'
import { analyzeChunk } from '../ingest/indexing/analyze-chunk.ts'
import { headingOfRow } from '../ingest/indexing/heading-of.ts'
import type { Damage } from './damage.ts'

/** What is read. */
export type ContentParts = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'get'>
  memoryFile: Pick<MemoryFile, 'scan'>
  analyzer: Pick<Analyzer, 'terms'>
}

/** Chunks compared before others have their turn: some 3 ms. */
const CHUNKS_A_TURN = 64

/** What is found out about one document while its chunks come. */
type Reading = {
  row: DocumentStock
  text: TextSlices | null
  /** The numbers of chunks that came. */
  seen: number
  next: number
  isDisordered: boolean
  differs: number | null
  noVectorAt: number | null
  otherTermsAt: number | null
}

/**
 * Holds every chunk of these documents, in whatever order they come, to the texts they are slices of: each number once, the words of its place in the text, the
 * terms that these words make, a vector of length 1 or none; and each text to the hash of what was added.
 * Gives the number of chunks of every document there is a chunk of. A memory of any size takes the same room beside that.
 */
export async function examineContents(
  parts: ContentParts,
  memoryId: string,
  live: ReadonlyMap<string, DocumentStock>,
  note: (damage: Damage) => void,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let reading: Reading | null = null
  for await (const batch of parts.memoryFile.scan(memoryId)) {
    const texts = await listInlineTexts(
      parts.db,
      [...new Set(batch.map(({ documentId }) => documentId))].filter((id) => live.get(id)?.inline === true),
    )
    for (const [at, chunk] of batch.entries()) {
      if (at % CHUNKS_A_TURN === 0) await nextTurn()
      counts.set(chunk.documentId, (counts.get(chunk.documentId) ?? 0) + 1)
      if (reading?.row.id !== chunk.documentId) {
        if (reading !== null) await finish(memoryId, reading, note)
        reading = await begin(parts, memoryId, live.get(chunk.documentId), texts)
      }
      if (reading !== null) await compare(parts, reading, chunk)
    }
  }
  if (reading !== null) await finish(memoryId, reading, note)
  return counts
}

async function begin(
  parts: ContentParts,
  memoryId: string,
  row: DocumentStock | undefined,
  texts: ReadonlyMap<string, string>,
): Promise<Reading | null> {
  if (row === undefined) return null
  const key = documentObject(memoryId, row.id, 'text')
  const text = await openTextSlices(parts.blobs, { inline: texts.get(row.id) ?? null, key })
  return { row, text, seen: 0, next: 0, isDisordered: false, differs: null, noVectorAt: null, otherTermsAt: null }
}

async function compare({ analyzer }: ContentParts, reading: Reading, chunk: ChunkRow): Promise<void> {
  reading.seen += 1
  if (chunk.chunkIndex !== reading.next) reading.isDisordered = true
  reading.next = chunk.chunkIndex + 1
  if (!isUnitVector(chunk.vector)) reading.noVectorAt ??= chunk.chunkIndex
  if (reading.text !== null && !(await isSliceOf(reading.text, chunk))) reading.differs ??= chunk.chunkIndex
  const terms = analyzeChunk(analyzer, chunk, { heading: headingOfRow(reading.row), language: reading.row.language })
  if (terms !== chunk.terms) reading.otherTermsAt ??= chunk.chunkIndex
}

async function finish(
  memoryId: string,
  { row, text, seen, isDisordered, differs, noVectorAt, otherTermsAt }: Reading,
  note: (damage: Damage) => void,
): Promise<void> {
  const about = (kind: Damage['kind'], detail: string) =>
    note({ kind, memoryId, documentId: row.id, detail: `${row.title}: ${detail}` })
  const whole = await text?.finish()
  if (whole !== undefined && whole.characters !== row.character_count)
    about('wrong_text', `${whole.characters} of ${row.character_count} characters`)
  else if (whole !== undefined && row.content_hash !== null && whole.hash !== row.content_hash)
    about('wrong_text', 'its hash differs')
  else if (differs !== null) about('wrong_chunks', `chunk ${differs} says other than the text at its place`)
  if (noVectorAt !== null) about('wrong_vectors', `chunk ${noVectorAt} has a vector that is not of length 1`)
  // Of a chunk with other words they are other terms, too, and both are mended by the same.
  if (otherTermsAt !== null && differs === null)
    about('wrong_terms', `chunk ${otherTermsAt} has other terms than its words make`)
  if (seen === row.chunk_count && isDisordered) about('missing_chunks', 'its chunks are not numbered one by one')
}
