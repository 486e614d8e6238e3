import type { Kysely } from 'kysely'
import { isId } from '../../ids.ts'
import type { ChunkFilter, FoundChunk, MemoryFile } from '../../memory-file/memory-file.ts'
import type { Tables } from '../../store/schema.ts'
import { findLiveDocuments, type LiveDocument } from '../../store/search.ts'
import { metadataLabels, tagLabel } from '../ingest/labels.ts'
import type { FindRequest } from '../services.ts'

/** Candidates of each leg (design measurement: more change no ranking at 10, fewer do). */
export const CANDIDATES = 200

/** A chunk that a leg found, of a document that shows; the scores of the legs that found it. */
export type Candidate = {
  chunk: FoundChunk
  document: LiveDocument
  lexical: number | null
  /** Cosine of the whole chunk. */
  vector: number | null
}

/** What is looked for: no terms, no lexical leg; no vector, no semantic leg. */
export type Retrieval = {
  memoryId: string
  terms: readonly string[] | null
  vector: Float32Array | null
  filter: ChunkFilter
  limit: number
}

/** What retrieval is built of. */
export type RetrievalParts = { db: Kysely<Tables>; memoryFile: MemoryFile }

/** The chunks either leg finds, each once, without those whose documents do not show (any more). */
export async function retrieve(
  { db, memoryFile }: RetrievalParts,
  { memoryId, terms, vector, filter, limit }: Retrieval,
): Promise<Candidate[]> {
  const [lexical, semantic] = await Promise.all([
    terms === null || terms.length === 0 ? [] : memoryFile.searchLexical(memoryId, terms, limit, filter),
    vector === null ? [] : memoryFile.searchVector(memoryId, vector, limit, filter),
  ])
  const found = new Map<string, Omit<Candidate, 'document'>>()
  for (const chunk of lexical) found.set(nameOf(chunk), { chunk, lexical: chunk.score, vector: null })
  for (const chunk of semantic) {
    const known = found.get(nameOf(chunk))
    if (known) known.vector = chunk.score
    else found.set(nameOf(chunk), { chunk, lexical: null, vector: chunk.score })
  }
  const candidates = [...found.values()]
  const documents = await findLiveDocuments(db, memoryId, [...new Set(candidates.map(({ chunk }) => chunk.documentId))])
  return candidates.flatMap((candidate) => {
    const document = documents.get(candidate.chunk.documentId)
    return document ? [{ ...candidate, document }] : []
  })
}

/**
 * The filter of a request as the memory file takes it. `null` when nothing can match: a document was named that
 * cannot exist.
 */
export function chunkFilterOf({ tags, documentIds, metadata }: FindRequest['filter']): ChunkFilter | null {
  const known = documentIds.filter((id) => isId('doc', id))
  if (documentIds.length > 0 && known.length === 0) return null
  const labels = [...tags.map(tagLabel), ...metadataLabels(metadata)]
  return {
    ...(known.length > 0 ? { documentIds: known } : {}),
    ...(labels.length > 0 ? { labels } : {}),
  }
}

function nameOf({ documentId, chunkIndex }: FoundChunk): string {
  return `${documentId}.${chunkIndex}`
}
