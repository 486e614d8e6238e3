import type { Query, Table, TakeQuery } from '@lancedb/lancedb'
import type { Table as ArrowTable, Binary, Vector } from 'apache-arrow'
import { chunkId } from '../ids.ts'
import { chunkIdPredicate, documentPredicate } from './chunk-predicate.ts'
import { decodeChunk } from './chunk-record.ts'
import type { FoundChunk, StoredChunk } from './memory-file.ts'

/**
 * What was found, in the order given; `null` for what is gone since. A row is taken from where it was found. Where it stands no more, because
 * maintenance moved it or another write replaced it, it is looked for by its identity.
 */
export async function readFound(table: Table, found: readonly FoundChunk[]): Promise<(StoredChunk | null)[]> {
  const chunks = new Map<string, StoredChunk>()
  const keep = (chunk: StoredChunk) => chunks.set(nameOf(chunk), chunk)
  const taken = await readStored(table.takeRowIds(found.map(({ row }) => row)))
  taken.forEach(keep)
  const moved = found.filter((chunk) => !chunks.has(nameOf(chunk)))
  if (moved.length > 0) {
    const again = await readStored(table.query().where(chunkIdPredicate(moved)))
    again.forEach(keep)
  }
  return found.map((chunk) => chunks.get(nameOf(chunk)) ?? null)
}

/** The chunks of one document, in order. */
export async function readDocument(table: Table, documentId: string): Promise<StoredChunk[]> {
  const chunks = await readStored(table.query().where(documentPredicate([documentId])))
  return chunks.sort((a, b) => a.chunkIndex - b.chunkIndex)
}

async function readStored(query: Query | TakeQuery): Promise<StoredChunk[]> {
  const result: unknown = await query.select(['record']).toArrow()
  // LanceDB types its tables by its own copy of apache-arrow's declarations.
  const records = (result as ArrowTable).getChild('record') as Vector<Binary> | null
  return [...(records ?? [])].flatMap((record) => (record ? [decodeChunk(record)] : []))
}

function nameOf({ documentId, chunkIndex }: Pick<StoredChunk, 'documentId' | 'chunkIndex'>): string {
  return chunkId(documentId, chunkIndex)
}
