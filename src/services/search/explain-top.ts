import type { ExplainedTop } from '../../api/explanation.ts'
import { roundFigure, showFigure } from './figures.ts'
import type { RankedCandidate } from './rank-documents.ts'

/** How well a search is answered at all, in words and numbers; `null` where that was not told. */
export function explainTop({ top }: Pick<RankedCandidate, 'top'>): ExplainedTop | null {
  if (top === undefined) return null
  const { score, total, words, meaning } = top
  const has = [
    ...(words === null ? [] : [`${showFigure(words)} of the query, counted in runs of four characters`]),
    ...(meaning === null ? [] : [`a cosine of ${showFigure(meaning)}`]),
  ]
  const sum =
    words === null || meaning === null ? '' : `: 1 - (1 - ${showFigure(words)}) * (1 - ${showFigure(meaning)})`
  const message = `How well the query is answered at all is ${showFigure(score)}, the score of the best passage and the measure of all others: one of the first five has ${has.join(', and ')}${sum}.`
  return {
    score: roundFigure(score),
    total: roundFigure(total),
    words: roundFigure(words),
    meaning: roundFigure(meaning),
    message,
  }
}
