/** Ends of a scale: `zero` maps to 0, `one` to 1. */
export type Scale = { zero: number; one: number }

/** Scales scores to 0..1; a missing score is 0. `others` extend the scale and are not returned. */
export function scaleScores(scores: readonly (number | null)[], others: readonly (number | null)[] = []): number[] {
  const scale = readScale([...scores, ...others])
  if (scale === null) return scores.map(() => 0)
  const range = scale.one - scale.zero
  return scores.map((score) => (score === null ? 0 : range > 0 ? (score - scale.zero) / range : 1))
}

/**
 * Returns the scale of the scores. The scale begins at 0 or below if a score is missing. `null`
 * without scores.
 */
export function readScale(scores: readonly (number | null)[]): Scale | null {
  const known = scores.filter((score) => score !== null)
  if (known.length === 0) return null
  return { zero: Math.min(...(known.length < scores.length ? [0] : []), ...known), one: Math.max(...known) }
}

/** Returns scores relative to the maximum; 0 for negative scores. */
export function toSharesOfMax(scores: readonly number[]): number[] {
  const most = Math.max(0, ...scores)
  return scores.map((score) => (most > 0 ? Math.max(0, score) / most : 0))
}

/**
 * Returns the maximum cosine, -1 to 1, of query and windows. Windows are rows of signed bytes
 * (value = byte / 127) with the length of the query. Returns `null` without windows.
 */
export function maxWindowCosine(query: Float32Array, windows: Int8Array): number | null {
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
