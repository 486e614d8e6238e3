import { isId } from '../ids.ts'
import { memoryOfFile } from './file-name.ts'
import type { ChunkFilter, ChunkRow } from './memory-file.ts'

const LABEL = /^[0-9a-f]{16,64}$/

/**
 * The SQL condition of a filter: `null` when it lets everything pass.
 * Lance takes conditions as SQL text and an injected OR once emptied a table: only what has the exact form of our own
 * identifiers and labels goes in. Throws TypeError for anything else.
 */
export function chunkPredicate(filter: ChunkFilter = {}): string | null {
  const conditions: string[] = []
  if (filter.kind !== undefined) conditions.push(`kind = '${requireKind(filter.kind)}'`)
  if (filter.documentIds !== undefined) conditions.push(documentPredicate(filter.documentIds))
  if (filter.labels !== undefined && filter.labels.length > 0) {
    conditions.push(`array_has_all(labels, [${filter.labels.map((label) => `'${requireLabel(label)}'`).join(', ')}])`)
  }
  return conditions.length === 0 ? null : conditions.join(' AND ')
}

/** The SQL condition that names these documents; one that nothing meets for an empty list. Throws TypeError. */
export function documentPredicate(documentIds: readonly string[]): string {
  if (documentIds.length === 0) return 'false'
  return `document_id IN (${documentIds.map((id) => `'${requireDocumentId(id)}'`).join(', ')})`
}

/** The label as it came. Throws TypeError unless it is 16 to 64 lower-case hex digits. */
function requireLabel(label: string): string {
  if (typeof label !== 'string' || !LABEL.test(label)) throw new TypeError('a label is 16 to 64 lower-case hex digits')
  return label
}

/** The identifier as it came. Throws TypeError unless it is one of a document. */
export function requireDocumentId(id: string): string {
  if (typeof id !== 'string' || !isId('doc', id)) throw new TypeError('not the identifier of a document')
  return id
}

/** The name as it came. Throws TypeError unless it is one of a memory file. */
export function requireFileName(name: string): string {
  if (typeof name !== 'string' || memoryOfFile(name) === null) throw new TypeError('not the name of a memory file')
  return name
}

function requireKind(kind: string): string {
  if (kind !== 'document' && kind !== 'correction') throw new TypeError('not a kind of chunk')
  return kind
}

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
