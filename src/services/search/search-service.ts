import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { FindAnswer, HitResource, SearchAnswer } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import { createEventLoopYielder, runCooperatively } from '../../concurrency/event-loop-yield.ts'
import type { PriorityGate } from '../../concurrency/priority-gate.ts'
import { listHiddenDocuments } from '../../database/memories/document-changes.ts'
import { createLiveDocuments, type LiveDocuments, listTitles } from '../../database/memories/live-documents.ts'
import { currentFileOf, listLanguages, requireMemory } from '../../database/memories/memories-table.ts'
import type { Memory, Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { ApiError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import { HITS } from '../../limits.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Embedders } from '../../models/embedders.ts'
import type { Reranker } from '../../models/reranker.ts'
import type { Log } from '../../observability/log.ts'
import type { Caller } from '../caller.ts'
import { createDocumentFilters, type DocumentFilters } from '../filters/document-filters.ts'
import { NO_CONDITIONS } from '../filters/read-filter.ts'
import { type MemoryFiles, requireFile } from '../memory-files.ts'
import { decodeCursor, encodeCursor } from '../paging.ts'
import { buildHits, warnOfOmittedHits } from './build-hits.ts'
import { explainDocument } from './explain-document.ts'
import { findAcross, listSelected } from './find-across.ts'
import { findCorrections, keepCorrections, type MatchingCorrection } from './find-corrections.ts'
import { effectiveMode, embedQuery, lexicalOnly, type Question, toRetrievers, withWarning } from './question.ts'
import { MAX_READ, type RankedCandidate, rankDocuments, rerankDocuments } from './rank-documents.ts'
import {
  CANDIDATES_PER_RETRIEVER,
  type Match,
  type RetrievalDeps,
  type RetrievalRequest,
  searchUntilFresh,
} from './retrieve.ts'
import type { FindRequest, SearchedMemory, SearchService } from './search.ts'
import { selectHits } from './select-hits.ts'
import { createTitleStatsCache, createTitleTerms, type TitleStatsCache, type TitleTerms } from './title-terms.ts'

/** Event-loop budget of concurrent rankings per turn, in milliseconds. Ranking takes about 5 ms. */
const SLICE_MS = 8

/** Dependencies of the search service. */
export type SearchDeps = {
  db: Kysely<Tables>
  /** Shared with other services, or else those of this service. */
  filters?: DocumentFilters
  memoryFile: MemoryFiles
  embedders: Embedders
  analyzer: Analyzer
  /** False: ranks by the fused score only, without titles, four-grams, neighbours and phrases. */
  rerank: boolean
  /** Reranks the first hits with a model; no reranking when absent. */
  reranker?: Reranker
  log: Pick<Log, 'warn'>
  /** Times a named step of a search; runs the step without timing when absent. */
  step?: <Result>(name: string, work: () => Result) => Result
  now: () => Date
  /** Receives the result of each search, to record the passages that corrections outrank. */
  outranking?: { record(found: Pick<SearchResult, 'corrections' | 'documents'>): void }
  /** Gives every kind of search priority over background work; no priority when absent. */
  priorityGate?: Pick<PriorityGate, 'foreground'>
}

/**
 * `explain`: keeps the parts of each score. `withoutCorrections`: skips corrections.
 * `collapseDuplicates`: false if copies may take the places of other passages.
 */
type SearchRunDeps = SearchDeps & {
  filters: DocumentFilters
  liveDocuments: LiveDocuments
  titleTerms: TitleTerms
  titleStats: TitleStatsCache
  yieldToEventLoop: () => Promise<void>
  explain?: boolean
  withoutCorrections?: boolean
  collapseDuplicates?: boolean | undefined
}

type SearchRequest = Pick<FindRequest, 'query' | 'mode' | 'filter' | 'signal'> & {
  /** Number of passages needed. */
  depth?: number
}

/** Search result of a memory; each list is sorted best first. */
export type SearchResult = {
  /** Carries all warnings of the search. */
  question: Question
  /** Embedder of the memory; `null` when vectors were not compared. */
  embedder: Embedder | null
  corrections: readonly MatchingCorrection[]
  documents: readonly RankedCandidate[]
  /** All matching passages; `documents` holds the best visible ones. */
  matches: readonly Match[]
  /** True if no further passage of the memory matches. */
  isExhaustive: boolean
  /** Context for further searches of the same documents; `null` when nothing can match. */
  context: SearchContext | null
}

/** Context for further searches of the same documents. */
export type SearchContext = RetrievalDeps & Pick<RetrievalRequest, 'filter'>

/**
 * Searches passages: runs both retrievers, fuses and ranks the matches, and puts corrections first.
 */
export function createSearchService(deps: SearchDeps): SearchService {
  const titleTerms = createTitleTerms(deps.analyzer)
  const yieldToEventLoop = createEventLoopYielder(SLICE_MS)
  const titleStats = createTitleStatsCache({
    list: (...page) => listTitles(deps.db, ...page),
    titleTerms,
    yieldToEventLoop,
  })
  const filters = deps.filters ?? createDocumentFilters(deps.db)
  const liveDocuments = createLiveDocuments(deps.db)
  const parts = { ...deps, filters, liveDocuments, titleTerms, titleStats, yieldToEventLoop }
  const foreground: PriorityGate['foreground'] = deps.priorityGate?.foreground ?? ((work) => work())

  const findNow: SearchService['find'] = (...asked) => findPassages(parts, ...asked)

  const find: SearchService['find'] = (...asked) => foreground(() => findNow(...asked))

  return {
    embeddingModels: deps.embedders.models,
    embed: embedTexts.bind(null, parts),
    open: (caller, memoryId) => openMemory(deps.db, caller, memoryId),
    find,
    openSeveral: (caller, selection) => openSeveral(deps.db, caller, selection),
    findAcross: (memories, request) => findAcross(find, memories, request),
    async search(searched, asked) {
      return toShortAnswer(await find(searched, { ...asked, mode: 'auto', highlight: true }))
    },
    async rank(searched, request) {
      const yieldToEventLoop = yieldUnlessAborted(parts.yieldToEventLoop, request.signal)
      const { question, corrections, documents } = await foreground(() =>
        searchMemory({ ...parts, yieldToEventLoop }, searched, request),
      )
      return { corrections: idsOf(corrections), documents: idsOf(documents), warnings: question.warnings }
    },
  }
}

/** Embeds texts in batches, and yields to the event loop after each. */
async function embedTexts(
  { embedders, yieldToEventLoop }: Pick<SearchRunDeps, 'embedders' | 'yieldToEventLoop'>,
  ...[model, texts, signal]: Parameters<SearchService['embed']>
): Promise<Float32Array[]> {
  const embedder = embedders.get(model)
  if (embedder === null) throw new ApiError('model_not_found')
  const vectors: Float32Array[] = []
  for (let start = 0; start < texts.length; start += embedder.chunksAtOnce) {
    const batch = texts.slice(start, start + embedder.chunksAtOnce)
    vectors.push(...(await embedder.embed(batch, 'passage', { signal })))
    await yieldToEventLoop()
  }
  return vectors
}

/** Documents of ranked passages, each once. */
function idsOf(found: readonly { candidate: { document: { id: string } } }[]): string[] {
  return [...new Set(found.map(({ candidate }) => candidate.document.id))]
}

async function openSeveral(
  db: Kysely<Tables>,
  caller: Caller,
  selection: Parameters<SearchService['openSeveral']>[1],
): Promise<SearchedMemory[]> {
  const ids = await listSelected(db, caller, selection)
  return Promise.all(ids.map((id) => openMemory(db, caller, id)))
}

/** Reads the memory to search, with its hidden documents; throws `memory_not_found`. */
export async function openMemory(db: Kysely<Tables>, caller: Caller, memoryId: string): Promise<SearchedMemory> {
  const memory = await requireMemory(db, caller, memoryId)
  const [[first = DEFAULT_LANGUAGE, ...others], hiddenIds] = await Promise.all([
    listLanguages(db, memoryId),
    listHiddenDocuments(db, memoryId),
  ])
  return { memory, languages: [first, ...others], hiddenIds, keyId: caller.keyId }
}

/**
 * Searches a memory: runs both retrievers, ranks the matches, and reranks the first places if a
 * model is configured. When `auto` chose lexical and found nothing, the search runs again as
 * hybrid. Rejects with the reason of the request's signal, and then reads nothing more.
 */
async function searchMemory(
  deps: SearchRunDeps,
  searched: SearchedMemory,
  request: SearchRequest,
): Promise<SearchResult> {
  request.signal?.throwIfAborted()
  let found = await searchInMode(deps, searched, request)
  const isMissed = found.corrections.length + found.documents.length === 0
  const isChosen = request.mode === 'auto' && effectiveMode(request) === 'lexical'
  const asked: SearchRequest = isMissed && isChosen ? { ...request, mode: 'hybrid' } : request
  if (asked !== request) found = await searchInMode(deps, searched, asked)
  if (found.matches.length + found.corrections.length === 0) await requireFile(deps, searched.memory)
  const { reranker, log } = deps
  const { question } = found
  // An explicit lexical search keeps the lexical order.
  const isByWords = effectiveMode(request) === 'lexical' && question.mode === 'lexical'
  if (reranker === undefined || isByWords) return found
  const { documents, warnings } = await rerankDocuments({ reranker, log }, request, found.documents)
  return { ...found, documents, question: { ...question, warnings: [...question.warnings, ...warnings] } }
}

/**
 * Searches in one mode. Falls back to lexical when the stored vectors belong to a different model
 * than the memory row says.
 */
async function searchInMode(
  deps: SearchRunDeps,
  { memory, languages, hiddenIds = [] }: SearchedMemory,
  request: SearchRequest,
): Promise<SearchResult> {
  const { signal } = request
  let asked = await embedQuery(deps, memory, { request, languages })
  const chosen = request.filter ?? (hiddenIds.length > 0 ? NO_CONDITIONS : null)
  const documents = chosen && (await deps.filters.select(memory, chosen, hiddenIds))
  // A memory without a pinned model has no visible documents; a failed add may have left vectors of
  // any model.
  if (documents?.size === 0 || memory.embedding_model === null) {
    const isFiltered = documents?.size === 0 && request.filter
    const question = isFiltered ? withWarning(asked.question, warnOfFilter(request.filter)) : asked.question
    return { ...asked, question, corrections: [], documents: [], matches: [], isExhaustive: true, context: null }
  }
  const filter = documents === null ? {} : { documents }
  for (;;) {
    signal?.throwIfAborted()
    // Use the file of the memory's current embedder, even if the row names a new one meanwhile.
    const file = { memoryFile: deps.memoryFile.byName, file: currentFileOf(memory) }
    const findDocuments = (ids: Iterable<string>) => deps.liveDocuments.find(memory, ids)
    const search = { ...deps, ...file, findDocuments, signal, memory, filter, ...asked }
    try {
      const [matching, found] = await Promise.all([searchCorrections(search), searchDocuments(search, request.depth)])
      const corrections = await keepCorrections(search, matching, found.documents)
      return { ...asked, corrections, ...found, context: search }
    } catch (err) {
      if (!(err instanceof ApiError) || err.code !== 'embedding_model_pinned' || asked.embedder === null) throw err
      deps.log.warn({ err, memoryId: memory.id }, 'a memory can only be searched by keywords')
      const why = `The vectors of the memory were not created with the embedding model ${memory.embedding_model}`
      asked = lexicalOnly(asked.question, why)
    }
  }
}

type SearchRun = Omit<SearchRunDeps, 'memoryFile'> &
  SearchContext & { memory: Memory; question: Question; embedder: Embedder | null }

function searchCorrections(search: SearchRun): Promise<MatchingCorrection[]> | MatchingCorrection[] {
  const { memory, question, filter, withoutCorrections = false } = search
  return memory.correction_count > 0 && !withoutCorrections ? findCorrections(search, question, filter) : []
}

async function searchDocuments(
  search: SearchRun,
  depth = 0,
): Promise<Pick<SearchResult, 'documents' | 'matches' | 'isExhaustive'>> {
  const { memory, question, titleStats, step, collapseDuplicates = true } = search
  // A filter that excludes nothing only costs time.
  const filter = memory.correction_count > 0 ? { ...search.filter, kind: 'document' as const } : search.filter
  // Start counting titles while the retrievers run: the ranking needs the counts when it reads only
  // a part of the matches. The ranking reports a failure.
  if (memory.chunk_count > MAX_READ) titleStats(memory).catch(() => undefined)
  const retrieval = { ...toRetrievers(question), filter }
  for (let limit = CANDIDATES_PER_RETRIEVER; ; limit *= DEEPER_FACTOR) {
    const found = await searchUntilFresh(search, { ...retrieval, limit }, async (matches) => {
      const rank = () => rankDocuments(search, question, { memory, matches, depth })
      const ranking = await (step?.('ranking', rank) ?? rank())
      const isFull = (['lexical', 'vector'] as const).some((retriever) => countOf(matches, retriever) >= limit)
      return { ...ranking, matches, isExhaustive: ranking.isWhole && !isFull }
    })
    const isDeepest = limit * DEEPER_FACTOR > MAX_CANDIDATES_PER_RETRIEVER
    if (isDeepest || !collapseDuplicates || !hideOthers(found, limit)) return found
  }
}

/** Finds the best passages of one memory. */
async function findPassages(parts: SearchRunDeps, searched: SearchedMemory, request: FindRequest): Promise<FindAnswer> {
  const started = performance.now()
  const { memory } = searched
  const { highlight, limit, explain = false, explainDocumentId: missed = null } = request
  const { withoutCorrections = false, collapseDuplicates } = request
  const isExplained = explain || missed !== null
  const yieldToEventLoop = yieldUnlessAborted(parts.yieldToEventLoop, request.signal)
  const run = { ...parts, yieldToEventLoop, explain: isExplained, withoutCorrections, collapseDuplicates }
  const list = listOf(memory, request)
  const offset = readOffset(list, request)
  const found = await searchMemory(run, searched, { ...request, depth: offset + limit + 1 })
  const { question, corrections } = found
  const documents = selectHits({ ...found, analyzer: parts.analyzer }, request)
  parts.outranking?.record(found)
  const windowCharacters = found.embedder?.windowCharacters ?? null
  const shown = { question, highlight, limit, offset, explaining: isExplained ? { windowCharacters } : null }
  const totalHits = corrections.length + documents.length
  const hits = await runCooperatively(buildHits(parts.analyzer, shown, { corrections, documents }), yieldToEventLoop)
  const search = { memory, request, found, selected: documents, hits, windowCharacters }
  const explained = missed === null ? {} : { explainedDocument: await explainDocument(parts, search, missed) }
  const end = offset + hits.length
  return {
    query: request.query,
    mode: question.mode,
    totalHits,
    totalHitsRelation: found.isExhaustive ? 'eq' : 'gte',
    tookMs: Math.round(performance.now() - started),
    hits: isExplained && !explain ? hits.map(withoutExplanation) : hits,
    nextCursor: end < totalHits ? encodeCursor(list, String(end)) : null,
    warnings: [
      ...question.warnings,
      ...warnOfOmittedHits(hits.length, Math.min(limit, Math.max(0, totalHits - offset))),
    ],
    ...explained,
  }
}

/** Name of the pages of a find. Another request has another name, so that no cursor fits both. */
function listOf({ id }: Pick<Memory, 'id'>, request: FindRequest): string {
  const { query, mode, filter = null, minScore = 0, collapseDuplicates = true } = request
  const asked = JSON.stringify([query, mode, filter, minScore, collapseDuplicates])
  return `find ${id} ${hash('sha256', asked).slice(0, CURSOR_HASH_CHARACTERS)}`
}

const CURSOR_HASH_CHARACTERS = 16

function readOffset(list: string, { cursor }: Pick<FindRequest, 'cursor'>): number {
  return cursor === undefined ? 0 : Number(decodeCursor(list, cursor, /^\d{1,6}$/))
}

/** Copies may take nearly all candidates of a retriever; then more candidates are retrieved. */
const DEEPER_FACTOR = 4
/** Reading so many copies takes about a tenth of a second. */
const MAX_CANDIDATES_PER_RETRIEVER = 16 * CANDIDATES_PER_RETRIEVER

/** Number of matches of a retriever. */
function countOf(matches: readonly Match[], retriever: 'lexical' | 'vector'): number {
  return matches.filter((match) => match[retriever] !== null).length
}

/** True if a retriever has further matches, and returned mostly copies. */
function hideOthers(
  { matches, copies }: { matches: readonly Match[]; copies: { lexical: number; vector: number } },
  limit: number,
): boolean {
  return (['lexical', 'vector'] as const).some((retriever) => {
    const count = countOf(matches, retriever)
    return count >= limit && count - copies[retriever] < HITS.max
  })
}

/** Warning of a filter that no document meets. */
function warnOfFilter(filter: FindRequest['filter']): Warning {
  const param = 'options.filter'
  const rest = 'Omit the filter to search the whole memory.'
  if (filter?.documentIds?.every((id) => !isId('doc', id))) {
    const message = `${param}.documentIds contains no valid document ID. ${rest}`
    return { code: 'filter_names_no_document', message, param: `${param}.documentIds` }
  }
  return { code: 'filter_matches_no_document', message: `No document of the memory meets ${param}. ${rest}`, param }
}

/** Yields to the event loop before each step and throws once the request is aborted. */
function yieldUnlessAborted(
  yieldToEventLoop: () => Promise<void>,
  signal: AbortSignal | undefined,
): () => Promise<void> {
  return async () => {
    await yieldToEventLoop()
    signal?.throwIfAborted()
  }
}

function toShortAnswer({ query, hits, totalHits, totalHitsRelation, tookMs }: FindAnswer): SearchAnswer {
  return { query, hits: hits.map(toShortHit), totalHits, totalHitsRelation, tookMs }
}

function toShortHit({ rank, score, kind, documentId, chunkId, title, text, snippet, page }: HitResource) {
  return { rank, score, kind, documentId, chunkId, title, text, snippet, page }
}

function withoutExplanation({ explanation: _, ...hit }: HitResource): HitResource {
  return hit
}
