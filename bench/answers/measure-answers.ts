import type { AskAnswer } from '../../src/api/ask.ts'
import { holdsAnswer } from './holds-answer.ts'
import type { Asker } from './open-asker.ts'
import type { QuestionSet } from './read-question-set.ts'

/** Shares of all questions, 0 to 1; a declined question contains nothing. */
export type AnswerShares = { questions: number; answered: number; first: number; any: number; sentences: number }

/** Asks a memory all answerable questions of a set. */
export async function measureAnswers(asker: Asker, memory: string, { questions }: QuestionSet): Promise<AnswerShares> {
  const known = questions.filter(({ answer }) => answer !== null)
  const counts = { answered: 0, first: 0, any: 0, sentences: 0 }
  for (const { text, answer } of known) {
    const given = await asker.ask(memory, text)
    if (!given.answered) continue
    const quotes = readQuotes(given)
    const held = quotes.map((quote) => holdsAnswer(quote, answer ?? ''))
    counts.answered += 1
    counts.sentences += quotes.length
    if (held[0] === true) counts.first += 1
    if (held.includes(true)) counts.any += 1
  }
  const share = (count: number) => count / Math.max(1, known.length)
  return {
    questions: known.length,
    answered: share(counts.answered),
    first: share(counts.first),
    any: share(counts.any),
    sentences: counts.sentences / Math.max(1, counts.answered),
  }
}

/**
 * The share of questions that a memory declines, of as many as are asked, spread evenly over the
 * set.
 */
export async function measureDeclined(
  asker: Asker,
  memory: string,
  { questions }: QuestionSet,
  asked: number,
): Promise<number> {
  const chosen = questions.filter(
    (_, index) =>
      Math.floor((index * asked) / questions.length) !== Math.floor(((index - 1) * asked) / questions.length),
  )
  let declined = 0
  for (const { text } of chosen) if (!(await asker.ask(memory, text)).answered) declined += 1
  return declined / Math.max(1, chosen.length)
}

/** The quoted sentences of an answer in order: the text before each citation marker. */
export function readQuotes({ answer, citations }: Pick<AskAnswer, 'answer' | 'citations'>): string[] {
  return citations.map(({ answerStart }, index) => answer.slice(citations[index - 1]?.answerEnd ?? 0, answerStart))
}
