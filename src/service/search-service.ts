import type { Kysely } from 'kysely'
import type { Analyzer } from '../engine/analysis/analyzer.ts'
import { HITS } from '../limits.ts'
import type { MemoryFile } from '../memory-file/memory-file.ts'
import type { Embedder } from '../providers/embedder.ts'
import { listLanguages } from '../store/languages.ts'
import { requireMemory } from '../store/memories.ts'
import type { Memory, Tables } from '../store/schema.ts'
import { buildHits } from './search/build-hits.ts'
import { findCorrections } from './search/find-corrections.ts'
import { type Question, readQuestion } from './search/question.ts'
import { createTitleTerms, type RankedCandidate, rankDocuments, type TitleTerms } from './search/rank-documents.ts'
import { CANDIDATES, chunkFilterOf, retrieve } from './search/retrieve.ts'
import type { FindRequest, SearchService } from './services.ts'

/** What the service of search is made of. */
export type SearchParts = {
  db: Kysely<Tables>
  memoryFile: MemoryFile
  embedder: Embedder
  analyzer: Analyzer
  /** False: the fused score ranks alone, without what needs no model (titles, four-grams, neighbours, phrases). */
  rerank: boolean
}

/** Finds passages: both legs, fused and ranked, corrections first. */
export function createSearchService(given: SearchParts): SearchService {
  const parts = { ...given, titleTerms: createTitleTerms(given.analyzer) }
  const find: SearchService['find'] = async (caller, memoryId, request) => {
    const started = performance.now()
    const memory = await requireMemory(parts.db, caller, memoryId)
    const languages = await listLanguages(parts.db, memoryId)
    const question = await readQuestion(parts, request, languages.length > 0 ? languages : ['en'])
    const found = await findAll(parts, memory, question, request.filter)
    const { highlight, limit } = request
    return {
      query: request.query,
      mode: question.mode,
      totalHits: found.corrections.length + found.documents.length,
      tookMs: Math.round(performance.now() - started),
      hits: buildHits(parts.analyzer, { question, highlight, limit }, found),
      warnings: question.warnings,
    }
  }

  return {
    find,
    async search(caller, memoryId, { query, limit }) {
      const filter = { tags: [], documentIds: [], metadata: {} }
      const answer = await find(caller, memoryId, { query, limit, mode: 'auto', highlight: true, filter })
      const hits = answer.hits.map(({ rank, score, documentId, chunkId, title, text, snippet, page }) => {
        return { rank, score, documentId, chunkId, title, text, snippet, page }
      })
      return { query, hits, totalHits: answer.totalHits, tookMs: answer.tookMs }
    },
  }
}

type Parts = SearchParts & { titleTerms: TitleTerms }

async function findAll(parts: Parts, memory: Memory, question: Question, wanted: FindRequest['filter']) {
  const filter = chunkFilterOf(wanted)
  if (filter === null) return { corrections: [], documents: [] }
  const hasCorrections = memory.correction_count > 0
  const [corrections, documents] = await Promise.all([
    hasCorrections ? findCorrections(parts, question, { memoryId: memory.id, filter }) : [],
    findDocuments(parts, question, {
      memoryId: memory.id,
      // A filter that excludes nothing only costs time.
      filter: hasCorrections ? { ...filter, kind: 'document' } : filter,
    }),
  ])
  return { corrections, documents }
}

async function findDocuments(
  parts: Parts,
  question: Question,
  { memoryId, filter }: { memoryId: string; filter: NonNullable<ReturnType<typeof chunkFilterOf>> },
): Promise<RankedCandidate[]> {
  const terms = question.mode === 'semantic' ? null : question.terms
  const limit = Math.max(CANDIDATES, HITS.max)
  const candidates = await retrieve(parts, { memoryId, terms, vector: question.vector, filter, limit })
  return rankDocuments(parts, question, candidates, parts.rerank)
}
