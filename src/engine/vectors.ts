/**
 * The sum of the products of components; of L2-normalised vectors their cosine. Components that one
 * of them lacks count as 0.
 */
export function dotProduct(one: Float32Array, other: Float32Array): number {
  const length = Math.min(one.length, other.length)
  let sum = 0
  // A call a component takes five times as long, and a search compares some hundred pairs.
  for (let i = 0; i < length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0)
  return sum
}

/**
 * How far the square of a vector's length may be from 1: 32-bit floats of 3,072 numbers are some
 * 1e-6 off, 16-bit ones 1e-3.
 */
const LENGTH_TOLERANCE = 0.01

/**
 * Whether a vector is of numbers and has a length of 1, or is all zeros: that of a text of which
 * the embedder knows nothing.
 */
export function isUnitVector(vector: Float32Array): boolean {
  let square = 0
  for (const value of vector) square += value * value
  return square === 0 || Math.abs(square - 1) <= LENGTH_TOLERANCE
}
