/** What is looked for in a memory, and what is found. */
import type { Memory } from '../../database/schema.ts'
import type { Caller } from '../caller.ts'
import type { Metadata } from '../documents/documents.ts'
import type { Warning } from '../warning.ts'
import type { DocumentExplanation, HitExplanation } from './explanation.ts'
import type { FindRequest } from './find-request.ts'

/** A memory as a request searches it: its row and its languages, which are read once a request. */
export type SearchedMemory = {
  memory: Memory
  /** Of its chunks, the most frequent first; English where nothing was written yet. Never empty. */
  languages: readonly [string, ...string[]]
}

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

export type SearchMode = 'hybrid' | 'semantic' | 'lexical'

export type HitResource = {
  rank: number
  score: number
  scores: {
    lexical: number | null
    semantic: number | null
    fused: number | null
    rerank: number | null
    boost: number
  }
  kind: 'document' | 'correction'
  /** `null` for documents. */
  correction: CorrectionMark | null
  documentId: string
  chunkId: string
  chunkIndex: number
  title: string
  filename: string | null
  url: string | null
  text: string
  snippet: string
  page: number | null
  pageEnd: number | null
  section: string | null
  /** The header row above the rows of a table, which is not part of `text`. */
  header: string | null
  startOffset: number
  endOffset: number
  tags: readonly string[]
  metadata: Metadata
  createdAt: string
  /** Where it was asked for. */
  explanation?: HitExplanation
}

/** Since when and until when a correction holds, where one is shown among passages. */
export type CorrectionMark = { createdAt: string; expiresAt: string | null }

export type FindAnswer = {
  query: string
  mode: SearchMode
  totalHits: number
  tookMs: number
  hits: HitResource[]
  warnings: Warning[]
  /** Where one was named. */
  explainedDocument?: DocumentExplanation
}

export type SearchAnswer = {
  query: string
  hits: Pick<HitResource, 'rank' | 'score' | 'documentId' | 'chunkId' | 'title' | 'text' | 'snippet' | 'page'>[]
  totalHits: number
  tookMs: number
}
