import { MatchQuery, type Table } from '@lancedb/lancedb'
import type { Table as ArrowTable } from 'apache-arrow'
import { chunkPredicate, documentPredicate } from './chunk-predicate.ts'
import { FOUND_COLUMNS } from './chunk-schema.ts'
import { toFoundChunks } from './found-chunks.ts'
import type { ChunkFilter, FoundChunk } from './memory-file.ts'

/** About one partition of the vector index for so many rows: Lance's own advice for IVF. */
export const ROWS_PER_PARTITION = 4096
/** With fewer partitions probed the recall at a million rows fell to .73; a quarter of them gave .987. */
const PROBED_SHARE = 0.25
const LEAST_PROBES = 20
/**
 * Candidates for each hit that are compared by their whole vectors. With 4 bits a dimension (upkeep.ts) the first 200 of
 * 31,241 real sentences were found at .979 with 2 and .999 with 5, the first 20 always; 3 is between.
 */
const REFINE_FACTOR = 3

/** Best chunks by BM25 over the terms, any of which may match. */
export async function findByTerms(
  table: Table,
  terms: readonly string[],
  limit: number,
  filter?: ChunkFilter,
): Promise<FoundChunk[]> {
  const query = table.query().fullTextSearch(new MatchQuery(terms.join(' '), 'terms'))
  const predicate = chunkPredicate(filter)
  if (predicate !== null) query.where(predicate)
  const result = await query
    .select([...FOUND_COLUMNS, '_score'])
    .limit(limit)
    .toArrow()
  return byScore(toFoundChunks(asTable(result), '_score', (score) => score))
}

/** Nearest chunks by cosine. The vectors have length 1, so the cheaper dot product is the cosine. */
export async function findByVector(
  table: Table,
  vector: Float32Array,
  limit: number,
  filter?: ChunkFilter,
): Promise<FoundChunk[]> {
  const partitions = (await table.countRows()) / ROWS_PER_PARTITION
  const query = table
    .query()
    .nearestTo(vector)
    .column('vector')
    .distanceType('dot')
    .nprobes(Math.max(LEAST_PROBES, Math.ceil(partitions * PROBED_SHARE)))
    .refineFactor(REFINE_FACTOR)
  const predicate = chunkPredicate(filter)
  if (predicate !== null) query.where(predicate)
  const result = await query
    .select([...FOUND_COLUMNS, '_distance'])
    .limit(limit)
    .toArrow()
  // Lance's distance is 1 - dot.
  return byScore(toFoundChunks(asTable(result), '_distance', (distance) => Math.min(1, Math.max(-1, 1 - distance))))
}

/** The chunks of one document, in order, with the score 0. */
export async function readDocument(table: Table, documentId: string): Promise<FoundChunk[]> {
  const query = table.query().where(documentPredicate([documentId]))
  const chunks = toFoundChunks(asTable(await query.select([...FOUND_COLUMNS]).toArrow()), null, () => 0)
  return chunks.sort((a, b) => a.chunkIndex - b.chunkIndex)
}

/** Chunks by document, read batch by batch. */
export async function countByDocument(table: Table): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for await (const batch of table.query().select(['document_id'])) {
    for (const id of batch.getChild('document_id') ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

/** Best first; equal scores in the order of arrival, so that an answer does not change from call to call. */
function byScore(chunks: FoundChunk[]): FoundChunk[] {
  // A document's identifier begins with the time it was made.
  const arrival = (a: FoundChunk, b: FoundChunk) =>
    a.documentId < b.documentId ? -1 : Number(a.documentId > b.documentId)
  return chunks.sort((a, b) => b.score - a.score || arrival(a, b) || a.chunkIndex - b.chunkIndex)
}

/** LanceDB types its tables by its own copy of apache-arrow's declarations. */
function asTable(table: unknown): ArrowTable {
  return table as ArrowTable
}
