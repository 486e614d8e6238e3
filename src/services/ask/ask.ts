/** What is asked, and how it is answered. */
import type { CorrectionMark, SearchedMemory } from '../search/search.ts'
import type { Warning } from '../warning.ts'

/** Nothing relevant is an answer too: `answered` false. All reject with `model_failed`, and the streams throw it. */
export type AskService = {
  /** Answers over a memory. */
  ask(searched: SearchedMemory, request: AskRequest, signal: AbortSignal): Promise<AskAnswer>
  /** The same as it is written; resolves when the passages are retrieved. Leaving the loop ends what is under way. */
  streamAsk(
    searched: SearchedMemory,
    request: AskRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<AskEvent<AskAnswer>>>
  /** Answers over a text; keeps nothing of it. */
  askOnce(request: AskRequest & { content: string }, signal: AbortSignal): Promise<AskOnceAnswer>
  streamAskOnce(
    request: AskRequest & { content: string },
    signal: AbortSignal,
  ): Promise<AsyncIterable<AskEvent<AskOnceAnswer>>>
}

/** What is asked; `model` is the name the caller gave, or the default one. */
export type AskRequest = { question: string; model: string; maxContextChunks: number; includeSources: boolean }

export type AskAnswer = {
  question: string
  answer: string
  /** The one that was used. */
  model: string
  requestedModel: string
  answered: boolean
  /** In order of their place in the answer. */
  citations: AskCitation[]
  /** Empty unless they were asked for. */
  sources: AskSource[]
  usage: { retrieved: number; promptTokens: number; completionTokens: number; totalTokens: number }
  stats: { retrievalMs: number; generationMs: number; totalMs: number }
  /** How far a model's words stand in what it cites; `null` where every word is quoted. */
  grounding: { score: number; unsupported: { start: number; end: number }[] } | null
  warnings: Warning[]
}

/** The same over a text of the request; offsets are into that text. */
export type AskOnceAnswer = Omit<AskAnswer, 'citations' | 'sources'> & {
  citations: Pick<AskCitation, 'index' | 'startOffset' | 'endOffset' | 'answerStart' | 'answerEnd'>[]
  sources: Pick<AskSource, 'index' | 'snippet' | 'text' | 'startOffset' | 'endOffset' | 'score'>[]
}

/** A passage that supports an answer, and where its mark `[index]` stands in the answer. Offsets are UTF-16 code units. */
export type AskCitation = {
  index: number
  documentId: string
  chunkId: string
  title: string
  page: number | null
  /** `null` where a document is cited. */
  correction: CorrectionMark | null
  /** Into the extracted text. */
  startOffset: number
  endOffset: number
  /** Into the answer. */
  answerStart: number
  answerEnd: number
}

/** A passage that was retrieved for the answer. */
export type AskSource = {
  index: number
  documentId: string
  chunkId: string
  title: string
  filename: string | null
  page: number | null
  snippet: string
  text: string
  startOffset: number
  endOffset: number
  score: number
  kind: 'document' | 'correction'
  /** `null` for documents. */
  correction: CorrectionMark | null
}

/** A piece of an answer as it is written; `done` comes last and is what counts. */
export type AskEvent<Answer extends AskAnswer | AskOnceAnswer> =
  | { type: 'token'; text: string }
  | { type: 'citation'; citation: Answer['citations'][number] }
  | { type: 'done'; answer: Answer }
