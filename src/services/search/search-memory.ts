import type { Kysely } from 'kysely'
import type { Warning } from '../../api/values.ts'
import { fileOf } from '../../database/memories/memories-table.ts'
import type { Memory, Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { ApiError } from '../../errors.ts'
import { HITS } from '../../limits.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Embedders } from '../../models/embedders.ts'
import type { Reranker } from '../../models/reranker.ts'
import type { Log } from '../../observability/log.ts'
import { type FileOfMemory, type MemoryFiles, requireFile } from '../memory-files.ts'
import type { TitleStocks } from './create-title-stocks.ts'
import type { TitleTerms } from './create-title-terms.ts'
import { findCorrections, type MatchingCorrection } from './find-corrections.ts'
import type { FindRequest } from './find-request.ts'
import { modeOf, type Question, toLegs, withWarning } from './question.ts'
import { MOST_READ, type RankedCandidate, rankDocuments } from './rank-documents.ts'
import { byWords, type MemoryQuestion, readMeaning } from './read-meaning.ts'
import { rerankDocuments } from './rerank-documents.ts'
import {
  CANDIDATES,
  chunkFilterOf,
  type Match,
  type Retrieval,
  type RetrievalParts,
  searchUntilWhole,
} from './retrieve.ts'
import type { SearchedMemory } from './search.ts'

/** What a memory is searched with. */
export type SearchParts = {
  db: Kysely<Tables>
  memoryFile: MemoryFiles
  embedders: Embedders
  analyzer: Analyzer
  /** False: the fused score ranks alone, without what needs no model (titles, four-grams, neighbours, phrases). */
  rerank: boolean
  /** A model that reads the first places again; none when absent. */
  reranker?: Reranker
  log: Pick<Log, 'warn'>
  /** Runs a step of a search under its name, so that it can be timed; just runs it when absent. */
  step?: <Result>(name: string, work: () => Result) => Result
  now: () => Date
}

/** `explain` true: says what each score is made of; `withoutCorrections` true: looks for none. */
type Parts = SearchParts & {
  titleTerms: TitleTerms
  titleStock: TitleStocks
  shareLoop: () => Promise<void>
  explain?: boolean
  withoutCorrections?: boolean
}

const NAMES_NO_DOCUMENT: Warning = {
  code: 'filter_names_no_document',
  message:
    'No identifier in options.filter.documentIds can be one of a document. Leave it out to search the whole memory.',
  param: 'options.filter.documentIds',
}

/** What is asked of a memory. */
export type MemoryRequest = Pick<FindRequest, 'query' | 'mode' | 'filter' | 'signal'>

/** What was found in a memory, each list best first. */
export type Found = {
  /** With all warnings of the search. */
  question: Question
  /** That of the memory; `null` where nothing was compared by meaning. */
  embedder: Embedder | null
  corrections: readonly MatchingCorrection[]
  documents: readonly RankedCandidate[]
  /** All passages that were found, of which `documents` are the best that show. */
  matches: readonly Match[]
  /** Where it was looked for documents; `null` where nothing could match. */
  reach: Reach | null
}

/** What a further search of the same memory needs. */
export type Reach = RetrievalParts & Pick<Retrieval, 'memoryId' | 'filter'>

/**
 * Searches a memory: both legs, fused and ranked, corrections apart, the first places read again where a model does. Rejects with the reason of the
 * request's signal, and reads nothing more once it has fired.
 */
export async function searchMemory(
  parts: Parts,
  { memory, languages }: SearchedMemory,
  request: MemoryRequest,
): Promise<Found> {
  request.signal?.throwIfAborted()
  const found = await findInMode(parts, memory, request, languages)
  if (found.matches.length + found.corrections.length === 0) await requireFile(parts, memory)
  return readAgain(parts, request, found)
}

/** Finds in the mode that is asked for. What `auto` took for nothing but words, and words do not find, is looked for in both ways. */
async function findInMode(
  parts: Parts,
  memory: Memory,
  request: MemoryRequest,
  languages: readonly string[],
): Promise<Found> {
  const asked = await readMeaning(parts, memory, { request, languages })
  const found = await findEither(parts, memory, asked, request)
  const isMissed = found.corrections.length + found.documents.length === 0
  const isChosen = request.mode === 'auto' && modeOf(request) === 'lexical'
  return isMissed && isChosen ? findInMode(parts, memory, { ...request, mode: 'hybrid' }, languages) : found
}

/** Finds, by words alone where the memory's vectors turn out to be of another model than its name says. */
async function findEither(parts: Parts, memory: Memory, asked: MemoryQuestion, request: MemoryRequest): Promise<Found> {
  try {
    return await findAll(parts, memory, asked, request)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'embedding_model_pinned') throw error
    parts.log.warn({ err: error, memoryId: memory.id }, 'a memory can be searched by words alone')
    const why = `The embedding model ${memory.embedding_model} is not the one that the memory was made with`
    return findAll(parts, memory, byWords(asked.question, why), request)
  }
}

async function findAll(
  parts: Parts,
  memory: Memory,
  { question, embedder }: MemoryQuestion,
  { filter: wanted, signal }: MemoryRequest,
): Promise<Found> {
  signal?.throwIfAborted()
  const filter = chunkFilterOf(wanted)
  // A memory that is not pinned holds nothing that shows; an add that failed may have left vectors of any model.
  if (filter === null || memory.embedding_model === null) {
    const told = filter === null ? withWarning(question, NAMES_NO_DOCUMENT) : question
    return { question: told, embedder, corrections: [], documents: [], matches: [], reach: null }
  }
  const hasCorrections = memory.correction_count > 0
  // The one that goes with the vectors of the memory's embedder, whatever its row names by now.
  const searching = { ...parts, embedder, signal, memoryFile: parts.memoryFile.named(fileOf(memory)) }
  const [corrections, found] = await Promise.all([
    hasCorrections && !parts.withoutCorrections
      ? findCorrections(searching, question, { memoryId: memory.id, filter })
      : [],
    findDocuments(searching, question, {
      memory,
      // A filter that excludes nothing only costs time.
      filter: hasCorrections ? { ...filter, kind: 'document' } : filter,
    }),
  ])
  return { question, embedder, corrections, ...found, reach: { ...searching, memoryId: memory.id, filter } }
}

/** Who asks for words has them in the order of the words. */
async function readAgain({ reranker, log }: SearchParts, request: MemoryRequest, found: Found): Promise<Found> {
  const { question } = found
  const isByWords = modeOf(request) === 'lexical' && question.mode === 'lexical'
  if (reranker === undefined || isByWords) return found
  const { documents, warnings } = await rerankDocuments({ reranker, log }, request, found.documents)
  return { ...found, documents, question: { ...question, warnings: [...question.warnings, ...warnings] } }
}

async function findDocuments(
  parts: Omit<Parts, 'memoryFile'> & { memoryFile: FileOfMemory; embedder: Embedder | null },
  question: Question,
  { memory, filter }: { memory: Memory; filter: NonNullable<ReturnType<typeof chunkFilterOf>> },
): Promise<Pick<Found, 'documents' | 'matches'>> {
  const limit = Math.max(CANDIDATES, HITS.max)
  // Counted while the legs look: the ranking asks for it where it does not read all that they find. Its failure is the ranking's to tell.
  if (memory.chunk_count > MOST_READ) parts.titleStock(memory).catch(() => undefined)
  return searchUntilWhole(parts, { ...toLegs(question), memoryId: memory.id, filter, limit }, async (matches) => {
    const rank = () => rankDocuments(parts, question, { memory, matches })
    const ranking = await (parts.step?.('ranking', rank) ?? rank())
    return { ...ranking, matches }
  })
}
