import type { Kysely } from 'kysely'
import { findLiveDocuments, type LiveDocument } from '../../database/memories/live-documents.ts'
import type { Tables } from '../../database/schema.ts'
import { isId } from '../../ids.ts'
import type { ChunkFilter, FoundChunk, MemoryFile, StoredChunk } from '../../memory-file/memory-file.ts'
import { metadataLabels, tagLabel } from '../ingest/indexing/indexed-facts.ts'
import type { FindRequest } from './search.ts'

/** Candidates of each leg (design measurement: more change no ranking at 10, fewer do). */
export const CANDIDATES = 200

/** A chunk that a leg found, by where it stands; the scores of the legs that found it. */
export type Match = {
  row: bigint
  lexical: number | null
  /** Cosine of the whole chunk. */
  vector: number | null
  /** Nothing has a word of the query; this has one that is nearly one of them, and `lexical` says how rare that is. */
  isNear: boolean
}

/** A match that was read, of a document that shows. */
export type Candidate = Omit<Match, 'row'> & { chunk: StoredChunk; document: LiveDocument }

/** What became of matches that were to be read. */
export type Reading = {
  /** Those of documents that show, in the order of the matches. */
  candidates: Candidate[]
  /** Matches of documents that do not show, or not any more. */
  filtered: Match[]
  /** Matches whose row is stale: maintenance moved it, or another write replaced or deleted it. */
  stale: Match[]
}

/** What is looked for: no terms, no lexical leg; no vector, no semantic leg. */
export type RetrievalRequest = {
  memoryId: string
  terms: readonly string[] | null
  vector: Float32Array | null
  filter: ChunkFilter
  limit: number
}

/** What retrieval is built of. */
export type RetrievalDeps = {
  db: Kysely<Tables>
  /** By the names of files. */
  memoryFile: MemoryFile
  /** The one that is searched. */
  file: string
  /** Once it fires, nothing more is read: what was under way rejects with its reason. */
  signal?: AbortSignal | undefined
}

/** Maintenance of a file, and a write to a document that stands, move what was just found. Seldom once, so hardly twice. */
const MAX_TRIES = 3

/** Finds, and works with what was found; all anew where some of it is gone by the time it is read. The last time what is left is enough. */
export async function searchUntilWhole<Result extends Pick<Reading, 'stale'>>(
  parts: RetrievalDeps,
  retrieval: RetrievalRequest,
  work: (matches: readonly Match[]) => Promise<Result>,
): Promise<Result> {
  let result = await work(await findMatches(parts, retrieval))
  for (let tries = 1; tries < MAX_TRIES && result.stale.length > 0; tries += 1)
    result = await work(await findMatches(parts, retrieval))
  return result
}

/** The chunks either leg finds, each once and read, without those whose documents do not show (any more). */
export async function retrieve(parts: RetrievalDeps, retrieval: RetrievalRequest): Promise<Candidate[]> {
  const read = (matches: readonly Match[]) => readMatches(parts, retrieval.memoryId, matches)
  return (await searchUntilWhole(parts, retrieval, read)).candidates
}

/** The same, not read: whose they are, and whether they show, is not known yet. */
export async function findMatches(
  parts: RetrievalDeps,
  { terms, vector, filter, limit }: Omit<RetrievalRequest, 'memoryId'>,
): Promise<Match[]> {
  parts.signal?.throwIfAborted()
  const [{ lexical, isNear }, semantic] = await Promise.all([
    terms === null ? NOTHING : findByWords(parts, { terms, filter, limit }),
    vector === null ? [] : parts.memoryFile.searchVector(parts.file, vector, { limit, filter }),
  ])
  const matches = new Map<bigint, Match>()
  for (const { row, score } of lexical) matches.set(row, { row, lexical: score, vector: null, isNear })
  for (const { row, score } of semantic) {
    const known = matches.get(row)
    if (known) known.vector = score
    else matches.set(row, { row, lexical: null, vector: score, isNear: false })
  }
  return [...matches.values()]
}

/**
 * Words that may be mistaken: with a digit in them they are names or numbers, and another number is another thing. A single Chinese character is
 * indexed with the one beside it, and a letter away from the pairs that begin with it.
 */
const MISTAKABLE = /^\p{Script=Latin}{4,}$|^\p{Script=Cyrillic}{4,}$|^\p{Script=Greek}{4,}$|^\p{Script=Han}$/u

type ByWords = { lexical: readonly FoundChunk[]; isNear: boolean }

const NOTHING: ByWords = { lexical: [], isNear: false }

/** What has one of the terms; where nothing has, what has nearly one. */
async function findByWords(
  { memoryFile, file, signal }: RetrievalDeps,
  { terms, filter, limit }: Omit<RetrievalRequest, 'memoryId' | 'vector'> & { terms: readonly string[] },
): Promise<ByWords> {
  if (terms.length === 0) return NOTHING
  const lexical = await memoryFile.searchLexical(file, terms, { limit, filter })
  if (lexical.length > 0) return { lexical, isNear: false }
  signal?.throwIfAborted()
  const mistakable = new Set(terms.filter((term) => MISTAKABLE.test(term)))
  return { lexical: await memoryFile.searchNear(file, [...mistakable], { limit, filter }), isNear: true }
}

/** Reads matches, and looks up which of their documents show. */
export async function readMatches(
  { db, memoryFile, file, signal }: RetrievalDeps,
  memoryId: string,
  matches: readonly Match[],
): Promise<Reading> {
  signal?.throwIfAborted()
  const chunks = await memoryFile.readFound(file, matches)
  const documentIds = new Set(chunks.flatMap((chunk) => chunk?.documentId ?? []))
  signal?.throwIfAborted()
  const documents = await findLiveDocuments(db, memoryId, [...documentIds])
  const reading: Reading = { candidates: [], filtered: [], stale: [] }
  matches.forEach((match, place) => {
    const { row: _, ...found } = match
    const chunk = chunks[place]
    const document = chunk ? documents.get(chunk.documentId) : undefined
    if (!chunk) reading.stale.push(match)
    else if (!document) reading.filtered.push(match)
    else reading.candidates.push({ ...found, chunk, document })
  })
  return reading
}

/** The filter of a request as the memory file takes it. `null` when nothing can match: no document was named that can exist. */
export function chunkFilterOf({ tags, documentIds, metadata }: FindRequest['filter']): ChunkFilter | null {
  const known = documentIds?.filter((id) => isId('doc', id))
  if (known?.length === 0) return null
  const labels = [...tags.map(tagLabel), ...metadataLabels(metadata)]
  return {
    ...(known === undefined ? {} : { documentIds: known }),
    ...(labels.length > 0 ? { labels } : {}),
  }
}
