import './quiet-lance.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, connect, Index, MatchQuery, rerankers, type Table, type VectorQuery } from '@lancedb/lancedb'
import { createAnalyzer } from '../src/engine/analysis/analyzer.ts'
import { ROWS_PER_PARTITION } from '../src/memory-file/chunk-reader.ts'
import { arrow } from '../src/memory-file/chunk-table.ts'
import { vectorIndexConfig } from '../src/memory-file/maintenance/compaction.ts'
import { termsIndexConfig } from '../src/memory-file/open-tables.ts'
import { createStaticEmbedder } from '../src/models/local/static-model.ts'
import { linkFolder, sizeOf } from './folder-size.ts'

/*
 * Lance without the service: the same rows and indexes in this process. The difference is the cost
 * of the service.
 */

const ROWS_A_COMMIT = 1024
const HITS = 10
/** As in the service (src/memory-file/chunk-reader.ts). */
const MIN_PROBES = 20
const PROBED_SHARE = 0.25
/**
 * The service reranks candidates by windows; Lance alone must compare whole vectors. With this
 * factor Lance finds .99 of the ten nearest of 100,000 chunks. Without the factor: .84, in 88 % of
 * the time (10,000 chunks: 1.00 and .89, in 91 %).
 */
const REFINE_FACTOR = 3
const EMBEDDER = join(import.meta.dirname, '..', 'embedder')

/** A query prepared for Lance. */
export type RawQuery = { terms: string; vector: Float32Array }

/** The table of a memory, read beside the service. */
export async function openMemoryFile(
  dataDir: string,
  memoryId: string,
): Promise<{ connection: Connection; table: Table }> {
  const connection = await connect(join(dataDir, 'memories'), { readConsistencyInterval: 0 })
  return { connection, table: await connection.openTable(memoryId) }
}

/**
 * The size of a memory file after compaction and removal of old versions, measured on a second
 * folder of links, which is removed afterwards. The service keeps old versions for ten minutes.
 */
export async function measureTidied(dataDir: string, memoryId: string): Promise<number> {
  const folder = join(dataDir, 'memories')
  const copy = mkdtempSync(`${dataDir}.tidied-`)
  linkFolder(join(folder, `${memoryId}.lance`), join(copy, `${memoryId}.lance`))
  const connection = await connect(copy)
  const table = await connection.openTable(memoryId)
  // Each changing run leaves its previous version; the first two runs may change the table.
  for (let time = 0; time < 3; time += 1) await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true })
  connection.close()
  const bytes = sizeOf(copy)
  rmSync(copy, { recursive: true })
  return bytes
}

/** The cost of writing the rows of a memory file to a new table with Lance alone. */
export type RawIngest = { rows: number; appendPerSecond: number; withIndexesPerSecond: number }

/**
 * Writes every row again, in commits as large as the service's, then builds the indexes that the
 * original has.
 */
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
  if (type === 'FTS') return termsIndexConfig()
  if (type === 'BTree') return Index.btree()
  if (type === 'Bitmap') return Index.bitmap()
  if (type === 'LabelList') return Index.labelList()
  return vectorIndexConfig(rows)
}

/** Analyses and embeds queries like the service, so only Lance is timed. */
export async function prepareQueries(queries: readonly string[]): Promise<RawQuery[]> {
  const analyzer = createAnalyzer()
  const embedder = await createStaticEmbedder({ directory: EMBEDDER })
  const vectors = await embedder.embed(queries, 'query')
  return queries.map((query, index) => ({
    terms: analyzer.queryTerms(query, ['en']).terms.join(' '),
    vector: vectors[index] ?? new Float32Array(),
  }))
}

/** Asks a table for the ten best chunks, by both legs, by words or by vectors. */
export type RawFinder = Readonly<Record<'hybrid' | 'lexical' | 'semantic', (query: RawQuery) => Promise<unknown>>>

/**
 * Lance's own searches over a table: as many probes as in the service, refined, fused as Lance does
 * it.
 */
export async function createRawFinder(table: Table): Promise<RawFinder> {
  const partitions = (await table.countRows()) / ROWS_PER_PARTITION
  const probes = Math.max(MIN_PROBES, Math.ceil(partitions * PROBED_SHARE))
  const fusion = await rerankers.RRFReranker.create()
  const byTerms = ({ terms }: RawQuery) => table.query().fullTextSearch(new MatchQuery(terms, 'terms')).limit(HITS)
  const nearest = (query: VectorQuery) =>
    query.column('vector').distanceType('dot').nprobes(probes).refineFactor(REFINE_FACTOR).limit(HITS)
  return {
    lexical: (query) => byTerms(query).select(['id', 'record', '_score']).toArrow(),
    semantic: ({ vector }) => nearest(table.query().nearestTo(vector)).select(['id', 'record', '_distance']).toArrow(),
    hybrid: (query) =>
      nearest(byTerms(query).nearestTo(query.vector)).rerank(fusion).select(['id', 'record']).toArrow(),
  }
}
