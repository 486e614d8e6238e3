/**
 * Findings in answers.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type { TopScore, Warning } from './resources.ts'

export type Citation = {
  /** Citation number, as in the brackets in `answer`. Sources have the same number. */
  index: number
  /** Document of the passage. */
  documentId: string
  /** Chunk of the passage: the document identifier and the chunk number. */
  chunkId: string
  /** Title of the document. */
  title: string
  /** First page of the passage, starting at 1. Null if the document has no pages. */
  page: number | null
  /** Creation and expiry time of a correction. Null for a document. */
  correction: {
    /** Time at which the correction was created. ISO 8601, UTC, with milliseconds. */
    createdAt: string
    /** Time from which searches ignore the correction. Null if it never expires. */
    expiresAt: string | null
  } | null
  /** Start of the passage in the extracted text, in UTF-16 code units. */
  startOffset: number
  /** End of the passage in the extracted text, in UTF-16 code units. */
  endOffset: number
  /**
   * Start of the citation mark `[index]` in `draft` if present, else in `answer`, in UTF-16 code
   * units.
   */
  answerStart: number
  /** End of the citation mark, in UTF-16 code units. */
  answerEnd: number
  /** Memory of the passage. Only present if several memories were searched. */
  memoryId?: string
}

export type DocumentExplanation = {
  /** Identifier from the request. */
  documentId: string
  /** Title of the document. Null if the document does not exist. */
  title: string | null
  /** `hit` if the document is among the hits; otherwise the reason why not. */
  reason: 
    | 'hit'
    | 'outranked'
    | 'left_out'
    | 'not_read'
    | 'not_a_candidate'
    | 'filtered_out'
    | 'correction_not_matching'
    | 'expired'
    | 'not_ready'
    | 'not_found'
  /** Explanation of the reason, with its numbers. */
  message: string
  /**
   * Rank of the best passage of the document, starting at 1. Null if the document was not ranked.
   */
  rank: number | null
  /** Score of the best passage of the document. Null if the document was not ranked. */
  score: number | null
  /**
   * Score of the last hit, which the document would have to exceed. Null if the document is a hit,
   * or if there is no such score.
   */
  neededScore: number | null
  /**
   * Distance of an unranked document to the candidates of each retriever. Empty if the document was
   * a candidate.
   */
  legs: Array<{
    /** Retriever: lexical or semantic. */
    leg: 'lexical' | 'semantic'
    /**
     * BM25 score or cosine similarity of the best passage. Null if the retriever found no passage
     * of the document.
     */
    best: number | null
    /** Value of the last candidate. Null if the retriever had room for more candidates. */
    needed: number | null
  }>
  /** Explanation of the score of the best passage. Null if the document was not ranked. */
  explanation: HitExplanation | null
}

export type Evaluation = {
  /** Number of questions. */
  questions: number
  /** Number of documents evaluated per question. */
  topK: number
  /** Mean metrics per mode, over the first topK documents of all questions. */
  results: Array<{
    /** Search mode. */
    mode: 'lexical' | 'semantic' | 'hybrid' | 'auto'
    /** Normalized discounted cumulative gain. 1 if the best documents are ranked first. */
    ndcg: number
    /** Share of the known documents that were found. */
    recall: number
    /** Mean reciprocal rank of the first relevant document. */
    mrr: number
    /** Share of the found documents that are relevant. */
    precision: number
    /** Mean search time, in milliseconds. */
    meanMs: number
  }>
  /** Metrics of each question, per mode. */
  perQuestion: Array<{
    /** Index of the question in the request, starting at 0. */
    index: number
    /** First 500 characters of the query. */
    query: string
    /** Search mode. */
    mode: 'lexical' | 'semantic' | 'hybrid' | 'auto'
    /** Rank of the first relevant document. Null if none is among the first topK. */
    rank: number | null
    /** Normalized discounted cumulative gain of the question. */
    ndcg: number
    /** Share of the known documents of the question that were found. */
    recall: number
  }>
  /** Problems that did not stop the request. Empty if there were none. */
  warnings: Warning[]
}

export type ExtractedField = {
  /** Identifier of the field. */
  key: string
  /** Label from the request. */
  label: string
  /** Type from the request. Null if none was given. */
  data_type: string | null
  /** True if a value was found. */
  found: boolean
  /**
   * Value in the requested type. Dates are ISO 8601, amounts have a currency. Null if nothing was
   * found.
   */
  value: string | number | boolean | string[] | {
    /** Amount, in units of the currency. */
    amount: number
    /** Currency code (ISO 4217). Null if unknown. */
    currency: string | null
  } | null
  /** Value as written in the document. Null if nothing was found. */
  rawValue: string | null
  /** Confidence in the value, from 0 to 1. 0 if nothing was found. */
  confidence: number
  /** Locations of the value. Empty if nothing was found. */
  sources: FieldSource[]
}

export type FieldSource = {
  /** Document of the passage. */
  documentId: string
  /** Chunk of the passage: the document identifier and the chunk number. */
  chunkId: string
  /** Title of the document. */
  title: string
  /** Page of the value, starting at 1. Null if the document has no pages. */
  page: number | null
  /** Text around the value, HTML-escaped. */
  snippet: string
  /** Start of the raw value in the extracted text, in UTF-16 code units. */
  startOffset: number
  /** End of the raw value in the extracted text, in UTF-16 code units. */
  endOffset: number
}

export type Grounding = {
  /**
   * Share of the words and numbers in the answer that also occur in the cited passages, from 0 to
   * 1. It measures word overlap, not truth.
   */
  score: number
  /** Sentences with little word overlap with the cited passages, or with the opposite meaning. */
  unsupported: Array<{
    /** Start of the sentence in `draft` if present, else in `answer`, in UTF-16 code units. */
    start: number
    /** End of the sentence, in UTF-16 code units. */
    end: number
  }>
}

export type Hit = {
  /** Source of the passage: a document or a correction. */
  kind: 'document' | 'correction'
  /** Rank of the hit, starting at 1. */
  rank: number
  /** Relevance, from 0 to 1. Document hits are sorted by descending score. */
  score: number
  /** Document of the passage. */
  documentId: string
  /** Chunk of the passage: the document identifier and the chunk number. */
  chunkId: string
  /** Title of the document. */
  title: string
  /** Full text of the passage: the extracted text from startOffset to endOffset. */
  text: string
  /**
   * Matching part of the passage, HTML-escaped. Matches are in `<mark>` tags if highlight is true.
   */
  snippet: string
  /** First page of the passage, starting at 1. Null if the document has no pages. */
  page: number | null
  /** Parts of the score. */
  scores: {
    /** BM25 score. Null if the lexical search did not find the passage. */
    lexical: number | null
    /** Cosine similarity. Null if the vector search did not find the passage. */
    semantic: number | null
    /** Combined score of both retrievers. Null if only one ran. */
    fused: number | null
    /** Score after reranking. Null if nothing was reranked. */
    rerank: number | null
    /** Weight of a correction, above 0 and at most 10. 1 for a document. */
    boost: number
  }
  /** Creation and expiry time of a correction. Null for a document. */
  correction: {
    /** Time at which the correction was created. ISO 8601, UTC, with milliseconds. */
    createdAt: string
    /** Time from which searches ignore the correction. Null if it never expires. */
    expiresAt: string | null
  } | null
  /**
   * Number of further passages with the same text, which differ in case, white space or punctuation
   * only. 0 if collapseDuplicates is false.
   */
  duplicates: number
  /** Number of the chunk in its document, starting at 0. */
  chunkIndex: number
  /** Name of the file. Null if the document was added as text. */
  filename: string | null
  /** URL that the document was downloaded from. Null for other sources. */
  url: string | null
  /** Last page of the passage. Null if the document has no pages. */
  pageEnd: number | null
  /** Headings above the passage, outermost first. Null if there are none. */
  section: string | null
  /**
   * Header row of the table, if the passage consists of table rows. It is not part of `text`. Null
   * otherwise.
   */
  header: string | null
  /** Start of the passage in the extracted text, in UTF-16 code units. */
  startOffset: number
  /** End of the passage in the extracted text, in UTF-16 code units. */
  endOffset: number
  /** Tags of the document. */
  tags: string[]
  /** Metadata of the document. */
  metadata: Record<string, string | number | boolean | null>
  /** Time at which the document was added. ISO 8601, UTC, with milliseconds. */
  createdAt: string
  explanation?: HitExplanation
  /** Memory of the passage. Only present if several memories were searched. */
  memoryId?: string
}

export type HitExplanation = {
  /** Summary of the score and its parts. */
  summary: string
  /** Parts of the score. The score is their sum. */
  parts: ScorePart[]
  /**
   * Overall match quality: top score before reranking; all scores are scaled by it. Null for
   * corrections.
   */
  top: TopScore | null
  /**
   * Search terms with the matching words: up to 100 that occur in the passage, and up to 20 that do
   * not (`count` is 0).
   */
  terms: Array<{
    /** Term as indexed. */
    term: string
    /** Query words that map to the term. Empty for a spelling variant. */
    asked: string[]
    /** Words of the passage that contain the term. */
    words: string[]
    /** Number of occurrences in the passage. */
    count: number
  }>
  /**
   * Sentences with the closest meaning. Null if no vectors were compared, or if the title is
   * closest.
   */
  window: {
    /** Start of the sentences in the extracted text, in UTF-16 code units. */
    startOffset: number
    /** End of the sentences in the extracted text, in UTF-16 code units. */
    endOffset: number
    /** Cosine similarity of the sentences to the query, from -1 to 1. */
    cosine: number
  } | null
}

export type KnownQuestion = {
  /** Query of the question. */
  query: string
  /**
   * Documents or corrections that answer the question. Give at least one documentId or externalId.
   */
  documentIds?: string[]
  /**
   * Documents that answer the question, by externalId. An externalId stays valid when a document is
   * replaced.
   */
  externalIds?: string[]
  /**
   * Relevance grade per document, keyed by the documentId or externalId given above. Defaults to 1.
   * Only nDCG uses grades.
   */
  grades?: Record<string, number>
}

export type ScorePart = {
  /**
   * Name of the part. `words` and `meaning` are the lexical and the vector search, `model` is the
   * effect of a reranking model. `correction` and `place` occur in corrections only.
   */
  name: 
    | 'words'
    | 'meaning'
    | 'runs'
    | 'pairs'
    | 'nearlyWords'
    | 'title'
    | 'inText'
    | 'speaker'
    | 'phrase'
    | 'period'
    | 'neighbours'
    | 'alike'
    | 'model'
    | 'correction'
    | 'place'
  /**
   * Raw value in its own unit. BM25 for `words`, `runs`, `pairs` and `title`; cosine similarity for
   * `meaning`. A count for `phrase`; borrowed score for `neighbours` and `alike`. Null if the part
   * has no unit.
   */
  raw: number | null
  /** Raw value at which `share` is 0. Null if the part has no scale. */
  zero: number | null
  /** Raw value at which `share` is 1. Null if the part has no scale. */
  one: number | null
  /**
   * (raw - zero) / (one - zero), at least 0, and 1 if both ends are equal. Null if the part has no
   * scale.
   */
  share: number | null
  /** Factor of the share. Null if the part has no share. */
  weight: number | null
  /** Contribution to the score. The points of all parts add up to the score. */
  points: number
  /** Explanation of the part, with its numbers. */
  message: string
}

export type Source = {
  /** Citation number, as in the brackets in `answer`. Sources have the same number. */
  index: number
  /** Matching part of the passage, HTML-escaped. */
  snippet: string
  /** Full text of the passage. */
  text: string
  /** Start of the passage in the extracted text, in UTF-16 code units. */
  startOffset: number
  /** End of the passage in the extracted text, in UTF-16 code units. */
  endOffset: number
  /** Relevance of the passage to the question, from 0 to 1. */
  score: number
  /** Document of the passage. */
  documentId: string
  /** Chunk of the passage: the document identifier and the chunk number. */
  chunkId: string
  /** Title of the document. */
  title: string
  /** Name of the file. Null if the document was added as text. */
  filename: string | null
  /** First page of the passage, starting at 1. Null if the document has no pages. */
  page: number | null
  /** Source of the passage: a document or a correction. */
  kind: 'document' | 'correction'
  /** Creation and expiry time of a correction. Null for a document. */
  correction: {
    /** Time at which the correction was created. ISO 8601, UTC, with milliseconds. */
    createdAt: string
    /** Time from which searches ignore the correction. Null if it never expires. */
    expiresAt: string | null
  } | null
  /** Memory of the passage. Only present if several memories were searched. */
  memoryId?: string
}
