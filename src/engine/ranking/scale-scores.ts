/**
 * The scores on a scale on which the least of all is 0 and the greatest 1; what has no score has 0. `others` belong to the scale and are not
 * given back.
 */
export function scaleScores(scores: readonly (number | null)[], others: readonly (number | null)[] = []): number[] {
  const all = [...scores, ...others]
  const known = all.filter((score) => score !== null)
  const least = known.length === all.length ? Math.min(...known) : Math.min(0, ...known)
  const range = Math.max(...known) - least
  return scores.map((score) => (score === null || known.length === 0 ? 0 : range > 0 ? (score - least) / range : 1))
}

/** The scores as shares of the greatest; 0 for those below 0. */
export function shareScores(scores: readonly number[]): number[] {
  const most = Math.max(0, ...scores)
  return scores.map((score) => (most > 0 ? Math.max(0, score) / most : 0))
}
