import { requireMemory } from '../store/memories.ts'
import { buildHits } from './search/build-hits.ts'
import { createTitleTerms } from './search/rank-documents.ts'
import { type SearchParts, searchMemory } from './search/search-memory.ts'
import type { SearchService } from './services.ts'

/** Finds passages: both legs, fused and ranked, corrections first. */
export function createSearchService(given: SearchParts): SearchService {
  const parts = { ...given, titleTerms: createTitleTerms(given.analyzer) }
  const find: SearchService['find'] = async (caller, memoryId, request) => {
    const started = performance.now()
    const memory = await requireMemory(parts.db, caller, memoryId)
    const { question, corrections, documents, total } = await searchMemory(parts, memory, request)
    const { highlight, limit } = request
    return {
      query: request.query,
      mode: question.mode,
      totalHits: corrections.length + total,
      tookMs: Math.round(performance.now() - started),
      hits: buildHits(parts.analyzer, { question, highlight, limit }, { corrections, documents }),
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
    async rank(caller, memoryId, { query, mode }) {
      const memory = await requireMemory(parts.db, caller, memoryId)
      const request = { query, mode, filter: { tags: [], documentIds: [], metadata: {} } }
      const { question, corrections, documents } = await searchMemory(parts, memory, request)
      const idsOf = (found: readonly { candidate: { document: { id: string } } }[]) => [
        ...new Set(found.map(({ candidate }) => candidate.document.id)),
      ]
      return { corrections: idsOf(corrections), documents: idsOf(documents), warnings: question.warnings }
    },
  }
}
