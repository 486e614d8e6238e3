import { dotProduct } from '../vectors.ts'

/** What tells how alike two chunks are. */
export type Embedded = {
  documentId: string
  /** Embeddings of its windows, as `ChunkRow.windows`. */
  windows: Int8Array
}

/**
 * The best are compared with each other, in 0.4 ms: among all of them, papers lost .6 points of
 * nDCG@10 (docs/relevance.md).
 */
const COMPARED = 40
/** What is like only one of the best may be so by chance. */
const NEAREST = 4

/**
 * What each chunk of the best has from those of other documents that are most like it: the mean of
 * their scores, weighed by likeness, since what answers one question is mostly about one thing. 0
 * for all others, and where nothing is embedded by windows of `dimensions` numbers.
 */
export function similaritySmoothing(
  candidates: readonly Embedded[],
  scores: readonly number[],
  dimensions: number,
): number[] {
  const order = [...candidates.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  const best = order.slice(0, COMPARED).flatMap((index) => {
    const { documentId = '', windows = new Int8Array() } = candidates[index] ?? {}
    const vector = sumOf(windows, dimensions)
    return vector === null ? [] : [{ index, documentId, vector, score: Math.max(0, scores[index] ?? 0) }]
  })
  const likes: Like[][] = best.map(() => [])
  best.forEach((one, row) => {
    for (let column = row + 1; column < best.length; column++) {
      const other = best[column]
      if (other === undefined || other.documentId === one.documentId) continue
      const likeness = Math.max(0, dotProduct(one.vector, other.vector))
      likes[row]?.push({ likeness, score: other.score })
      likes[column]?.push({ likeness, score: one.score })
    }
  })
  const lent = candidates.map(() => 0)
  best.forEach(({ index }, row) => {
    lent[index] = meanOfNearest(likes[row] ?? [])
  })
  return lent
}

type Like = { likeness: number; score: number }

function meanOfNearest(likes: Like[]): number {
  const nearest = likes.sort((a, b) => b.likeness - a.likeness).slice(0, NEAREST)
  const sum = nearest.reduce((total, { likeness }) => total + likeness, 0)
  return sum > 0 ? nearest.reduce((total, { likeness, score }) => total + likeness * score, 0) / sum : 0
}

/** What all windows together are about, of length 1; `null` where there is none. */
function sumOf(windows: Int8Array, dimensions: number): Float32Array | null {
  if (dimensions === 0 || windows.length < dimensions) return null
  const sum = new Float32Array(dimensions)
  for (let row = 0; row + dimensions <= windows.length; row += dimensions)
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + (windows[row + i] ?? 0)
  const length = Math.sqrt(dotProduct(sum, sum))
  if (length === 0) return null
  for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) / length
  return sum
}
