import type { AskAnswer } from '../../api/ask.ts'
import type { WrittenAnswer } from './answer-writer.ts'

/** What an answer says that is none. */
const NOTHING_FOUND = 'Nothing was found that answers this question.'

/** What a caller asked, how much was retrieved for it, and since when. */
export type AnswerFacts = { question: string; model: string; retrieved: number; clock: Clock }

/** The part of an answer that is the same over a memory and over a text. */
export function describeAnswer(
  { question, model, retrieved, clock }: AnswerFacts,
  { answer, answered, model: used, usage, grounding }: WrittenAnswer,
) {
  return {
    question,
    answer: answered ? answer : NOTHING_FOUND,
    model: used,
    requestedModel: model,
    answered,
    usage: { retrieved, ...usage, totalTokens: usage.promptTokens + usage.completionTokens },
    stats: clock.read(),
    grounding,
  }
}

/** The times of one answer. */
export type Clock = {
  /** Retrieval is over. */
  retrieved(): void
  read(): AskAnswer['stats']
}

/** Starts it. */
export function startClock(): Clock {
  const started = performance.now()
  let retrieved = started
  return {
    retrieved: () => {
      retrieved = performance.now()
    },
    read: () => {
      const ended = performance.now()
      return {
        retrievalMs: Math.round(retrieved - started),
        generationMs: Math.round(ended - retrieved),
        totalMs: Math.round(ended - started),
      }
    },
  }
}
