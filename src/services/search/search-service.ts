import type { Kysely } from 'kysely'
import type { HitResource } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import { inTurns } from '../../concurrency/in-turns.ts'
import { createLoopShare } from '../../concurrency/loop-share.ts'
import { listLanguages, requireMemory } from '../../database/memories/memories-table.ts'
import { listTitles } from '../../database/memories/search-table-rows.ts'
import type { Tables } from '../../database/schema.ts'
import { DEFAULT_LANGUAGE } from '../../engine/analysis/languages.ts'
import { LISTED_BYTES } from '../../limits.ts'
import type { Caller } from '../caller.ts'
import type { RightOfWay } from '../scheduling/right-of-way.ts'
import { buildHits } from './build-hits.ts'
import { createTitleStocks } from './create-title-stocks.ts'
import { createTitleTerms } from './create-title-terms.ts'
import { explainDocument } from './explain-document.ts'
import type { SearchedMemory, SearchService } from './search.ts'
import { type Found, type SearchParts, searchMemory } from './search-memory.ts'

/** Searches that are ready together rank one behind the other in so much of a turn of the event loop, some 5 ms each. */
const SLICE_MS = 8

type SearchServiceDeps = SearchParts & {
  /** Is told what corrections stand before. */
  outranking?: { note(found: Pick<Found, 'corrections' | 'documents'>): void }
  /** Every way to search goes before the background work of this process; none waits where it is absent. */
  rightOfWay?: Pick<RightOfWay, 'goFirst'>
}

/** Finds passages: both legs, fused and ranked, corrections first. */
export function createSearchService(given: SearchServiceDeps): SearchService {
  const titleTerms = createTitleTerms(given.analyzer)
  const shareLoop = createLoopShare(SLICE_MS)
  const titleStock = createTitleStocks({ list: (...page) => listTitles(given.db, ...page), titleTerms, shareLoop })
  const parts = { ...given, titleTerms, titleStock, shareLoop }
  const goFirst: RightOfWay['goFirst'] = given.rightOfWay?.goFirst ?? ((work) => work())

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
    const hits = await inTurns(buildHits(parts.analyzer, shown, { corrections, documents }), shareLoop)
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

  const find: SearchService['find'] = (...asked) => goFirst(() => findNow(...asked))

  return {
    open: (caller, memoryId) => openMemory(given.db, caller, memoryId),
    find,
    async search(searched, { query, limit, signal }) {
      const filter = { tags: [], documentIds: null, metadata: {} }
      const answer = await find(searched, { query, limit, mode: 'auto', highlight: true, filter, signal })
      const hits = answer.hits.map(({ rank, score, documentId, chunkId, title, text, snippet, page }) => {
        return { rank, score, documentId, chunkId, title, text, snippet, page }
      })
      return { query, hits, totalHits: answer.totalHits, tookMs: answer.tookMs }
    },
    async rank(searched, { query, mode, signal }) {
      const request = { query, mode, filter: { tags: [], documentIds: null, metadata: {} }, signal }
      const shareLoop = whileAwaited(parts.shareLoop, signal)
      const { question, corrections, documents } = await goFirst(() =>
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
