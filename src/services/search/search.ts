import type { Metadata } from '../../api/fields.ts'
import type { FindAnswer, SearchAnswer } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import type { Memory } from '../../database/schema.ts'
import type { Caller } from '../caller.ts'

/** A memory as a request searches it: its row and its languages, which are read once a request. */
export type SearchedMemory = {
  memory: Memory
  /** Of its chunks, the most frequent first; English where nothing was written yet. Never empty. */
  languages: readonly [string, ...string[]]
}

/** Searches memories. */
export type SearchService = {
  /** Reads what the searches of a request need to know of the memory. Throws `memory_not_found`. */
  open(caller: Caller, memoryId: string): Promise<SearchedMemory>
  find(searched: SearchedMemory, request: FindRequest): Promise<FindAnswer>
  search(searched: SearchedMemory, request: Pick<FindRequest, 'query' | 'limit' | 'signal'>): Promise<SearchAnswer>
  /** The documents that a find of this query has hits of, corrections apart: each once, in the order of their best passages. */
  rank(
    searched: SearchedMemory,
    request: Pick<FindRequest, 'query' | 'mode' | 'signal'>,
  ): Promise<{ corrections: string[]; documents: string[]; warnings: Warning[] }>
}

/** What is searched for, with every default filled in. */
export type FindRequest = {
  query: string
  limit: number
  mode: 'hybrid' | 'semantic' | 'lexical' | 'auto'
  highlight: boolean
  /** `documentIds` is `null` where every document may be found; an empty one lets none be. */
  filter: { tags: readonly string[]; documentIds: readonly string[] | null; metadata: Metadata }
  /** True: documents alone. */
  withoutCorrections?: boolean
  /** True: says why each hit has its score. */
  explain?: boolean
  /** A document of which it is said where it stands, or why it does not. */
  explainDocumentId?: string | null
  /** Fires when nobody waits for the answer any more: the search ends at its next step, with the signal's reason. */
  signal?: AbortSignal | undefined
}
