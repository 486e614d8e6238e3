/** The seam between what retrieves for a question and what words the answer: quotes, or a language model. */
import type { Warning } from '../../api/values.ts'
import type { Grounding } from '../../engine/citing/grounding.ts'

/** A passage the answer may be made of. Its number is its place in the list, from 1. */
export type Source = {
  kind: 'document' | 'correction'
  /** The day on which a correction was made, `2026-11-21`; `null` or absent for a document. */
  correctedOn?: string | null
  text: string
  /** Names its document; any text, the same for passages of one document. */
  document: string
  /** Where it begins in its document. */
  startOffset: number
  /** Title of its document; `null` where that is nothing but a file's name. */
  title: string | null
  section: string | null
  /** The header row above the rows of a table, which is not part of `text`. */
  header: string | null
  /** 0 to 1, falls with rank. */
  score: number
  /** Cosine of question and passage; `null` where meaning was not compared. */
  semantic: number | null
}

/** What is to be answered. The sources stand best first, corrections before all others. */
export type WriteRequest = {
  question: string
  /** Languages of the sources (ISO 639-1), the most frequent first; never empty. */
  languages: readonly string[]
  sources: readonly Source[]
  signal: AbortSignal
}

/** A place in a source that supports the answer, and the place of its mark in the answer. Offsets in UTF-16 code units. */
export type WrittenCitation = {
  /** The source's number. */
  index: number
  /** Within the text of the source. */
  start: number
  end: number
  answerStart: number
  answerEnd: number
}

/** An answer in words, its `[n]` all resolved. */
export type WrittenAnswer = {
  /** Empty where `answered` is false. */
  answer: string
  answered: boolean
  model: string
  citations: WrittenCitation[]
  usage: { promptTokens: number; completionTokens: number }
  /** Of an answer in a model's words; `null` where every word is quoted. */
  grounding: Grounding | null
  warnings: Warning[]
}

/**
 * A piece of an answer as it is written. The texts of the tokens are the answer's beginning, as a rule all of it; what counts
 * is the answer, which comes last and once.
 */
export type WrittenPiece =
  | { type: 'token'; text: string }
  | { type: 'citation'; citation: WrittenCitation }
  | { type: 'answer'; answer: WrittenAnswer }

/** Words an answer over sources. Both fail with `model_failed`, and with the signal's reason when that fires. */
export type AnswerWriter = {
  write(request: WriteRequest): Promise<WrittenAnswer>
  /** Leaving the loop ends what is under way. */
  stream(request: WriteRequest): AsyncIterable<WrittenPiece>
}
