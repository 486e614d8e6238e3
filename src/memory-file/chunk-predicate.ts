import { isId } from '../ids.ts'
import { memoryOfFile } from './file-name.ts'
import type { ChunkFilter, ChunkRange, ChunkRow, DocumentSet } from './memory-file.ts'

const LABEL = /^[0-9a-f]{16,64}$/

/**
 * The SQL condition of a filter; `null` if the filter is empty.
 *
 * Lance takes conditions as SQL text, and an injected OR once emptied a table. So only values in
 * the exact form of our identifiers are accepted. Throws TypeError for anything else.
 */
export function chunkPredicate(filter: ChunkFilter = {}): string | null {
  const conditions: string[] = []
  if (filter.kind !== undefined) conditions.push(`kind = '${requireKind(filter.kind)}'`)
  if (filter.documents !== undefined) conditions.push(documentPredicate(listDocuments(filter.documents)))
  return conditions.length === 0 ? null : conditions.join(' AND ')
}

/** The set of these documents. */
export function toDocumentSet(documentIds: readonly string[]): DocumentSet {
  const ids = [...new Set(documentIds)]
  return { ids, bits: new Uint8Array(ids.length).fill(1), size: ids.length }
}

/** Lists the documents of a set. */
export function listDocuments({ ids, bits }: DocumentSet): string[] {
  return ids.filter((_, place) => bits[place] === 1)
}

/** The SQL condition that selects these documents; `false` for an empty list. Throws TypeError. */
export function documentPredicate(documentIds: readonly string[]): string {
  if (documentIds.length === 0) return 'false'
  return `document_id IN (${documentIds.map((id) => `'${requireDocumentId(id)}'`).join(', ')})`
}

/** The SQL condition that selects these indexes. Throws TypeError unless both are integers. */
export function rangePredicate({ from, to }: ChunkRange): string {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) throw new TypeError('not a range of chunks')
  return `chunk_index >= ${from} AND chunk_index < ${to}`
}

/**
 * Returns the label unchanged. Throws TypeError unless the label is 16 to 64 lower-case hex digits.
 */
function requireLabel(label: string): string {
  if (typeof label !== 'string' || !LABEL.test(label)) throw new TypeError('a label is 16 to 64 lower-case hex digits')
  return label
}

/** Returns the identifier unchanged. Throws TypeError unless `id` identifies a document. */
export function requireDocumentId(id: string): string {
  if (typeof id !== 'string' || !isId('doc', id)) throw new TypeError('not the identifier of a document')
  return id
}

/** Returns the name unchanged. Throws TypeError unless `name` is the name of a memory file. */
export function requireFileName(name: string): string {
  if (typeof name !== 'string' || memoryOfFile(name) === null) throw new TypeError('not the name of a memory file')
  return name
}

function requireKind(kind: string): string {
  if (kind !== 'document' && kind !== 'correction') throw new TypeError('not a kind of chunk')
  return kind
}

/** Throws TypeError if the document id, a label or the vector of a chunk is invalid. */
export function requireWritable(chunk: ChunkRow): void {
  requireDocumentId(chunk.documentId)
  requireVector(chunk.vector)
  for (const label of chunk.labels) requireLabel(label)
}

/** Throws TypeError if a number is not finite: every distance to the vector would be NaN. */
export function requireVector(vector: Float32Array): void {
  // Zero times a non-finite number is NaN. Testing each number took a tenth of the time of
  // analysing the chunk.
  let nothing = 0
  for (let at = 0; at < vector.length; at += 1) nothing += 0 * (vector[at] ?? 0)
  if (nothing !== 0) throw new TypeError('a vector has finite numbers only')
}
