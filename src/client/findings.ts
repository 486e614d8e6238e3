/**
 * What the API finds, and says of it.
 * Printed from the OpenAPI document by `npm run docs`; do not edit.
 */
import type { TopScore, Warning } from './resources.ts'

export type Citation = {
  /** The number in brackets in the answer, and of the source. */
  index: number
  documentId: string
  chunkId: string
  title: string
  page: number | null
  /** Since when and until when a correction holds; null for a document. */
  correction: { createdAt: string; expiresAt: string | null } | null
  startOffset: number
  endOffset: number
  /** Where its mark stands in the answer, in UTF-16 code units. */
  answerStart: number
  answerEnd: number
}

export type DocumentExplanation = {
  documentId: string
  title: string | null
  reason: 'hit' | 'outranked' | 'not_read' | 'not_a_candidate' | 'filtered_out' | 'correction_not_matching' | 'expired' | 'not_ready' | 'not_found'
  message: string
  /** Of its best passage among all that were ranked. */
  rank: number | null
  score: number | null
  /** That of the last hit. */
  neededScore: number | null
  /** Of a document that was not ranked: its best BM25 and cosine, and those of the last candidates. */
  legs: Array<{ leg: 'lexical' | 'semantic'; best: number | null; needed: number | null }>
  explanation: HitExplanation | null
}

export type Evaluation = {
  questions: number
  topK: number
  /** By mode, the means over all questions, of the first topK documents. */
  results: Array<{
    mode: 'lexical' | 'semantic' | 'hybrid' | 'auto'
    ndcg: number
    recall: number
    mrr: number
    precision: number
    /** Of a search. */
    meanMs: number
  }>
  perQuestion: Array<{
    /** The place of the question in the request, from 0. */
    index: number
    /** Its first 500 characters. */
    query: string
    mode: 'lexical' | 'semantic' | 'hybrid' | 'auto'
    /** Of the first document that answers, among documents; null where none is among the first topK. */
    rank: number | null
    ndcg: number
    recall: number
  }>
  warnings: Warning[]
}

export type ExtractedField = {
  key: string
  label: string
  data_type: string | null
  found: boolean
  /** A date is ISO 8601, an amount of money has its currency; null where nothing was found. */
  value: string | number | boolean | string[] | { amount: number; currency: string | null } | null
  rawValue: string | null
  confidence: number
  sources: FieldSource[]
}

export type FieldSource = {
  documentId: string
  chunkId: string
  title: string
  page: number | null
  /** HTML-escaped. */
  snippet: string
  startOffset: number
  endOffset: number
}

export type Grounding = {
  /** How far the words and numbers of the answer stand in the passages it cites. A measure of words, no proof of truth. */
  score: number
  /** Sentences of the answer, as places in it, whose words mostly stand in no cited passage. */
  unsupported: Array<{ start: number; end: number }>
}

export type Hit = {
  rank: number
  score: number
  documentId: string
  chunkId: string
  title: string
  text: string
  /** HTML-escaped; matches in mark tags where highlight is asked for. */
  snippet: string
  page: number | null
  scores: {
    lexical: number | null
    semantic: number | null
    fused: number | null
    rerank: number | null
    boost: number
  }
  kind: 'document' | 'correction'
  /** Since when and until when a correction holds; null for a document. */
  correction: { createdAt: string; expiresAt: string | null } | null
  chunkIndex: number
  filename: string | null
  url: string | null
  pageEnd: number | null
  section: string | null
  header: string | null
  startOffset: number
  endOffset: number
  tags: string[]
  metadata: Record<string, string | number | boolean | null>
  createdAt: string
  explanation?: HitExplanation
}

export type HitExplanation = {
  summary: string
  parts: ScorePart[]
  /** How well the query is answered at all: the score of the best passage before a model reads it again, of which all have a share. Null for corrections. */
  top: TopScore | null
  /** What was looked up, with the words that have it: up to 100 terms that stand in the passage, and up to 20 that do not, of which count is 0. */
  terms: Array<{
    /** As it is indexed. */
    term: string
    /** The words of the query; none for another way of writing them. */
    asked: string[]
    /** Those of the passage. */
    words: string[]
    count: number
  }>
  /** The sentences nearest in meaning; null where nothing was compared, and where the title is nearest. */
  window: { startOffset: number; endOffset: number; cosine: number } | null
}

export type KnownQuestion = {
  query: string
  /** Documents or corrections of the memory that answer it. These or externalIds name at least one. */
  documentIds?: string[]
  /** The same by externalId, which stays when a document is replaced. */
  externalIds?: string[]
  /** How much a document answers, by its id as it stands above; 1 where none is given. Only nDCG uses it. */
  grades?: Record<string, number>
}

export type ScorePart = {
  name: 'words' | 'meaning' | 'runs' | 'pairs' | 'nearlyWords' | 'title' | 'inText' | 'speaker' | 'phrase' | 'neighbours' | 'alike' | 'model' | 'correction' | 'place'
  /** BM25 of words, runs, pairs and title, cosine of meaning, phrases that stand in it, what others lend. */
  raw: number | null
  /** The raw figure whose share is 0. */
  zero: number | null
  /** The raw figure whose share is 1. */
  one: number | null
  /** (raw - zero) / (one - zero), not below 0; 1 where both ends are the same. */
  share: number | null
  weight: number | null
  /** Of the score; those of all parts add up to it. */
  points: number
  message: string
}

export type Source = FieldSource & {
  /** The number in brackets in the answer, and of the source. */
  index: number
  text: string
  score: number
  filename: string | null
  kind: 'document' | 'correction'
  /** Since when and until when a correction holds; null for a document. */
  correction: { createdAt: string; expiresAt: string | null } | null
}
