/** What is asked of an evaluation, and what it answers. */

import type { EvaluatedMode, EvaluationResource } from '../../api/evaluate.ts'
import type { Caller } from '../caller.ts'

/** A question whose answer is known: what stands in these documents of the memory. */
export type KnownQuestion = {
  query: string
  documentIds: readonly string[]
  externalIds: readonly string[]
  /** How much each of them is worth, by its identifier as it stands above; 1 where none is given. */
  grades: Readonly<Record<string, number>>
}

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
