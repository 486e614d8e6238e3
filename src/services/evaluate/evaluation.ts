/** What is asked of an evaluation, and what it answers. */

import type { Caller } from '../caller.ts'
import type { FindRequest } from '../search/find-request.ts'
import type { Warning } from '../warning.ts'

/** A question whose answer is known: what stands in these documents of the memory. */
export type KnownQuestion = {
  query: string
  documentIds: readonly string[]
  externalIds: readonly string[]
  /** How much each of them is worth, by its identifier as it stands above; 1 where none is given. */
  grades: Readonly<Record<string, number>>
}

/** How a question may be searched. */
export type EvaluatedMode = FindRequest['mode']

/** What is evaluated: the questions, how many documents of each answer count, and the modes, each once. */
export type EvaluateRequest = {
  questions: readonly KnownQuestion[]
  topK: number
  modes: readonly EvaluatedMode[]
}

/** Evaluations of memories. */
export type EvaluateService = {
  /**
   * Asks a memory questions whose answers are known. Rejects with `validation_failed` that names every document which is not there, with `rate_limited`
   * where too many evaluations run, and with the reason of `signal`.
   */
  evaluate(caller: Caller, memoryId: string, request: EvaluateRequest, signal: AbortSignal): Promise<EvaluationResource>
}

/** How well a memory finds the answers to known questions; figures from 0 to 1, rounded to six places. */
export type EvaluationResource = {
  /** How many were asked. */
  questions: number
  topK: number
  /** By mode, the means over all questions. */
  results: {
    mode: EvaluatedMode
    ndcg: number
    recall: number
    mrr: number
    precision: number
    meanMs: number
  }[]
  /** By question, and of each question by mode. `index` is the question's place in the request, from 0. */
  perQuestion: {
    index: number
    query: string
    mode: EvaluatedMode
    /** Of the first relevant document; `null` where none is among the first `topK`. */
    rank: number | null
    ndcg: number
    recall: number
  }[]
  warnings: Warning[]
}
