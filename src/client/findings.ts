/**
 * Findings in answers.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type { TopScore, Warning } from './resources.ts'

export type Citation = {
  /** The number in brackets in the answer, and of the source. */
  index: number
  /** The document of the passage. */
  documentId: string
  /** The chunk of the passage: the identifier of the document and the number of the chunk. */
  chunkId: string
  /** The title of the document. */
  title: string
  /** The page on which the passage begins, from 1; null where the document has no pages. */
  page: number | null
  /** Since when and until when a correction holds; null for a document. */
  correction: {
    /** When the correction was made. ISO 8601, UTC, with milliseconds. */
    createdAt: string
    /** When the correction stops being found; null where it never does. */
    expiresAt: string | null
  } | null
  /** Where the passage begins in the extracted text, in UTF-16 code units. */
  startOffset: number
  /** Where the passage ends in the extracted text, in UTF-16 code units. */
  endOffset: number
  /** Where the mark [index] begins in the answer, in UTF-16 code units. */
  answerStart: number
  /** Where the mark ends in the answer, in UTF-16 code units. */
  answerEnd: number
}

export type DocumentExplanation = {
  /** The identifier that was asked for. */
  documentId: string
  /** The title of the document; null where there is no such document. */
  title: string | null
  /** Where the document stands: hit where it is among the hits, why it is not otherwise. */
  reason: 'hit' | 'outranked' | 'not_read' | 'not_a_candidate' | 'filtered_out' | 'correction_not_matching' | 'expired' | 'not_ready' | 'not_found'
  /** The reason as a sentence with its figures. */
  message: string
  /** The place of its best passage among all that were ranked, from 1; null where it was not ranked. */
  rank: number | null
  /** The score of its best passage; null where it was not ranked. */
  score: number | null
  /** The score of the last hit, which it would have to exceed; null where it is a hit, and where there is no such score. */
  neededScore: number | null
  /** How near a document that was not ranked came to the candidates of each search that ran; empty where it is among them. */
  legs: Array<{
    /** The search: by words or by meaning. */
    leg: 'lexical' | 'semantic'
    /** The BM25 or the cosine of its best passage; null where no passage of it was found at all. */
    best: number | null
    /** The figure of the last candidate; null where there was room for more. */
    needed: number | null
  }>
  /** Why its best passage has its score; null where it was not ranked. */
  explanation: HitExplanation | null
}

export type Evaluation = {
  /** How many questions were asked. */
  questions: number
  /** The documents of each answer that counted. */
  topK: number
  /** By mode, the means over all questions, of the first topK documents. */
  results: Array<{
    /** How was searched. */
    mode: 'lexical' | 'semantic' | 'hybrid' | 'auto'
    /** The normalised discounted cumulative gain: 1 where the best documents come first. */
    ndcg: number
    /** The share of the known documents that were found. */
    recall: number
    /** The mean of 1 / rank of the first document that answers. */
    mrr: number
    /** The share of the documents found that answer. */
    precision: number
    /** The mean time of a search, in milliseconds. */
    meanMs: number
  }>
  /** The figures of each question, by mode. */
  perQuestion: Array<{
    /** The place of the question in the request, from 0. */
    index: number
    /** The first 500 characters of the question. */
    query: string
    /** How was searched. */
    mode: 'lexical' | 'semantic' | 'hybrid' | 'auto'
    /** The place of the first document that answers, among documents; null where none is among the first topK. */
    rank: number | null
    /** The normalised discounted cumulative gain of the question. */
    ndcg: number
    /** The share of the known documents of the question that were found. */
    recall: number
  }>
  /** What did not go as asked; empty where all did. */
  warnings: Warning[]
}

export type ExtractedField = {
  /** The identifier of the field. */
  key: string
  /** What was searched for. */
  label: string
  /** The type as it was asked for; null where none was. */
  data_type: string | null
  /** Whether a value was found. */
  found: boolean
  /** The value in the type that was asked for. A date is ISO 8601, an amount of money has its currency; null where nothing was found. */
  value: string | number | boolean | string[] | {
    /** The amount of money, in units of the currency. */
    amount: number
    /** The currency by ISO 4217; null where it is not known. */
    currency: string | null
  } | null
  /** The value as the document writes it; null where nothing was found. */
  rawValue: string | null
  /** How sure the value is, from 0 to 1; 0 where nothing was found. */
  confidence: number
  /** The places where the value stands; empty where nothing was found. */
  sources: FieldSource[]
}

export type FieldSource = {
  /** The document of the passage. */
  documentId: string
  /** The chunk of the passage: the identifier of the document and the number of the chunk. */
  chunkId: string
  /** The title of the document. */
  title: string
  /** The page on which the value stands, from 1; null where the document has no pages. */
  page: number | null
  /** The words around the value, HTML-escaped. */
  snippet: string
  /** Where the value, as it is written, begins in the extracted text, in UTF-16 code units. */
  startOffset: number
  /** Where the value ends in the extracted text, in UTF-16 code units. */
  endOffset: number
}

export type Grounding = {
  /** How far the words and numbers of the answer stand in the passages it cites, from 0 to 1. It is a measure of words, no proof of truth. */
  score: number
  /** The sentences of the answer, as places in it, whose words mostly stand in no cited passage. */
  unsupported: Array<{
    /** Where the sentence begins in the answer, in UTF-16 code units. */
    start: number
    /** Where the sentence ends in the answer, in UTF-16 code units. */
    end: number
  }>
}

export type Hit = {
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
  /** The parts of the score. */
  scores: {
    /** The BM25 of the words; null where that search did not find the passage. */
    lexical: number | null
    /** The cosine of the meaning; null where that search did not find the passage. */
    semantic: number | null
    /** What both searches come to together; null where they were not combined. */
    fused: number | null
    /** The score after reranking; null where nothing was reranked. */
    rerank: number | null
    /** How much a correction counts, above 0 and at most 10; 1 for a document. */
    boost: number
  }
  /** What the passage is of: a document or a correction. */
  kind: 'document' | 'correction'
  /** Since when and until when a correction holds; null for a document. */
  correction: {
    /** When the correction was made. ISO 8601, UTC, with milliseconds. */
    createdAt: string
    /** When the correction stops being found; null where it never does. */
    expiresAt: string | null
  } | null
  /** The number of the chunk in its document, from 0. */
  chunkIndex: number
  /** The name of the file; null where the document came as text. */
  filename: string | null
  /** The address that the document was downloaded from; null where it came otherwise. */
  url: string | null
  /** The page on which the passage ends; null where the document has no pages. */
  pageEnd: number | null
  /** The headings above the passage, outermost first; null where there are none. */
  section: string | null
  /** The header row above the rows of a table, which is not part of text; null where there is none. */
  header: string | null
  /** Where the passage begins in the extracted text, in UTF-16 code units. */
  startOffset: number
  /** Where the passage ends in the extracted text, in UTF-16 code units. */
  endOffset: number
  /** The tags of the document. */
  tags: string[]
  /** What the caller noted of the document, by name. */
  metadata: Record<string, string | number | boolean | null>
  /** When the document was added. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  explanation?: HitExplanation
}

export type HitExplanation = {
  /** The score and its parts as a sentence. */
  summary: string
  /** The parts that the score is the sum of. */
  parts: ScorePart[]
  /** How well the query is answered at all: the score of the best passage before a model reads it again, of which all have a share; null for corrections. */
  top: TopScore | null
  /** The terms that were looked up, with the words that have them: up to 100 that stand in the passage, and up to 20 that do not, of which count is 0. */
  terms: Array<{
    /** The term as it is indexed. */
    term: string
    /** The words of the query that ask for the term; empty for another way of writing them. */
    asked: string[]
    /** The words of the passage that have the term. */
    words: string[]
    /** How often the term stands in the passage. */
    count: number
  }>
  /** The sentences nearest in meaning; null where nothing was compared, and where the title is nearest. */
  window: {
    /** Where these sentences begin in the extracted text, in UTF-16 code units. */
    startOffset: number
    /** Where they end. */
    endOffset: number
    /** How near their meaning is to that of the query, from -1 to 1. */
    cosine: number
  } | null
}

export type KnownQuestion = {
  /** What is asked. */
  query: string
  /** The documents or corrections of the memory that answer it. These or externalIds name at least one. */
  documentIds?: string[]
  /** The same by externalId, which stays when a document is replaced. */
  externalIds?: string[]
  /** How much a document answers, by its identifier as it stands above; 1 where none is given. Only nDCG uses it. */
  grades?: Record<string, number>
}

export type ScorePart = {
  /** The name of the part. words and meaning are the two searches; model is what a reranking model changed; correction and place are those of corrections. */
  name: 'words' | 'meaning' | 'runs' | 'pairs' | 'nearlyWords' | 'title' | 'inText' | 'speaker' | 'phrase' | 'neighbours' | 'alike' | 'model' | 'correction' | 'place'
  /** The figure in its own unit: BM25 for words, runs, pairs and title, the cosine for meaning, a count for phrase, what others lend; null for what has no unit. */
  raw: number | null
  /** The raw figure whose share is 0; null where there is no such scale. */
  zero: number | null
  /** The raw figure whose share is 1; null where there is no such scale. */
  one: number | null
  /** (raw - zero) / (one - zero), not below 0, and 1 where both ends are the same; null where there is no such scale. */
  share: number | null
  /** What the share is multiplied with; null where the part has no share. */
  weight: number | null
  /** What the part adds to the score. The points of all parts add up to it. */
  points: number
  /** The part as a sentence with its figures. */
  message: string
}

export type Source = {
  /** The number in brackets in the answer, and of the source. */
  index: number
  /** A part of the passage that fits, HTML-escaped. */
  snippet: string
  /** The whole passage. */
  text: string
  /** Where the passage begins in the extracted text, in UTF-16 code units. */
  startOffset: number
  /** Where the passage ends in the extracted text, in UTF-16 code units. */
  endOffset: number
  /** How well the passage fits the question, from 0 to 1. */
  score: number
  /** The document of the passage. */
  documentId: string
  /** The chunk of the passage: the identifier of the document and the number of the chunk. */
  chunkId: string
  /** The title of the document. */
  title: string
  /** The name of the file; null where the document came as text. */
  filename: string | null
  /** The page on which the passage begins, from 1; null where the document has no pages. */
  page: number | null
  /** What the passage is of: a document or a correction. */
  kind: 'document' | 'correction'
  /** Since when and until when a correction holds; null for a document. */
  correction: {
    /** When the correction was made. ISO 8601, UTC, with milliseconds. */
    createdAt: string
    /** When the correction stops being found; null where it never does. */
    expiresAt: string | null
  } | null
}
