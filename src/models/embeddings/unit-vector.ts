/** The numbers as a vector of length 1; all zeros stay zeros. */
export function toUnitVector(numbers: ArrayLike<number>): Float32Array {
  let squares = 0
  for (let at = 0; at < numbers.length; at += 1) squares += (numbers[at] ?? 0) ** 2
  const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0
  const vector = new Float32Array(numbers.length)
  for (let at = 0; at < numbers.length; at += 1) vector[at] = (numbers[at] ?? 0) * factor
  return vector
}
