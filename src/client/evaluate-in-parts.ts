import type { Evaluation, KnownQuestion } from './findings.ts'

/** Maximum number of questions per request, as in the service. */
const MAX_QUESTIONS_PER_REQUEST = 500

/**
 * Evaluates any number of questions in sequential requests and merges the results. `onProgress`
 * receives the number of finished questions. Rejects like the requests, and with `RangeError`
 * without questions.
 */
export async function evaluateInBatches(
  questions: readonly KnownQuestion[],
  evaluate: (part: KnownQuestion[]) => Promise<Evaluation>,
  onProgress: (done: number) => void = () => undefined,
): Promise<Evaluation> {
  let whole: Evaluation | null = null
  for (let start = 0; start < questions.length; start += MAX_QUESTIONS_PER_REQUEST) {
    const part = await evaluate(questions.slice(start, start + MAX_QUESTIONS_PER_REQUEST))
    whole = whole === null ? part : join(whole, part)
    onProgress(whole.questions)
  }
  if (whole === null) throw new RangeError('No questions to evaluate.')
  return whole
}

function join(one: Evaluation, other: Evaluation): Evaluation {
  const questions = one.questions + other.questions
  const share = other.questions / questions
  const mean = (a: number, b: number) => a + (b - a) * share
  return {
    questions,
    topK: one.topK,
    results: one.results.map((result, index) => {
      const { ndcg, recall, mrr, precision, meanMs } = other.results[index] ?? result
      return {
        mode: result.mode,
        ndcg: mean(result.ndcg, ndcg),
        recall: mean(result.recall, recall),
        mrr: mean(result.mrr, mrr),
        precision: mean(result.precision, precision),
        meanMs: mean(result.meanMs, meanMs),
      }
    }),
    perQuestion: [
      ...one.perQuestion,
      ...other.perQuestion.map((question) => ({ ...question, index: question.index + one.questions })),
    ],
    warnings: [...one.warnings, ...other.warnings],
  }
}
