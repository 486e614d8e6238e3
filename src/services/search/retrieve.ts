import type { LiveDocument } from '../../database/memories/live-documents.ts'
import { isSingleCharacter } from '../../engine/analysis/unspaced-terms.ts'
import type { ChunkFilter, FoundChunk, MemoryFile, StoredChunk } from '../../memory-file/memory-file.ts'

/**
 * Candidates per retriever. Measured: a higher number changes no ranking at 10, a lower one does.
 */
export const CANDIDATES_PER_RETRIEVER = 200

/** A matching chunk, identified by its row, with the scores of both retrievers. */
export type Match = {
  row: bigint
  lexical: number | null
  /** Cosine similarity of the whole chunk. */
  vector: number | null
  /**
   * True for a fuzzy match: no chunk contains a query term, and `lexical` is the rarity of the
   * similar term.
   */
  isNear: boolean
}

/** A match with its chunk and its visible document. */
export type Candidate = Omit<Match, 'row'> & { chunk: StoredChunk; document: LiveDocument }

/** Matches after reading, by outcome. */
export type ReadMatches = {
  /** Chunks of visible documents, in the order of the matches. */
  candidates: Candidate[]
  /** Matches of documents that are hidden or deleted. */
  filtered: Match[]
  /** Matches with a stale row: compaction moved the chunk, or a write replaced or deleted it. */
  stale: Match[]
}

/**
 * A retrieval request. `terms: null` skips the lexical retriever, `vector: null` the semantic one.
 */
export type RetrievalRequest = {
  terms: readonly string[] | null
  vector: Float32Array | null
  filter: ChunkFilter
  limit: number
}

/** Dependencies of retrieval. */
export type RetrievalDeps = {
  /** Finds the visible documents of the memory among `documentIds`. */
  findDocuments: (documentIds: Iterable<string>) => Promise<ReadonlyMap<string, LiveDocument>>
  /** Memory file, addressed by file name. */
  memoryFile: MemoryFile
  /** Name of the file to search. */
  file: string
  /** Stops further reads once aborted; pending reads reject with its reason. */
  signal?: AbortSignal | undefined
}

/**
 * Compaction or a concurrent update can move matching rows. One retry is rarely needed, a second
 * hardly ever.
 */
const MAX_ATTEMPTS = 3

/**
 * Searches and processes the matches; repeats both while some matches are stale when read. Accepts
 * the remaining matches after the last attempt.
 */
export async function searchUntilFresh<Result extends Pick<ReadMatches, 'stale'>>(
  deps: RetrievalDeps,
  retrieval: RetrievalRequest,
  work: (matches: readonly Match[]) => Promise<Result>,
): Promise<Result> {
  let result = await work(await findMatches(deps, retrieval))
  for (let tries = 1; tries < MAX_ATTEMPTS && result.stale.length > 0; tries += 1)
    result = await work(await findMatches(deps, retrieval))
  return result
}

/** Retrieves the visible chunks of both retrievers, without duplicates. */
export async function retrieve(deps: RetrievalDeps, retrieval: RetrievalRequest): Promise<Candidate[]> {
  return (await searchUntilFresh(deps, retrieval, (matches) => readMatches(deps, matches))).candidates
}

/** Retrieves matches without reading the chunks, so their documents and visibility are unknown. */
export async function findMatches(
  deps: RetrievalDeps,
  { terms, vector, filter, limit }: RetrievalRequest,
): Promise<Match[]> {
  deps.signal?.throwIfAborted()
  const [{ lexical, isNear }, semantic] = await Promise.all([
    terms === null ? NO_MATCHES : searchLexical(deps, { terms, filter, limit }),
    vector === null ? [] : deps.memoryFile.searchVector(deps.file, vector, { limit, filter }),
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
 * Terms eligible for fuzzy search. Terms with digits are names or numbers, so a similar term means
 * something else. A single Chinese character is one edit away from the pairs that begin with it.
 */
const FUZZY_SEARCHABLE = /^\p{Script=Latin}{4,}$|^\p{Script=Cyrillic}{4,}$|^\p{Script=Greek}{4,}$|^\p{Script=Han}$/u

type LexicalMatches = { lexical: readonly FoundChunk[]; isNear: boolean }

const NO_MATCHES: LexicalMatches = { lexical: [], isNear: false }

/**
 * Searches by exact terms, and by similar terms when nothing matches. A query of a single Chinese
 * character finds the pairs that begin with it, one edit away, and the runs that it ends.
 */
async function searchLexical(
  { memoryFile, file, signal }: RetrievalDeps,
  { terms, filter, limit }: Omit<RetrievalRequest, 'vector'> & { terms: readonly string[] },
): Promise<LexicalMatches> {
  if (terms.length === 0) return NO_MATCHES
  // With further terms, such characters are mostly units between numbers: 1991年4月.
  const isSingle = terms.every(isSingleCharacter)
  const search = isSingle ? memoryFile.searchNear : memoryFile.searchLexical
  const lexical = await search(file, terms, { limit, filter })
  if (lexical.length > 0) return { lexical, isNear: false }
  signal?.throwIfAborted()
  const mistakable = new Set(terms.filter((term) => FUZZY_SEARCHABLE.test(term)))
  return { lexical: await memoryFile.searchNear(file, [...mistakable], { limit, filter }), isNear: true }
}

/** Reads the chunks of matches and looks up the visible documents. */
export async function readMatches(
  { findDocuments, memoryFile, file, signal }: RetrievalDeps,
  matches: readonly Match[],
): Promise<ReadMatches> {
  signal?.throwIfAborted()
  const chunks = await memoryFile.readRows(file, matches)
  const documentIds = new Set(chunks.flatMap((chunk) => chunk?.documentId ?? []))
  signal?.throwIfAborted()
  const documents = await findDocuments(documentIds)
  const reading: ReadMatches = { candidates: [], filtered: [], stale: [] }
  matches.forEach((match, place) => {
    const { lexical, vector, isNear } = match
    const chunk = chunks[place]
    const document = chunk ? documents.get(chunk.documentId) : undefined
    if (!chunk) reading.stale.push(match)
    else if (!document) reading.filtered.push(match)
    else reading.candidates.push({ lexical, vector, isNear, chunk, document })
  })
  return reading
}
