/** Of a machine with 2 GB 128 MB: 60 MB of orders, each with numbers of its own, took 1.3 GB at most with 384 MB of cache, and 1.0 GB with 64. */
const MEMORY_SHARE = 1 / 16

/** The bytes of a cache of indexes: `most`, but no more than a share of what the process may take. A search reads again what does not fit. */
export function fitCache(most: bigint, memoryBytes = Number.POSITIVE_INFINITY): bigint {
  const share = memoryBytes * MEMORY_SHARE
  return share < Number(most) ? BigInt(Math.floor(share)) : most
}
