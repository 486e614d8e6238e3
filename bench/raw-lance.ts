import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, connect, Index, MatchQuery, type Table } from '@lancedb/lancedb'
import { createAnalyzer } from '../src/engine/analysis/analyzer.ts'
import { arrow } from '../src/memory-file/arrow.ts'
import { termsIndex } from '../src/memory-file/open-tables.ts'
import { vectorIndex } from '../src/memory-file/upkeep.ts'
import { createStaticEmbedder } from '../src/providers/static-embedder.ts'

/*
 * Lance without the service: the same rows and the same indexes, in this process. What the service takes beyond these
 * figures is its own.
 */

const ROWS_A_COMMIT = 1024
const HITS = 10
const QUIET_MS = 5000
const MOST_WAIT_MS = 300_000
const ALLOWED_UNINDEXED = { rows: 256, share: 0.1 } as const
const EMBEDDER = join(import.meta.dirname, '..', 'embedder')

/** One query, ready for Lance. */
export type RawQuery = { terms: string; vector: Float32Array }

/** The table behind a memory of a service, read beside it. */
export async function openMemoryFile(
  dataDir: string,
  memoryId: string,
): Promise<{ connection: Connection; table: Table }> {
  const connection = await connect(join(dataDir, 'memories'), { readConsistencyInterval: 0 })
  return { connection, table: await connection.openTable(memoryId) }
}

/** How a memory file was found after a load. */
export type Settled = { waitedMs: number; rows: number; unindexed: number }

/**
 * Resolves once no more than a tenth of the rows is not in the full-text index (the service lets so many gather) and
 * nothing was written for five seconds, or after five minutes at the latest.
 */
export async function waitUntilSettled(table: Table): Promise<Settled> {
  const started = performance.now()
  let version = await table.version()
  let since = started
  for (;;) {
    await pause(250)
    const newest = await table.version()
    const now = performance.now()
    if (newest !== version) since = now
    version = newest
    if (now - since < QUIET_MS) continue
    const rows = await table.countRows()
    const unindexed = (await table.indexStats('terms_idx'))?.numUnindexedRows ?? rows
    if (unindexed <= Math.max(ALLOWED_UNINDEXED.rows, rows * ALLOWED_UNINDEXED.share) || now - started > MOST_WAIT_MS)
      return { waitedMs: since - started, rows, unindexed }
  }
}

/** What writing the rows of a memory file to a new table takes Lance alone. */
export type RawIngest = { rows: number; appendPerSecond: number; withIndexesPerSecond: number }

/** Writes every row again, in commits as large as the service's, then builds the indexes that the original has. */
export async function writeAgain(source: Table, folder: string): Promise<RawIngest> {
  const connection = await connect(folder)
  const copy = await connection.createEmptyTable('copy', await source.schema())
  let rows = 0
  let elapsedMs = 0
  for await (const batch of source.query()) {
    for (let start = 0; start < batch.numRows; start += ROWS_A_COMMIT) {
      const before = performance.now()
      await copy.add(new arrow.Table([batch.slice(start, start + ROWS_A_COMMIT)]))
      elapsedMs += performance.now() - before
    }
    rows += batch.numRows
  }
  const indexed = performance.now()
  await buildIndexes(source, copy, rows)
  const indexesMs = performance.now() - indexed
  connection.close()
  return {
    rows,
    appendPerSecond: (1000 * rows) / elapsedMs,
    withIndexesPerSecond: (1000 * rows) / (elapsedMs + indexesMs),
  }
}

async function buildIndexes(source: Table, copy: Table, rows: number): Promise<void> {
  for (const { indexType, columns } of await source.listIndices()) {
    const [column] = columns
    if (column === undefined) continue
    await copy.createIndex(column, { config: indexLike(indexType, rows) })
  }
}

function indexLike(type: string, rows: number): Index {
  if (type === 'FTS') return termsIndex()
  if (type === 'BTree') return Index.btree()
  if (type === 'LabelList') return Index.labelList()
  return vectorIndex(rows)
}

/** Analyses and embeds queries as the service does, so that only Lance is timed. */
export async function prepareQueries(queries: readonly string[]): Promise<RawQuery[]> {
  const analyzer = createAnalyzer()
  const embedder = await createStaticEmbedder({ directory: EMBEDDER })
  const vectors = await embedder.embed(queries, 'query')
  return queries.map((query, index) => ({
    terms: analyzer.queryTerms(query, ['en']).terms.join(' '),
    vector: vectors[index] ?? new Float32Array(),
  }))
}

/** The ten best texts by their words, straight from Lance. */
export async function findByTerms(table: Table, { terms }: RawQuery): Promise<void> {
  const query = table.query().fullTextSearch(new MatchQuery(terms, 'terms'))
  await query.select(['id', 'text', '_score']).limit(HITS).toArrow()
}

/** The ten nearest texts, straight from Lance; probes and refinement as in the service. */
export async function findByVector(table: Table, { vector }: RawQuery): Promise<void> {
  const query = table.query().nearestTo(vector).column('vector').distanceType('dot').nprobes(20).refineFactor(3)
  await query.select(['id', 'text', '_distance']).limit(HITS).toArrow()
}

/** Both at once. */
export async function findByBoth(table: Table, query: RawQuery): Promise<void> {
  await Promise.all([findByTerms(table, query), findByVector(table, query)])
}
