/**
 * Imported before Lance, which reads it once. Of a memory with many passages that are alike it would warn with every index that partitions are
 * empty, in lines that are no JSON, and of nothing that anybody could mend. Its other warnings stay.
 */
process.env['LANCEDB_LOG'] ??= 'warn,lance_index::vector::kmeans=error,lance::index::vector::builder=error'

/*
 * What may be taken of the memory of the process's container or machine. Measured with 60 MB of orders, each with numbers of its own, whose index of words is as
 * large as they come.
 */

/** Of a machine with 2 GB 128 MB: the orders took 1.3 GB at most with 384 MB of cache, and 1.0 GB with 64. */
const CACHE_SHARE = 1 / 16

/** The bytes of a cache of indexes: `most`, but no more than a share of what the process may take. A search reads again what does not fit. */
export function sizeCache(most: bigint, memoryBytes = Number.POSITIVE_INFINITY): bigint {
  const share = memoryBytes * CACHE_SHARE
  return share < Number(most) ? BigInt(Math.floor(share)) : most
}

const MEGABYTE = 1024 ** 2
/** Of a container with 1 GB 32 MB: the orders were indexed in it, and with 128 the process was killed again and again. */
const INDEX_BUFFER_SHARE = 1 / 32
/**
 * Left to itself Lance takes 2,048, so that a table of many different words took what memory it liked; with less than these 16 an index has so many parts that
 * searches take longer (docs/decisions/0016-memory-file-measured.md).
 */
const INDEX_BUFFER_MB = { least: 16, most: 128 } as const

/** MiB that each of the threads which build a full-text index gathers before it writes. */
export function sizeIndexBuffer(memoryBytes = Number.POSITIVE_INFINITY): number {
  const share = Math.floor((memoryBytes * INDEX_BUFFER_SHARE) / MEGABYTE)
  return Math.min(Math.max(share, INDEX_BUFFER_MB.least), INDEX_BUFFER_MB.most)
}
