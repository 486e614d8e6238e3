import { MatchQuery, type Query, type Table, type VectorQuery } from '@lancedb/lancedb'
import type { Table as ArrowTable, Float32, Vector } from 'apache-arrow'
import { chunkPredicate } from './chunk-predicate.ts'
import { rowsOf } from './chunk-reads.ts'
import type { ChunkFilter, FoundChunk } from './memory-file.ts'

/** About one partition of the vector index for so many rows: Lance's own advice for IVF. */
export const ROWS_PER_PARTITION = 4096
/** With fewer partitions probed the recall at a million rows fell to .73; a quarter of them gave .987. */
const PROBED_SHARE = 0.25
const LEAST_PROBES = 20

/** Best chunks by BM25 over the terms, any of which may match. */
export async function findByTerms(
  table: Table,
  terms: readonly string[],
  limit: number,
  filter?: ChunkFilter,
): Promise<FoundChunk[]> {
  const query = table.query().fullTextSearch(new MatchQuery(terms.join(' '), 'terms'))
  const result = await runLeg(query, '_score', limit, filter)
  return toFoundChunks(result, '_score', (score) => score)
}

/** Terms of which two letters may be others: of shorter ones that makes too many words, and longer ones Lance refuses (from 44 on, its automaton has a limit). */
const TWICE_MISTAKEN = { least: 6, most: 32 } as const

/** Best chunks by BM25 over what is nearly one of the terms: 1 to 12 ms at 100,000 chunks. */
export async function findByNearTerms(
  table: Table,
  terms: readonly string[],
  limit: number,
  filter?: ChunkFilter,
): Promise<FoundChunk[]> {
  const { least, most } = TWICE_MISTAKEN
  const fuzziness = terms.every(({ length }) => length >= least && length <= most) ? 2 : 1
  const wanted = new MatchQuery(terms.join(' '), 'terms', { fuzziness, prefixLength: 1 })
  const result = await runLeg(table.query().fullTextSearch(wanted), '_score', limit, filter)
  return toFoundChunks(result, '_score', (score) => score)
}

/**
 * Nearest chunks by cosine, `rows` being about how many the table has. The vectors have length 1, so the cheaper dot product is the cosine. Where an index answers, the cosine is that of
 * vectors of 4 bits a dimension, 0.004 off in the mean: comparing 600 of them whole took three quarters of a search, and what is ranked is
 * compared by its windows anyway.
 */
export async function findByVector(
  table: Table,
  vector: Float32Array,
  { rows, limit, filter }: { rows: number; limit: number; filter?: ChunkFilter | undefined },
): Promise<FoundChunk[]> {
  const partitions = rows / ROWS_PER_PARTITION
  const query = table
    .query()
    .nearestTo(vector)
    .column('vector')
    .distanceType('dot')
    .nprobes(Math.max(LEAST_PROBES, Math.ceil(partitions * PROBED_SHARE)))
  const result = await runLeg(query, '_distance', limit, filter)
  // Lance's distance is 1 - dot.
  return toFoundChunks(result, '_distance', (distance) => Math.min(1, Math.max(-1, 1 - distance)))
}

/** Chunks by document, read batch by batch. */
export async function countByDocument(table: Table): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for await (const batch of table.query().select(['document_id'])) {
    for (const id of batch.getChild('document_id') ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

type ScoreColumn = '_score' | '_distance'

/**
 * Rows and scores alone: the identity of 400 chunks takes Lance two thirds as long as finding them (of 100,000, 10.4 ms of processor time instead of 6.2), their
 * text and windows three times as long.
 */
async function runLeg(
  query: Query | VectorQuery,
  scoreColumn: ScoreColumn,
  limit: number,
  filter: ChunkFilter | undefined,
): Promise<ArrowTable> {
  const predicate = chunkPredicate(filter)
  if (predicate !== null) query.where(predicate)
  const result: unknown = await query.withRowId().select([scoreColumn]).limit(limit).toArrow()
  // LanceDB types its tables by its own copy of apache-arrow's declarations.
  return result as ArrowTable
}

/** Best first; equal scores in the order in which they stand, so that an answer does not change from call to call. */
function toFoundChunks(table: ArrowTable, scoreColumn: ScoreColumn, scoreOf: (value: number) => number): FoundChunk[] {
  const scores = table.getChild(scoreColumn) as Vector<Float32> | null
  return Array.from(rowsOf(table), (row, i) => ({ row, score: scoreOf(scores?.get(i) ?? 0) })).sort(
    (a, b) => b.score - a.score || (a.row < b.row ? -1 : 1),
  )
}
