/**
 * Imported before Lance, which reads it once. Of a memory with many passages that are alike it would warn with every index that partitions are
 * empty, in lines that are no JSON, and of nothing that anybody could mend. Its other warnings stay.
 */
process.env['LANCEDB_LOG'] ??= 'warn,lance_index::vector::kmeans=error,lance::index::vector::builder=error'
