/**
 * Answers of the API.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type { Citation, DocumentExplanation, ExtractedField, Grounding, Hit, Source } from './findings.ts'
import type { Job, Warning } from './resources.ts'

export type AcceptedDocuments = AcceptedJob & {
  /** Why a job does the work: the file is larger than 2 MB, it has more than 5 scanned pages, or async was asked for. */
  reason: 'file_over_sync_threshold' | 'scanned_pages' | 'async_requested'
  /** The identifiers of the documents that the job adds. */
  documentIds: string[]
}

export type AcceptedJob = {
  /** The identifier of the job that does the work. */
  jobId: string
  /** Where the job can be read, relative to the base address. */
  pollUrl: string
  /** The state of the job. */
  status: 'pending'
  job: Job
  /** What did not go as asked; empty where all did. */
  warnings: Warning[]
}

export type AddedDocuments = {
  /** The state of the work: it is done. */
  status: 'completed'
  /** The documents that were added. */
  documentsAdded: number
  /** The documents that were left out, as deduplicate found them in the memory already. */
  documentsSkipped: number
  /** The chunks that were made of the documents. */
  chunksCreated: number
  /** The identifiers of the documents that were added. */
  documentIds: string[]
  /** The bytes of what was added, as it came. */
  totalBytes: number
  /** The time that the work took, in milliseconds. */
  processingMs: number
  /** What became of each document, in the order sent; the last are left out where all would be larger than 4 MB. */
  documents: Array<{
    /** The identifier of the new document; null where it was skipped. */
    id: string | null
    /** The title of the document. */
    title: string
    /** What became of the document: it can be found, it can be found and lacks pages, or it was skipped. */
    status: 'ready' | 'partial' | 'duplicate'
    /** The chunks that were made of the document. */
    chunkCount: number
    /** The document that has this content already; null where none was skipped for it. */
    duplicateOf: string | null
  }>
  /** What did not go as asked; empty where all did. */
  warnings: Warning[]
}

export type AskAnswer = {
  /** What was asked. */
  question: string
  /** The answer. Its citations are the [n] that citations places; quoted words may have brackets of their own. */
  answer: string
  /** The model that answered; extractive where none is configured. */
  model: string
  /** The model that was asked for. */
  requestedModel: string
  /** Whether the question is answered; false where nothing relevant was found, and answer says so. */
  answered: boolean
  /** The passages that support the answer, in the order of their places in it. */
  citations: Citation[]
  /** The passages that were retrieved; empty unless includeSources. */
  sources: Source[]
  /** What the answer took. */
  usage: {
    /** The passages that were retrieved. */
    retrieved: number
    /** The tokens that the model read; 0 without a model. */
    promptTokens: number
    /** The tokens that the model wrote; 0 without a model. */
    completionTokens: number
    /** The tokens that the model read and wrote. */
    totalTokens: number
  }
  /** How long the answer took. */
  stats: {
    /** The time until the passages were retrieved, in milliseconds. */
    retrievalMs: number
    /** The time that the answer took from then on, in milliseconds. */
    generationMs: number
    /** The whole time, in milliseconds. */
    totalMs: number
  }
  /** How far a model's words stand in what it cites; null where every word is quoted. */
  grounding: Grounding | null
  /** What did not go as asked; empty where all did. */
  warnings: Warning[]
}

export type AskOnceAnswer = {
  /** What was asked. */
  question: string
  /** The answer. Its citations are the [n] that citations places; quoted words may have brackets of their own. */
  answer: string
  /** The model that answered; extractive where none is configured. */
  model: string
  /** The model that was asked for. */
  requestedModel: string
  /** Whether the question is answered; false where nothing relevant was found, and answer says so. */
  answered: boolean
  /** The passages that support the answer, in the order of their places in it. */
  citations: Array<{
    /** The number in brackets in the answer, and of the source. */
    index: number
    /** Where the passage begins in content, in UTF-16 code units. */
    startOffset: number
    /** Where the passage ends in content, in UTF-16 code units. */
    endOffset: number
    /** Where the mark [index] begins in the answer, in UTF-16 code units. */
    answerStart: number
    /** Where the mark ends in the answer, in UTF-16 code units. */
    answerEnd: number
  }>
  /** The passages that were retrieved; empty unless includeSources. */
  sources: Array<{
    /** The number in brackets in the answer, and of the source. */
    index: number
    /** A part of the passage that fits, HTML-escaped. */
    snippet: string
    /** The whole passage. */
    text: string
    /** Where the passage begins in content, in UTF-16 code units. */
    startOffset: number
    /** Where the passage ends in content, in UTF-16 code units. */
    endOffset: number
    /** How well the passage fits the question, from 0 to 1. */
    score: number
  }>
  /** What the answer took. */
  usage: {
    /** The passages that were retrieved. */
    retrieved: number
    /** The tokens that the model read; 0 without a model. */
    promptTokens: number
    /** The tokens that the model wrote; 0 without a model. */
    completionTokens: number
    /** The tokens that the model read and wrote. */
    totalTokens: number
  }
  /** How long the answer took. */
  stats: {
    /** The time until the passages were retrieved, in milliseconds. */
    retrievalMs: number
    /** The time that the answer took from then on, in milliseconds. */
    generationMs: number
    /** The whole time, in milliseconds. */
    totalMs: number
  }
  /** How far a model's words stand in what it cites; null where every word is quoted. */
  grounding: Grounding | null
  /** What did not go as asked; empty where all did. */
  warnings: Warning[]
}

export type ExtractAnswer = {
  /** The memory that was read. */
  memoryId: string
  /** The values by section and key. */
  values: Record<string, Record<string, string | number | boolean | string[] | {
    /** The amount of money, in units of the currency. */
    amount: number
    /** The currency by ISO 4217; null where it is not known. */
    currency: string | null
  } | null>>
  /** The sections, in the order asked. */
  sections: Array<{
    /** The identifier of the section. */
    id: string
    /** The name of the section. */
    name: string
    /** What was found of its fields, in the order asked. */
    fields: ExtractedField[]
  }>
  /** The fields that were asked for. */
  fieldsTotal: number
  /** The fields of which a value was found. */
  fieldsFound: number
  /** The model that read the fields; extractive where rules read all of them. */
  model: string
  /** What did not go as asked; empty where all did. */
  warnings: Warning[]
}

export type FindAnswer = {
  /** What was looked for. */
  query: string
  /** How was searched. Where that is not what was asked, a warning says why. */
  mode: 'hybrid' | 'semantic' | 'lexical'
  /** The passages that were ranked for the query, at most a few hundred. Their score says how well they fit. */
  totalHits: number
  /** The time that the search took, in milliseconds. */
  tookMs: number
  /** The passages, corrections first and then the best first. */
  hits: Hit[]
  /** What did not go as asked; empty where all did. */
  warnings: Warning[]
  explainedDocument?: DocumentExplanation
}

export type RecognizedImage = {
  /** The text of the picture; empty where there is none, and nothing is added then. */
  text: string
  /** How sure the recognition is, from 0 to 1, weighed by length; 0 without text. */
  confidence: number
  /** How the picture was read. */
  mode: 'fast' | 'accurate'
  /** What read the picture, with its version, or the model that did. */
  engine: string
  /** The languages that were read for, by their three-letter codes, such as eng. */
  languages: string[]
  /** The width of the first page of the picture, in pixels. */
  width: number
  /** The height of the first page of the picture, in pixels. */
  height: number
  /** The blocks of the text, with their places. */
  blocks: Array<{
    /** The text of the block. */
    text: string
    /** How sure the recognition of the block is, from 0 to 1. */
    confidence: number
    /** The left, top, width and height of the block, in pixels of the picture as it is shown. */
    bbox: number[]
    /** The page of the block, from 1. It is present where the picture has more than one. */
    page?: number
  }>
  /** The identifier of the new document; null where nothing was added. */
  documentId: string | null
  /** The document that has this text already, where deduplicate left the picture out; null otherwise. */
  duplicateOf: string | null
  /** The identifiers of the documents that were added. */
  documentIds: string[]
  /** The documents that were added. */
  documentsAdded: number
  /** The documents that were left out, as deduplicate found them in the memory already. */
  documentsSkipped: number
  /** The chunks that were made of the documents. */
  chunksCreated: number
  /** The time that the work took, in milliseconds. */
  processingMs: number
  /** What did not go as asked; empty where all did. */
  warnings: Warning[]
}

export type SearchAnswer = {
  /** What was looked for. */
  query: string
  /** The passages, corrections first and then the best first. */
  hits: Array<{
    /** The place of the hit, from 1. */
    rank: number
    /** How well the passage fits, from 0 to 1. It falls with the rank among documents. */
    score: number
    /** The document of the passage. */
    documentId: string
    /** The chunk of the passage: the identifier of the document and the number of the chunk. */
    chunkId: string
    /** The title of the document. */
    title: string
    /** The whole passage: exactly what stands from startOffset to endOffset of the extracted text. */
    text: string
    /** A part of the passage that fits, HTML-escaped; matches in mark tags where highlight is asked for. */
    snippet: string
    /** The page on which the passage begins, from 1; null where the document has no pages. */
    page: number | null
  }>
  /** The passages that were ranked for the query, at most a few hundred. Their score says how well they fit. */
  totalHits: number
  /** The time that the search took, in milliseconds. */
  tookMs: number
}
