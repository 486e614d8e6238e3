/** What is asked, and how it is answered. */
import type { AskAnswer, AskOnceAnswer } from '../../api/ask.ts'
import type { SearchedMemory } from '../search/search.ts'

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

/** A piece of an answer as it is written; `done` comes last and is what counts. */
export type AskEvent<Answer extends AskAnswer | AskOnceAnswer> =
  | { type: 'token'; text: string }
  | { type: 'citation'; citation: Answer['citations'][number] }
  | { type: 'done'; answer: Answer }
