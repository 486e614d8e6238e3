/**
 * Returns the dot product, which is the cosine of L2-normalized vectors. Missing components count
 * as 0.
 */
export function dotProduct(one: Float32Array, other: Float32Array): number {
  const length = Math.min(one.length, other.length)
  let sum = 0
  // A loop, because a callback per component takes five times as long, and a search compares some
  // hundred pairs.
  for (let i = 0; i < length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0)
  return sum
}

/**
 * Tolerance for the squared length: 32-bit floats of 3,072 numbers deviate by 1e-6, 16-bit floats
 * by 1e-3.
 */
const LENGTH_TOLERANCE = 0.01

/**
 * True for a finite vector of length 1, or of zeros, the embedding of a text without known words.
 */
export function isUnitVector(vector: Float32Array): boolean {
  let square = 0
  for (const value of vector) square += value * value
  return square === 0 || Math.abs(square - 1) <= LENGTH_TOLERANCE
}
