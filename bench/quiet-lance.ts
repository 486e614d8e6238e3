/**
 * Must be imported before Lance, which reads this setting once. Lance warns on every hybrid search
 * that scores must be requested in future, and its reranker forbids the request.
 */
process.env['LANCEDB_LOG'] ??= 'error'
