/** The sum of the products of components; of L2-normalised vectors their cosine. Components that one of them lacks count as 0. */
export function dotProduct(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, component, index) => sum + component * (other[index] ?? 0), 0)
}
