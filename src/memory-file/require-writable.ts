import { requireDocumentId, requireLabel } from './chunk-predicate.ts'
import type { ChunkRow } from './memory-file.ts'

/** Throws TypeError where a chunk is not what can be found again: its document, a label, its vector. */
export function requireWritable(chunk: ChunkRow): void {
  requireDocumentId(chunk.documentId)
  requireVector(chunk.vector)
  for (const label of chunk.labels) requireLabel(label)
}

/** Throws TypeError where one number is not finite: it would make every distance to it NaN. */
export function requireVector(vector: Float32Array): void {
  // Nothing times such a number is NaN; asking each took a tenth as long as analysing the chunk.
  let nothing = 0
  for (let at = 0; at < vector.length; at += 1) nothing += 0 * (vector[at] ?? 0)
  if (nothing !== 0) throw new TypeError('a vector has finite numbers only')
}
