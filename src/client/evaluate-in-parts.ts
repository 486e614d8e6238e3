import type { Evaluation, KnownQuestion } from './findings.ts'

/** Questions of one request; the service takes no more. */
const QUESTIONS_A_REQUEST = 500

/**
 * Evaluates any number of questions by requests one after the other, and puts what they answer together as one. `tell` hears how many questions are
 * done. Rejects as the requests do, and with `RangeError` where there is no question.
 */
export async function evaluateInParts(
  questions: readonly KnownQuestion[],
  evaluate: (part: KnownQuestion[]) => Promise<Evaluation>,
  tell: (done: number) => void = () => undefined,
): Promise<Evaluation> {
  let whole: Evaluation | null = null
  for (let start = 0; start < questions.length; start += QUESTIONS_A_REQUEST) {
    const part = await evaluate(questions.slice(start, start + QUESTIONS_A_REQUEST))
    whole = whole === null ? part : join(whole, part)
    tell(whole.questions)
  }
  if (whole === null) throw new RangeError('There are no questions.')
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
