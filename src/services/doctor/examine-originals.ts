import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { DocumentStock } from '../../database/documents/inventory.ts'
import type { Blobs } from '../../objects/blobs.ts'
import { documentObject } from '../document-folder.ts'
import type { Damage } from './damage.ts'

/** Originals of one memory; `rows` are those that are there in their size. */
export type OriginalsOfMemory = { memoryId: string; rows: Iterable<DocumentStock>; signal: AbortSignal | undefined }

/**
 * Holds every stored original to the hash of what was added, byte by byte as they stream. Those of earlier versions have no hash and are left out, as are
 * those that are gone meanwhile. Rejects when the store does not answer, and with `signal`.
 */
export async function* examineOriginals(
  blobs: Pick<Blobs, 'get'>,
  { memoryId, rows, signal }: OriginalsOfMemory,
): AsyncGenerator<Damage> {
  for (const { id: documentId, title, original_hash: wanted } of rows) {
    signal?.throwIfAborted()
    if (wanted === null) continue
    const content = await blobs.get(documentObject(memoryId, documentId, 'source'))
    if (content === null) continue
    const hash = createHash('sha256')
    await pipeline(content, hash, ...(signal === undefined ? [] : [{ signal }]))
    if (hash.digest('hex') === wanted) continue
    yield { kind: 'wrong_original', memoryId, documentId, detail: `${title}: its hash differs` }
  }
}
