/** The ends of a scale: a score of `zero` is 0 on it, one of `one` is 1. */
export type Scale = { zero: number; one: number }

/**
 * The scores on a scale on which the least of all is 0 and the greatest 1; what has no score has 0.
 * `others` belong to the scale and are not given back.
 */
export function scaleScores(scores: readonly (number | null)[], others: readonly (number | null)[] = []): number[] {
  const scale = readScale([...scores, ...others])
  if (scale === null) return scores.map(() => 0)
  const range = scale.one - scale.zero
  return scores.map((score) => (score === null ? 0 : range > 0 ? (score - scale.zero) / range : 1))
}

/**
 * The scale of all these scores: where one is missing it begins at 0, or below. `null` where there
 * is no score.
 */
export function readScale(scores: readonly (number | null)[]): Scale | null {
  const known = scores.filter((score) => score !== null)
  if (known.length === 0) return null
  return { zero: Math.min(...(known.length < scores.length ? [0] : []), ...known), one: Math.max(...known) }
}

/** The scores as shares of the greatest; 0 for those below 0. */
export function shareScores(scores: readonly number[]): number[] {
  const most = Math.max(0, ...scores)
  return scores.map((score) => (most > 0 ? Math.max(0, score) / most : 0))
}

/**
 * The cosine, -1 to 1, of the window nearest to the query: windows are rows of signed bytes (value
 * = byte / 127), each as long as the query. `null` when there is no window.
 */
export function bestWindow(query: Float32Array, windows: Int8Array): number | null {
  const dimensions = query.length
  if (dimensions === 0 || windows.length < dimensions) return null
  let best = -1
  for (let row = 0; row + dimensions <= windows.length; row += dimensions) {
    let dot = 0
    for (let i = 0; i < dimensions; i++) dot += (query[i] ?? 0) * (windows[row + i] ?? 0)
    best = Math.max(best, dot / 127)
  }
  return Math.min(1, best)
}
