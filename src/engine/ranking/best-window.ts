/**
 * The cosine, -1 to 1, of the window nearest to the query: windows are rows of signed bytes (value = byte / 127), each
 * as long as the query. `null` when there is no window.
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
