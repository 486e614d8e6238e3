/**
 * Interface of the chunk storage of a memory: writes, reads and searches. The only implementation
 * is `lance-memory-file.ts`. The storage does not decide visibility: callers join every row to the
 * visible documents.
 */

/** A chunk to write. Offsets are UTF-16 code units of the extracted text; pages start at 1. */
export type ChunkRow = {
  documentId: string
  /** 0, 1, 2 … within the document. The identity of a chunk is `documentId` and `chunkIndex`. */
  chunkIndex: number
  kind: 'document' | 'correction'
  text: string
  /**
   * Analysed terms of text, title, section and header, separated by one space: the input of BM25.
   */
  terms: string
  /**
   * L2-normalised embedding of the whole chunk; all zeros without an embedding. All vectors of a
   * memory have the length of its first.
   */
  vector: Float32Array
  /** Packed embeddings of the chunk's sentence windows. */
  windows: Uint8Array
  startOffset: number
  endOffset: number
  page: number | null
  pageEnd: number | null
  section: string | null
  /** Header row of the table or sheet that contains the chunk. */
  header: string | null
  /** Hex labels of tags and metadata. */
  labels: readonly string[]
}

/** A chunk as read: the fields that are displayed or used for ranking. */
export type StoredChunk = Omit<ChunkRow, 'terms' | 'labels' | 'vector'>

/** A search hit, to be read by {@link MemoryFile.readRows}. */
export type FoundChunk = {
  /**
   * Row id in this file. Row ids are never reused. Compaction or rewriting gives the chunk a new
   * one.
   */
  row: bigint
  /**
   * BM25 of lexical search (higher is better). An index that grew in parts differs by up to 5 %
   * from an index built in one step. Or the cosine -1..1 of vector search, exact to about 0.02 with
   * an index.
   */
  score: number
}

/** Documents allowed in a search: `ids[place]` for each place with bit 1. */
export type DocumentSet = {
  /**
   * Identifiers without repetitions. Sets may share the array, and the array only grows, so a
   * search keeps the facts of each place.
   */
  ids: readonly string[]
  /** A byte for each identifier, 1 or 0; identifiers added later are not in the set. */
  bits: Uint8Array
  /** Number of documents in the set. */
  size: number
}

/** Chunks allowed in a search. Identifiers are validated before use in SQL. */
export type ChunkFilter = { kind?: 'document' | 'correction'; documents?: DocumentSet }

/** Indexes of chunks in a document. */
export type ChunkRange = { from: number; to: number }

/** Maximum number of hits, and the filter. */
export type SearchOptions = { limit: number; filter?: ChunkFilter | undefined }

/**
 * `areNew`: no document was ever written before. This skips the lookup of existing chunks, half of
 * the work for few chunks.
 */
type AddOptions = { areNew?: boolean }

/**
 * `confirm` is called after the chunks to delete are determined: all that exist at that moment.
 * Later writes to the documents stay, however late the deletion runs. If `confirm` returns false,
 * nothing is deleted. For documents that other callers may be writing.
 */
type DeleteOptions = { confirm?: () => Promise<boolean> }

/** Documents to scan; all if absent. Without vectors, vectors have length 0. */
export type ScanOptions = { documentIds?: readonly string[]; withVectors?: boolean }

/** State of a file before its first use. */
export type Inspection = { hasTermsIndex: boolean; areIndexesReadable: boolean }

export type MemoryFile = {
  /**
   * Adds chunks durably: after the promise resolves, every reader on every node finds the chunks.
   * Waiting adds share a commit. An existing chunk is replaced. Rejects with
   * `embedding_model_pinned` if the length of the vectors differs from the stored ones.
   */
  add(memoryId: string, chunks: readonly ChunkRow[], options?: AddOptions): Promise<void>
  /** Deletes every chunk of these documents. */
  deleteDocuments(memoryId: string, documentIds: readonly string[], options?: DeleteOptions): Promise<void>
  /** BM25 over `terms`: any term may match, and repeated terms count repeatedly. Best first. */
  searchLexical(memoryId: string, terms: readonly string[], options: SearchOptions): Promise<FoundChunk[]>
  /**
   * BM25 over near matches of `terms`: same first letter, and at most one edit, or two in a long
   * term. Best first.
   */
  searchNear(memoryId: string, terms: readonly string[], options: SearchOptions): Promise<FoundChunk[]>
  /**
   * Nearest by cosine. Best first. Rejects with `embedding_model_pinned` if the memory's vectors
   * have another length.
   */
  searchVector(memoryId: string, vector: Float32Array, options: SearchOptions): Promise<FoundChunk[]>
  /**
   * Reads hits in the given order; `null` for a row that was moved, replaced or deleted in the
   * meantime and can be searched again. A deleted row may still be returned from the cache, so
   * callers join the result to the visible documents.
   */
  readRows(memoryId: string, found: readonly Pick<FoundChunk, 'row'>[]): Promise<(StoredChunk | null)[]>
  /** Current row ids of the chunks of a document. */
  listRowIds(memoryId: string, documentId: string): Promise<bigint[]>
  /** Chunks of a document, in order; `range` limits them to indexes `from` to before `to`. */
  read(memoryId: string, documentId: string, range?: ChunkRange): Promise<StoredChunk[]>
  /**
   * All chunks, ordered by document id and chunk index, in batches of about 8 MB, so that memory
   * use is constant. A document written or deleted during the scan may be incomplete. Every other
   * document is complete, however slow the caller is.
   */
  scan(memoryId: string, options?: ScanOptions): AsyncIterable<ChunkRow[]>
  /** Number of chunks by document id, for verification. */
  count(memoryId: string): Promise<Map<string, number>>
  /** True if the file exists. In a bucket, true also for a file that existed earlier. */
  exists(memoryId: string): Promise<boolean>
  /**
   * State of the file, read without opening it, since opening repairs a missing index. `null` if
   * the file is missing.
   */
  inspect(memoryId: string): Promise<Inspection | null>
  /** Rebuilds every index of the file. */
  rebuildIndexes(memoryId: string): Promise<void>
  /**
   * Indexes new rows, compacts, and deletes old versions. One caller at a time per memory. When the
   * signal fires, the rest is left for the next run.
   */
  maintain(memoryId: string, signal?: AbortSignal): Promise<void>
  /**
   * Rewrites data and indexes without deleted chunks; concurrent adds and deletes are unaffected.
   * Returns the first version that contains nothing of the deleted chunks, 0 if the file is
   * missing. Returns `null` if concurrent writes interfered every time; then try again. One caller
   * at a time.
   */
  purgeDeletedRows(memoryId: string): Promise<number | null>
  /**
   * Deletes versions that readers no longer need (10 minutes), and on disk also the files of failed
   * writes. True when no version before `version` is left. One caller at a time.
   */
  deleteVersionsBefore(memoryId: string, version: number): Promise<boolean>
  /**
   * Purges deleted chunks on a disk that has no room for `purgeDeletedRows`. Deletes old versions
   * as soon as no reader uses them, and rewrites the file part by part within the free space.
   *
   * Returns the first version without the deleted chunks, 0 if the file is missing, and `null` in a
   * bucket, whose space is unlimited. Rejects with `insufficient_storage` if the free space is too
   * small even after everything possible is freed.
   */
  reclaimSpace(memoryId: string): Promise<number | null>
  /** Deletes the memory's file with all its content. */
  drop(memoryId: string): Promise<void>
}

/** Pending maintenance of memory files. */
export type PendingMaintenance = {
  /**
   * Finds maintenance that an earlier process left undone, for `needsMaintenance`. Call it when a
   * memory is first read.
   */
  loadPendingMaintenance(memoryId: string): Promise<void>
  /**
   * True when enough commits or unindexed rows have accumulated for `maintain` to pay off. At rest,
   * with no write for a while, fewer rows are enough.
   */
  needsMaintenance(memoryId: string, isAtRest?: boolean): boolean
  /** True when `maintain` should not wait for a pause in the writes. */
  isOverdue(memoryId: string): boolean
  /**
   * Starts to build the in-memory index of a file that the process has filled, or to update that of
   * a file that was searched. Call it when the file is at rest and maintained.
   */
  prepareSearches(memoryId: string): void
}
