/** Interface between retrieval and answer generation, by quotes or by a language model. */
import type { Warning } from '../../api/values.ts'
import type { Grounding } from '../../engine/citing/grounding.ts'

/** A passage for the answer. Its number is its position in the list, from 1. */
export type Source = {
  kind: 'document' | 'correction'
  /** Date of a correction, such as `2026-11-21`; `null` or absent for a document. */
  correctedOn?: string | null
  text: string
  /** Identifies the document: equal for passages of the same document. */
  document: string
  /** Offset of the passage in its document. */
  startOffset: number
  /** Time at which the document was added; `null` or absent if unknown. */
  createdAt?: string | null
  /** Title of the document; `null` if the title is only a filename. */
  title: string | null
  section: string | null
  /** Header row of a table, not part of `text`. */
  header: string | null
  /** Between 0 and 1, in descending order. */
  score: number
  /** Cosine of question and passage; `null` if vectors were not compared. */
  semantic: number | null
}

/** A message before the question. */
export type EarlierMessage = { role: 'user' | 'assistant'; text: string }

/** A question with the messages before it, oldest first. `language` is that of the question. */
export type Conversation = {
  question: string
  earlier: readonly EarlierMessage[]
  language: string
  signal: AbortSignal
}

/** Complete questions for a follow-up question, the most probable first, or the question itself. */
export type CompletedQuestion = {
  /** The first answered one counts. */
  questions: readonly string[]
  /** Tokens of the model. */
  usage: GeneratedAnswer['usage']
}

/** A question with its sources: corrections first, then documents, best first. */
export type AnswerRequest = {
  question: string
  /** True if the question was rewritten by the messages before it. */
  isRewritten?: boolean
  /** Languages of the sources (ISO 639-1), most frequent first; never empty. */
  languages: readonly string[]
  /** Language of the question (ISO 639-1). */
  questionLanguage: string
  sources: readonly Source[]
  /** An answer with a lower confidence is declined; the default is about 0.5. */
  minConfidence?: number | undefined
  signal: AbortSignal
}

/**
 * A supporting span in a source and the position of its `[n]` mark in the answer. Offsets in UTF-16
 * code units.
 */
export type GeneratedCitation = {
  /** Number of the source. */
  index: number
  /** Offsets in the source's text. */
  start: number
  end: number
  answerStart: number
  answerEnd: number
}

/** A generated answer; every `[n]` refers to a source. */
export type GeneratedAnswer = {
  /** Empty if `answered` is false. */
  answer: string
  answered: boolean
  /** 0 to 1; `null` if unknown. */
  confidence: number | null
  /** Text of a model that its sources do not support; citations and grounding then refer to it. */
  draft?: string
  model: string
  citations: GeneratedCitation[]
  usage: { promptTokens: number; completionTokens: number }
  /** Grounding of a model's answer; `null` if the answer only quotes. */
  grounding: Grounding | null
  warnings: Warning[]
}

/**
 * A chunk of a streamed answer. The tokens usually add up to the answer, but only the final
 * `answer` chunk is authoritative.
 */
export type AnswerChunk =
  | { type: 'token'; text: string }
  | { type: 'citation'; citation: GeneratedCitation }
  | { type: 'answer'; answer: GeneratedAnswer }

/**
 * Generates answers from sources. Both methods fail with `model_failed`, or with the signal's
 * reason.
 */
export type AnswerGenerator = {
  /**
   * Completes a follow-up question by the messages before it.
   */
  complete(conversation: Conversation): Promise<CompletedQuestion>
  generate(request: AnswerRequest): Promise<GeneratedAnswer>
  /** Leaving the loop cancels the generation. */
  stream(request: AnswerRequest): AsyncIterable<AnswerChunk>
}
