/**
 * What the API answers.
 * Printed from the OpenAPI document by `npm run docs`; do not edit.
 */
import type { Citation, DocumentExplanation, ExtractedField, Grounding, Hit, Source } from './findings.ts'
import type { Job, Warning } from './resources.ts'

export type AcceptedDocuments = {
  jobId: string
  /** Relative to the base address. */
  pollUrl: string
  status: 'pending'
  reason: 'file_over_sync_threshold' | 'scanned_pages' | 'async_requested'
  documentIds: string[]
  job: Job
  warnings: Warning[]
}

export type AcceptedJob = { jobId: string; pollUrl: string; status: 'pending'; job: Job; warnings: Warning[] }

export type AddedDocuments = {
  status: 'completed'
  documentsAdded: number
  documentsSkipped: number
  chunksCreated: number
  documentIds: string[]
  totalBytes: number
  processingMs: number
  documents: Array<{
    id: string | null
    title: string
    status: 'ready' | 'partial' | 'duplicate'
    chunkCount: number
    duplicateOf: string | null
  }>
  warnings: Warning[]
}

export type AskAnswer = {
  question: string
  /** Its citations are the [n] that `citations` places; quoted words may have brackets of their own. */
  answer: string
  /** The one that answered; extractive where none is configured. */
  model: string
  requestedModel: string
  /** False where nothing relevant was found; answer says so. */
  answered: boolean
  citations: Citation[]
  /** Empty unless includeSources. */
  sources: Source[]
  usage: { retrieved: number; promptTokens: number; completionTokens: number; totalTokens: number }
  stats: { retrievalMs: number; generationMs: number; totalMs: number }
  /** null where every word is quoted. */
  grounding: Grounding | null
  warnings: Warning[]
}

export type AskOnceAnswer = {
  question: string
  /** Its citations are the [n] that `citations` places; quoted words may have brackets of their own. */
  answer: string
  /** The one that answered; extractive where none is configured. */
  model: string
  requestedModel: string
  /** False where nothing relevant was found; answer says so. */
  answered: boolean
  citations: Array<{
    /** The number in brackets in the answer, and of the source. */
    index: number
    startOffset: number
    endOffset: number
    /** Where its mark stands in the answer, in UTF-16 code units. */
    answerStart: number
    answerEnd: number
  }>
  /** Empty unless includeSources. */
  sources: Array<{
    /** The number in brackets in the answer, and of the source. */
    index: number
    /** HTML-escaped. */
    snippet: string
    text: string
    startOffset: number
    endOffset: number
    score: number
  }>
  usage: { retrieved: number; promptTokens: number; completionTokens: number; totalTokens: number }
  stats: { retrievalMs: number; generationMs: number; totalMs: number }
  /** null where every word is quoted. */
  grounding: Grounding | null
  warnings: Warning[]
}

export type ExtractAnswer = {
  memoryId: string
  values: Record<string, Record<string, string | number | boolean | string[] | { amount: number; currency: string | null } | null>>
  sections: Array<{ id: string; name: string; fields: ExtractedField[] }>
  fieldsTotal: number
  fieldsFound: number
  model: string
  warnings: Warning[]
}

export type FindAnswer = {
  query: string
  mode: 'hybrid' | 'semantic' | 'lexical'
  /** Passages that were ranked for the query, at most a few hundred; their score says how well they fit. */
  totalHits: number
  tookMs: number
  hits: Hit[]
  warnings: Warning[]
  explainedDocument?: DocumentExplanation
}

export type RecognizedImage = {
  /** Empty when there is none; nothing is added then. */
  text: string
  confidence: number
  mode: 'fast' | 'accurate'
  engine: string
  languages: string[]
  width: number
  height: number
  blocks: Array<{
    text: string
    confidence: number
    /** Left, top, width, height, in pixels of the picture as it is shown. */
    bbox: number[]
    /** Where the picture has more than one page. */
    page?: number
  }>
  documentId: string | null
  duplicateOf: string | null
  documentIds: string[]
  documentsAdded: number
  documentsSkipped: number
  chunksCreated: number
  processingMs: number
  warnings: Warning[]
}

export type SearchAnswer = {
  query: string
  hits: Array<{
    rank: number
    score: number
    documentId: string
    chunkId: string
    title: string
    text: string
    /** HTML-escaped; matches in mark tags where highlight is asked for. */
    snippet: string
    page: number | null
  }>
  /** Passages that were ranked for the query, at most a few hundred; their score says how well they fit. */
  totalHits: number
  tookMs: number
}
