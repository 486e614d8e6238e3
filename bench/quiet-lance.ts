/**
 * Imported before Lance, which reads it once: it warns of every hybrid search that its scores will one day have to be
 * asked for, and its reranker forbids asking.
 */
process.env['LANCEDB_LOG'] ??= 'error'
