import type { Kysely } from 'kysely'
import type { HitResource } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import { createEventLoopYielder, runCooperatively } from '../../concurrency/event-loop-yield.ts'
import type { PriorityGate } from '../../concurrency/priority-gate.ts'
import { listTitles } from '../../database/memories/live-documents.ts'
import { fileOf, listLanguages, requireMemory } from '../../database/memories/memories-table.ts'
import type { Memory, Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { ApiError } from '../../errors.ts'
import { HITS, LISTED_BYTES } from '../../limits.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Embedders } from '../../models/embedders.ts'
import type { Reranker } from '../../models/reranker.ts'
import type { Log } from '../../observability/log.ts'
import type { Caller } from '../caller.ts'
import { type MemoryFiles, requireFile } from '../memory-files.ts'
import { buildHits } from './build-hits.ts'
import { explainDocument } from './explain-document.ts'
import { findCorrections, type MatchingCorrection } from './find-corrections.ts'
import { embedQuery, lexicalOnly, modeOf, type Question, toRetrievers, withWarning } from './question.ts'
import { MAX_READ, type RankedCandidate, rankDocuments, rerankDocuments } from './rank-documents.ts'
import {
  CANDIDATES,
  chunkFilterOf,
  type Match,
  type RetrievalDeps,
  type RetrievalRequest,
  searchUntilWhole,
} from './retrieve.ts'
import type { FindRequest, SearchedMemory, SearchService } from './search.ts'
import { createTitleStocks, createTitleTerms, type TitleStocks, type TitleTerms } from './title-terms.ts'

/** Searches that are ready together rank one behind the other in so much of a turn of the event loop, some 5 ms each. */
const SLICE_MS = 8

/** What a memory is searched with. */
export type SearchDeps = {
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
  /** Is told what corrections stand before. */
  outranking?: { note(found: Pick<SearchResult, 'corrections' | 'documents'>): void }
  /** Every way to search goes before the background work of this process; none waits where it is absent. */
  priorityGate?: Pick<PriorityGate, 'foreground'>
}

/** `explain` true: says what each score is made of; `withoutCorrections` true: looks for none. */
type OwnDeps = SearchDeps & {
  titleTerms: TitleTerms
  titleStock: TitleStocks
  shareLoop: () => Promise<void>
  explain?: boolean
  withoutCorrections?: boolean
}

type SearchRequest = Pick<FindRequest, 'query' | 'mode' | 'filter' | 'signal'>

/** What was found in a memory, each list best first. */
export type SearchResult = {
  /** With all warnings of the search. */
  question: Question
  /** That of the memory; `null` where nothing was compared by meaning. */
  embedder: Embedder | null
  corrections: readonly MatchingCorrection[]
  documents: readonly RankedCandidate[]
  /** All passages that were found, of which `documents` are the best that show. */
  matches: readonly Match[]
  /** What a further search of the same documents needs; `null` where nothing could match. */
  context: SearchContext | null
}

/** What a further search of the same documents needs. */
export type SearchContext = RetrievalDeps & Pick<RetrievalRequest, 'memoryId' | 'filter'>

const NO_FILTER = { tags: [], documentIds: null, metadata: {} } as const

/** Finds passages: both retrievers, fused and ranked, corrections first. */
export function createSearchService(given: SearchDeps): SearchService {
  const titleTerms = createTitleTerms(given.analyzer)
  const shareLoop = createEventLoopYielder(SLICE_MS)
  const titleStock = createTitleStocks({ list: (...page) => listTitles(given.db, ...page), titleTerms, shareLoop })
  const parts = { ...given, titleTerms, titleStock, shareLoop }
  const foreground: PriorityGate['foreground'] = given.priorityGate?.foreground ?? ((work) => work())

  const findNow: SearchService['find'] = async (searched, request) => {
    const started = performance.now()
    const { memory } = searched
    const { highlight, limit, explain = false, explainDocumentId: missed = null, withoutCorrections = false } = request
    const isExplained = explain || missed !== null
    const shareLoop = whileAwaited(parts.shareLoop, request.signal)
    const found = await searchMemory(
      { ...parts, shareLoop, explain: isExplained, withoutCorrections },
      searched,
      request,
    )
    const { question, corrections, documents } = found
    parts.outranking?.note(found)
    const windowCharacters = found.embedder?.windowCharacters ?? null
    const shown = { question, highlight, limit, explaining: isExplained ? { windowCharacters } : null }
    const totalHits = corrections.length + documents.length
    const hits = await runCooperatively(buildHits(parts.analyzer, shown, { corrections, documents }), shareLoop)
    const search = { memory, request, found, hits, windowCharacters }
    const explained = missed === null ? {} : { explainedDocument: await explainDocument(parts, search, missed) }
    return {
      query: request.query,
      mode: question.mode,
      totalHits,
      tookMs: Math.round(performance.now() - started),
      hits: isExplained && !explain ? hits.map(withoutExplanation) : hits,
      warnings: [...question.warnings, ...warnOfRest(hits.length, Math.min(limit, totalHits))],
      ...explained,
    }
  }

  const find: SearchService['find'] = (...asked) => foreground(() => findNow(...asked))

  return {
    open: (caller, memoryId) => openMemory(given.db, caller, memoryId),
    find,
    async search(searched, { query, limit, signal }) {
      const request = { query, limit, mode: 'auto', highlight: true, filter: NO_FILTER, signal } as const
      const answer = await find(searched, request)
      const hits = answer.hits.map(({ rank, score, documentId, chunkId, title, text, snippet, page }) => {
        return { rank, score, documentId, chunkId, title, text, snippet, page }
      })
      return { query, hits, totalHits: answer.totalHits, tookMs: answer.tookMs }
    },
    async rank(searched, { query, mode, signal }) {
      const request = { query, mode, filter: NO_FILTER, signal }
      const shareLoop = whileAwaited(parts.shareLoop, signal)
      const { question, corrections, documents } = await foreground(() =>
        searchMemory({ ...parts, shareLoop }, searched, request),
      )
      const idsOf = (found: readonly { candidate: { document: { id: string } } }[]) => [
        ...new Set(found.map(({ candidate }) => candidate.document.id)),
      ]
      return { corrections: idsOf(corrections), documents: idsOf(documents), warnings: question.warnings }
    },
  }
}

/** What a request searches; throws `memory_not_found`. */
export async function openMemory(db: Kysely<Tables>, caller: Caller, memoryId: string): Promise<SearchedMemory> {
  const memory = await requireMemory(db, caller, memoryId)
  const [first = DEFAULT_LANGUAGE, ...others] = await listLanguages(db, memoryId)
  return { memory, languages: [first, ...others] }
}

/**
 * Searches a memory: both retrievers, fused and ranked, corrections apart, the first places read again where a model does.
 * When `auto` chose lexical and found nothing, it searches again as hybrid. Rejects with the reason of the request's
 * signal, and reads nothing more once it has fired.
 */
async function searchMemory(deps: OwnDeps, searched: SearchedMemory, request: SearchRequest): Promise<SearchResult> {
  request.signal?.throwIfAborted()
  let found = await findPassages(deps, searched, request)
  const isMissed = found.corrections.length + found.documents.length === 0
  const isChosen = request.mode === 'auto' && modeOf(request) === 'lexical'
  const asked: SearchRequest = isMissed && isChosen ? { ...request, mode: 'hybrid' } : request
  if (asked !== request) found = await findPassages(deps, searched, asked)
  if (found.matches.length + found.corrections.length === 0) await requireFile(deps, searched.memory)
  const { reranker, log } = deps
  const { question } = found
  // Who asks for words has them in the order of the words.
  const isByWords = modeOf(request) === 'lexical' && question.mode === 'lexical'
  if (reranker === undefined || isByWords) return found
  const { documents, warnings } = await rerankDocuments({ reranker, log }, request, found.documents)
  return { ...found, documents, question: { ...question, warnings: [...question.warnings, ...warnings] } }
}

/** Finds in one mode; lexically where the memory's vectors turn out to be of another model than its name says. */
async function findPassages(
  deps: OwnDeps,
  { memory, languages }: SearchedMemory,
  request: SearchRequest,
): Promise<SearchResult> {
  const { signal } = request
  let asked = await embedQuery(deps, memory, { request, languages })
  const filter = chunkFilterOf(request.filter)
  // A memory that is not pinned holds nothing that shows; an add that failed may have left vectors of any model.
  if (filter === null || memory.embedding_model === null) {
    const question = filter === null ? withWarning(asked.question, NAMES_NO_DOCUMENT) : asked.question
    return { ...asked, question, corrections: [], documents: [], matches: [], context: null }
  }
  for (;;) {
    signal?.throwIfAborted()
    // The file that goes with the vectors of the memory's embedder, whatever its row names by now.
    const file = { memoryFile: deps.memoryFile.byName, file: fileOf(memory) }
    const search = { ...deps, ...file, signal, memory, filter, memoryId: memory.id, ...asked }
    try {
      const [corrections, found] = await Promise.all([searchCorrections(search), searchDocuments(search)])
      return { ...asked, corrections, ...found, context: search }
    } catch (err) {
      if (!(err instanceof ApiError) || err.code !== 'embedding_model_pinned' || asked.embedder === null) throw err
      deps.log.warn({ err, memoryId: memory.id }, 'a memory can be searched by words alone')
      const why = `The embedding model ${memory.embedding_model} is not the one that the memory was made with`
      asked = lexicalOnly(asked.question, why)
    }
  }
}

type OneSearch = Omit<OwnDeps, 'memoryFile'> &
  SearchContext & { memory: Memory; question: Question; embedder: Embedder | null }

function searchCorrections(search: OneSearch): Promise<MatchingCorrection[]> | MatchingCorrection[] {
  const { memory, question, memoryId, filter, withoutCorrections = false } = search
  return memory.correction_count > 0 && !withoutCorrections
    ? findCorrections(search, question, { memoryId, filter })
    : []
}

function searchDocuments(search: OneSearch): Promise<Pick<SearchResult, 'documents' | 'matches'>> {
  const { memory, question, titleStock, step } = search
  // A filter that excludes nothing only costs time.
  const filter = memory.correction_count > 0 ? { ...search.filter, kind: 'document' as const } : search.filter
  const limit = Math.max(CANDIDATES, HITS.max)
  // Counted while the retrievers look: the ranking asks for it where it does not read all that they find. Its failure is the ranking's to tell.
  if (memory.chunk_count > MAX_READ) titleStock(memory).catch(() => undefined)
  const retrieval = { ...toRetrievers(question), memoryId: memory.id, filter, limit }
  return searchUntilWhole(search, retrieval, async (matches) => {
    const rank = () => rankDocuments(search, question, { memory, matches })
    const ranking = await (step?.('ranking', rank) ?? rank())
    return { ...ranking, matches }
  })
}

const NAMES_NO_DOCUMENT: Warning = {
  code: 'filter_names_no_document',
  message:
    'No identifier in options.filter.documentIds can be one of a document. Leave it out to search the whole memory.',
  param: 'options.filter.documentIds',
}

/** Each turn of the event loop is asked for before a step. */
function whileAwaited(shareLoop: () => Promise<void>, signal: AbortSignal | undefined): () => Promise<void> {
  return async () => {
    await shareLoop()
    signal?.throwIfAborted()
  }
}

function warnOfRest(shown: number, wanted: number): Warning[] {
  if (shown >= wanted) return []
  const message = `Of ${wanted} hits the first ${shown} are shown: more would make the answer larger than ${LISTED_BYTES / 2 ** 20} MB. Ask for documents with less metadata by options.filter, or leave options.explain out.`
  return [{ code: 'hits_left_out', message, param: null }]
}

function withoutExplanation({ explanation: _, ...hit }: HitResource): HitResource {
  return hit
}
