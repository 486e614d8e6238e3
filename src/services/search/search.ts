import type { FindAnswer, SearchAnswer } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import type { Memory } from '../../database/schema.ts'
import type { Caller } from '../caller.ts'
import type { DocumentFilter } from '../filters/read-filter.ts'
import type { MemorySelection } from './find-across.ts'

/** A memory to search: the row and the languages, both read once per request. */
export type SearchedMemory = {
  memory: Memory
  /** Languages of the chunks, most frequent first; English for an empty memory. Never empty. */
  languages: readonly [string, ...string[]]
  /** Documents that the caller has hidden from searches. */
  hiddenIds?: readonly string[]
  /** Key of the caller, for the usage. */
  keyId?: string | null
}

/** Searches memories. */
export type SearchService = {
  /** Names of the embedding models. */
  readonly embeddingModels: readonly string[]
  /**
   * Embeds texts as passages. Rejects with `model_not_found` if no embedding model has the name.
   */
  embed(model: string, texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
  /**
   * Reads the memory row and languages for the searches of a request. Throws `memory_not_found`.
   */
  open(caller: Caller, memoryId: string): Promise<SearchedMemory>
  find(searched: SearchedMemory, request: FindRequest): Promise<FindAnswer>
  /**
   * Opens the selected memories. Throws `memory_not_found` if the caller may not see one,
   * `project_not_found`, and `validation_failed` for a wrong selection.
   */
  openSeveral(caller: Caller, selection: MemorySelection): Promise<SearchedMemory[]>
  /** Finds the best passages of several memories; each hit has its `memoryId`. */
  findAcross(memories: readonly SearchedMemory[], request: FindRequest): Promise<FindAnswer>
  search(
    searched: SearchedMemory,
    request: Pick<FindRequest, 'query' | 'limit' | 'filter' | 'signal'>,
  ): Promise<SearchAnswer>
  /**
   * Ranks documents by their best passage, each document once. Corrections are listed separately.
   */
  rank(
    searched: SearchedMemory,
    request: Pick<FindRequest, 'query' | 'mode' | 'filter' | 'signal'>,
  ): Promise<{ corrections: string[]; documents: string[]; warnings: Warning[] }>
}

/** A search request with every default filled in. */
export type FindRequest = {
  query: string
  limit: number
  /** `nextCursor` of the answer before, to the same request. */
  cursor?: string
  mode: 'hybrid' | 'semantic' | 'lexical' | 'auto'
  highlight: boolean
  /** Restricts the search to documents and corrections that meet the filter. */
  filter?: DocumentFilter | null
  /** Documents with a lower score are no hits; 0 by default. */
  minScore?: number
  /** False: returns every copy of a passage; true by default. */
  collapseDuplicates?: boolean
  /** True: also returns passages that have no word of the query and are not near. */
  keepUnrelated?: boolean
  /** True: returns documents only. */
  withoutCorrections?: boolean
  /** True: adds an explanation of the score to each hit. */
  explain?: boolean
  /** A document to explain: its rank, or the reason for its absence. */
  explainDocumentId?: string | null
  /** Aborts the search before its next step, with the reason of the signal. */
  signal?: AbortSignal | undefined
}
