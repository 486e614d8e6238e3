/**
 * Vectors and scores out of nothing but words: texts with common words are near each other, the
 * same every time.
 */
import { createHash } from 'node:crypto'

/** A bag of hashed words, not normalised. */
export function toVector(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const word of wordsOf(text)) {
    const at = createHash('md5').update(word).digest().readUInt32LE(0) % dimensions
    vector[at] = (vector[at] ?? 0) + 1
  }
  // A text without words must not give a zero vector; real models never do.
  vector[0] = (vector[0] ?? 0) + 0.01
  return vector
}

/** The share of the query's words in the text, from 0 to 1. */
export function scoreText(query: string, text: string): number {
  const asked = [...new Set(wordsOf(query))]
  const words = new Set(wordsOf(text))
  return asked.length === 0 ? 0 : asked.filter((word) => words.has(word)).length / asked.length
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
