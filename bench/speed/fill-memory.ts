import { addInBatches } from '../load.ts'
import type { Sentences } from '../sentences.ts'
import type { Service } from '../service.ts'
import { CHUNKS_A_DOCUMENT, makeDocuments, type TextDocument } from '../texts.ts'

/**
 * Some 30 MB of text, generated before sending, so generation takes no time from the service.
 */
const DOCUMENTS_A_PIECE = 2500

/** The cost of filling a memory; `documents` holds the first documents. */
export type Filled = { chunks: number; perSecond: number; documents: readonly TextDocument[] }

/**
 * Adds about so many chunks in large batches. The time in which the texts are made does not count.
 */
export async function fillMemory(
  service: Service,
  { memoryId, sentences, chunks }: { memoryId: string; sentences: Sentences; chunks: number },
): Promise<Filled> {
  const filled = { chunks: 0, seconds: 0, documents: [] as readonly TextDocument[] }
  for (let left = Math.ceil(chunks / CHUNKS_A_DOCUMENT); left > 0; left -= DOCUMENTS_A_PIECE) {
    const piece = makeDocuments(sentences, Math.min(left, DOCUMENTS_A_PIECE))
    const added = await addInBatches(service, memoryId, piece)
    filled.chunks += added.chunks
    filled.seconds += added.chunks / added.perSecond
    if (filled.documents.length === 0) filled.documents = piece
  }
  return { chunks: filled.chunks, perSecond: filled.chunks / filled.seconds, documents: filled.documents }
}
