import type { Kysely } from 'kysely'
import { isId } from '../../ids.ts'
import type { ChunkFilter, FoundChunk, StoredChunk } from '../../memory-file/memory-file.ts'
import type { Tables } from '../../store/schema.ts'
import { findLiveDocuments, type LiveDocument } from '../../store/search.ts'
import { metadataLabels, tagLabel } from '../ingest/labels.ts'
import type { FileOfMemory } from '../memory-files.ts'
import type { FindRequest } from '../services.ts'

/** Candidates of each leg (design measurement: more change no ranking at 10, fewer do). */
export const CANDIDATES = 200

/** A chunk that a leg found, of a document that shows; the scores of the legs that found it. */
export type Match = {
  found: FoundChunk
  document: LiveDocument
  lexical: number | null
  /** Cosine of the whole chunk. */
  vector: number | null
  /** Nothing has a word of the query; this has one that is nearly one of them, and `lexical` says how rare that is. */
  isNear: boolean
}

/** A match with what it takes to rank and to show it. */
export type Candidate = Omit<Match, 'found'> & { chunk: StoredChunk }

/** What is looked for: no terms, no lexical leg; no vector, no semantic leg. */
export type Retrieval = {
  memoryId: string
  terms: readonly string[] | null
  vector: Float32Array | null
  filter: ChunkFilter
  limit: number
}

/** What retrieval is built of. */
export type RetrievalParts = { db: Kysely<Tables>; memoryFile: FileOfMemory }

/** The chunks either leg finds, each once, without those whose documents do not show (any more). */
export async function retrieve(parts: RetrievalParts, retrieval: Retrieval): Promise<Candidate[]> {
  return readMatches(parts, retrieval.memoryId, await findMatches(parts, retrieval))
}

/** The same, not read. */
export async function findMatches(
  { db, memoryFile }: RetrievalParts,
  { memoryId, terms, vector, filter, limit }: Retrieval,
): Promise<Match[]> {
  const [{ lexical, isNear }, semantic] = await Promise.all([
    terms === null ? NOTHING : findByWords(memoryFile, { memoryId, terms, filter, limit }),
    vector === null ? [] : memoryFile.searchVector(memoryId, vector, limit, filter),
  ])
  const matches = new Map<string, Omit<Match, 'document'>>()
  for (const found of lexical) matches.set(nameOf(found), { found, lexical: found.score, vector: null, isNear })
  for (const found of semantic) {
    const known = matches.get(nameOf(found))
    if (known) known.vector = found.score
    else matches.set(nameOf(found), { found, lexical: null, vector: found.score, isNear: false })
  }
  const all = [...matches.values()]
  const documents = await findLiveDocuments(db, memoryId, [...new Set(all.map(({ found }) => found.documentId))])
  return all.flatMap((match) => {
    const document = documents.get(match.found.documentId)
    return document ? [{ ...match, document }] : []
  })
}

/** Words that may be mistaken: with a digit in them they are names or numbers, and another number is another thing. */
const MISTAKABLE = /^\p{Script=Latin}{4,}$|^\p{Script=Cyrillic}{4,}$|^\p{Script=Greek}{4,}$/u

type ByWords = { lexical: readonly FoundChunk[]; isNear: boolean }

const NOTHING: ByWords = { lexical: [], isNear: false }

/** What has one of the terms; where nothing has, what has nearly one. */
async function findByWords(
  memoryFile: FileOfMemory,
  { memoryId, terms, filter, limit }: Omit<Retrieval, 'vector'> & { terms: readonly string[] },
): Promise<ByWords> {
  if (terms.length === 0) return NOTHING
  const lexical = await memoryFile.searchLexical(memoryId, terms, limit, filter)
  if (lexical.length > 0) return { lexical, isNear: false }
  const mistakable = terms.filter((term) => MISTAKABLE.test(term))
  return { lexical: await memoryFile.searchNear(memoryId, mistakable, limit, filter), isNear: true }
}

/** Reads what was found, but for what is gone since. */
export async function readMatches<Found extends Match>(
  { memoryFile }: Pick<RetrievalParts, 'memoryFile'>,
  memoryId: string,
  matches: readonly Found[],
): Promise<(Omit<Found, 'found'> & Pick<Candidate, 'chunk'>)[]> {
  const found = matches.map((match) => match.found)
  const chunks = await memoryFile.readFound(memoryId, found)
  return matches.flatMap(({ found: _, ...match }, place) => {
    const chunk = chunks[place]
    return chunk ? [{ ...match, chunk }] : []
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
