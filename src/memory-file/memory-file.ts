/**
 * The seam to what keeps the chunks of a memory and finds among them. One implementation: `lance-memory-file.ts`.
 * Nothing here decides what may be seen: the caller joins every row to the documents that live.
 */

/** A chunk as it is written. Offsets are UTF-16 code units into the extracted text; pages count from 1. */
export type ChunkRow = {
  documentId: string
  /** 0, 1, 2 … within the document; with `documentId` it is the chunk's identity. */
  chunkIndex: number
  kind: 'document' | 'correction'
  text: string
  /** The analysed terms of text, title, section and header, separated by one space: what BM25 sees. */
  terms: string
  /** The whole chunk's embedding, L2-normalised; all zeros when it has none. All of a memory have the same length, that of its first. */
  vector: Float32Array
  /** Embeddings of the chunk's windows of sentences, one after the other, as signed bytes (value = byte / 127). Kept at four bits a number. */
  windows: Int8Array
  startOffset: number
  endOffset: number
  page: number | null
  pageEnd: number | null
  section: string | null
  /** The header row of the table or sheet the chunk's rows stand under. */
  header: string | null
  /** Hex labels of tags and metadata, see {@link ChunkFilter}. */
  labels: readonly string[]
}

/** A chunk as it is read: what of the row is shown or ranked by. */
export type StoredChunk = Omit<ChunkRow, 'terms' | 'labels' | 'vector'>

/** A chunk that a search found; {@link MemoryFile.readFound} reads it, and tells which it is. */
export type FoundChunk = {
  /** Where it stands in this file. No other chunk ever stands there; maintenance moves it, and writing it again does. */
  row: bigint
  /**
   * BM25 of the lexical leg (higher is better): an index that grew in parts has statistics up to some 5 % from those of one made at once. Or cosine similarity
   * -1..1 of the vector leg, within some 0.02 where an index answers.
   */
  score: number
}

/** Which chunks may be found. Identifiers and labels are checked against their patterns before they reach SQL. */
export type ChunkFilter = {
  kind?: 'document' | 'correction'
  documentIds?: readonly string[]
  /** Every label must be there. A label is 16 to 64 lower-case hex digits. */
  labels?: readonly string[]
}

/** How many chunks a search finds at most, and among which. */
export type SearchOptions = { limit: number; filter?: ChunkFilter | undefined }

/** `areNew`: none of the documents was ever written, which saves looking for their chunks: half of the work where they are few. */
type AddOptions = { areNew?: boolean }

/**
 * `confirm` is asked when it is settled which chunks go: those that stand then. What is written of the documents afterwards stays, however late the removal
 * comes through; where the answer is false, nothing goes. For documents that others may write by then.
 */
export type RemoveOptions = { confirm?: () => Promise<boolean> }

/** What a scan reads: the chunks of these documents, or of all; without vectors they are of length 0. */
export type ScanOptions = { documentIds?: readonly string[]; withVectors?: boolean }

/** What is known of a file before it is used. */
export type Inspection = { hasTermsIndex: boolean; areIndexesReadable: boolean }

export type MemoryFile = {
  /** Adds chunks durably: when the promise resolves, every reader on every node finds them. Adds that wait together go in one commit; writing the same chunk again replaces it. Rejects with `embedding_model_pinned` where the vectors are longer or shorter than those that stand there. */
  add(memoryId: string, chunks: readonly ChunkRow[], options?: AddOptions): Promise<void>
  /** Removes every chunk of these documents. */
  remove(memoryId: string, documentIds: readonly string[], options?: RemoveOptions): Promise<void>
  /** BM25 over `terms`: any of the query's terms may match, and one that is given several times counts as often. Best first. */
  searchLexical(memoryId: string, terms: readonly string[], options: SearchOptions): Promise<FoundChunk[]>
  /** BM25 over what is nearly one of `terms`: the first letter is the same, and at most one other differs, of a long term two. Best first. */
  searchNear(memoryId: string, terms: readonly string[], options: SearchOptions): Promise<FoundChunk[]>
  /** Nearest by cosine. Best first. Rejects with `embedding_model_pinned` where the memory's vectors have another length. */
  searchVector(memoryId: string, vector: Float32Array, options: SearchOptions): Promise<FoundChunk[]>
  /**
   * What was found, in the order given; `null` for what stands there no more: it was moved, replaced or removed, and what is left of it can be found again.
   * What was read before may come as it was then: joining it to the documents that live leaves out what was removed.
   */
  readFound(memoryId: string, found: readonly Pick<FoundChunk, 'row'>[]): Promise<(StoredChunk | null)[]>
  /** Where the chunks of a document stand now. */
  listRows(memoryId: string, documentId: string): Promise<bigint[]>
  /** The chunks of a document in order. */
  read(memoryId: string, documentId: string): Promise<StoredChunk[]>
  /**
   * All chunks in the order of their documents' identifiers and of their numbers, in batches of at most some 8 MB, so that a memory of any size takes
   * the same room. A document that is written or removed meanwhile may come in part; every other one comes whole, however long the caller takes.
   */
  scan(memoryId: string, options?: ScanOptions): AsyncIterable<ChunkRow[]>
  /** Document ids with their number of chunks, for verification. */
  count(memoryId: string): Promise<Map<string, number>>
  /** Whether there is a file at all; in a bucket one that was there counts as there. */
  isThere(memoryId: string): Promise<boolean>
  /** What can be told of the file without opening it, which would mend an index that is missing; `null` where there is none. */
  inspect(memoryId: string): Promise<Inspection | null>
  /** Makes every index of the file anew. */
  renewIndexes(memoryId: string): Promise<void>
  /** Indexes what is not indexed, compacts, cleans old versions. One caller at a time a memory. When the signal fires, the rest is left for the next time. */
  maintain(memoryId: string, signal?: AbortSignal): Promise<void>
  /**
   * Writes data and indexes that hold removed chunks anew without them; what others add and remove meanwhile stays as it is. The version from which on
   * nothing of them is anywhere, 0 where there is no file; `null` where others came between all the time, and it has to be tried again. One caller at a time.
   */
  rewriteRemoved(memoryId: string): Promise<number | null>
  /**
   * Takes versions away that are older than readers need them, 10 minutes, and on a disk what writes left that came to nothing. True when none before this
   * one is left. One caller at a time.
   */
  dropVersionsBefore(memoryId: string, version: number): Promise<boolean>
  /**
   * The two above on a disk without room for them: old versions go as soon as nobody reads them, and removed chunks leave part by part of the file, within the room there is. The version from which on
   * nothing of them is anywhere, 0 where there is no file; `null` in a bucket, where room does not end. Rejects with `insufficient_storage` where that is too little, when all is free that could be freed.
   */
  reclaim(memoryId: string): Promise<number | null>
  /** Removes the memory's file with everything in it. */
  drop(memoryId: string): Promise<void>
}

/** What is left to maintain in memory files. */
export type PendingMaintenance = {
  /** Finds out what a process before this one left undone, which `needsMaintenance` then tells of; to be called when a memory is first read. */
  loadPendingMaintenance(memoryId: string): Promise<void>
  /** True when enough commits or unindexed rows have gathered for `maintain` to pay; fewer rows are enough when the memory is at rest, with no write for a while. */
  needsMaintenance(memoryId: string, isAtRest?: boolean): boolean
  /** True when so much has gathered that `maintain` should not wait for a pause in the writes. */
  isOverdue(memoryId: string): boolean
}
