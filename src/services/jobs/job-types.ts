/** The job type of additions (API document, "Job"). */
export const INGESTION_JOB = 'documentingestion'
/** The job type of imports (contract, "Export and import"). */
export const IMPORT_JOB = 'memoryimport'
/** The job type of a re-embedding (contract, "Re-embed"). */
export const REEMBEDDING_JOB = 'reembedding'
