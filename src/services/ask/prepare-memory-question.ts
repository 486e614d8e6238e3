import type { Kysely } from 'kysely'
import type { AskAnswer, AskSource } from '../../api/ask.ts'
import type { HitResource } from '../../api/search.ts'
import type { Tables } from '../../database/schema.ts'
import { takeFitting } from '../answer-room.ts'
import { getOwnTitle } from '../documents/get-own-title.ts'
import { locatePages, type PageLocator } from '../search/locate-pages.ts'
import type { SearchedMemory, SearchService } from '../search/search.ts'
import type { Source, WrittenCitation } from './answer-writer.ts'
import type { AskRequest } from './ask.ts'
import { describeAnswer, startClock } from './describe-answer.ts'
import type { PreparedQuestion } from './prepared-question.ts'

const NO_FILTER = { tags: [], documentIds: null, metadata: {} } as const

/** Who asks which memory what. */
export type MemoryQuestion = { searched: SearchedMemory; request: AskRequest; signal: AbortSignal }

/** Retrieves for a question of a memory. Rejects with the signal's reason. */
export async function prepareMemoryQuestion(
  { db, search }: { db: Kysely<Tables>; search: Pick<SearchService, 'find'> },
  { searched, request, signal }: MemoryQuestion,
): Promise<PreparedQuestion<AskAnswer>> {
  const clock = startClock()
  const { question, model, maxContextChunks: limit } = request
  const find = { query: question, mode: 'hybrid', limit, highlight: false, filter: NO_FILTER, signal } as const
  const { hits, warnings } = await search.find(searched, find)
  const pageOf = await locatePages(db, searched.memory.id, hits)
  clock.retrieved()
  const cite = (citation: WrittenCitation) => citeHit(citation, hits, pageOf)
  return {
    request: { question, languages: searched.languages, sources: hits.map(toSource), signal },
    cite,
    describe: (written) => ({
      ...describeAnswer({ question, model, retrieved: hits.length, clock }, written),
      // A model may cite with every third character that it writes.
      citations: takeFitting(written.citations.flatMap(cite)),
      sources: request.includeSources ? hits.map(describeSource) : [],
      warnings: [...warnings, ...written.warnings],
    }),
  }
}

function toSource(hit: HitResource): Source {
  const { kind, text, correction, documentId: document, startOffset, section, header, score, scores } = hit
  return {
    kind,
    text,
    correctedOn: correction?.createdAt.slice(0, 10) ?? null,
    document,
    startOffset,
    title: getOwnTitle(hit),
    section,
    header,
    score,
    semantic: scores.semantic,
  }
}

function citeHit(
  { index, start, end, answerStart, answerEnd }: WrittenCitation,
  hits: readonly HitResource[],
  pageOf: PageLocator,
) {
  const hit = hits[index - 1]
  if (hit === undefined) return []
  const { documentId, chunkId, title, correction, startOffset } = hit
  const place = { startOffset: startOffset + start, endOffset: startOffset + end, answerStart, answerEnd }
  return [{ index, documentId, chunkId, title, page: pageOf(hit, start), correction, ...place }]
}

function describeSource(hit: HitResource, place: number): AskSource {
  const { documentId, chunkId, title, filename, page, snippet, text, startOffset, endOffset, score, kind } = hit
  const passage = { snippet, text, startOffset, endOffset, score, kind, correction: hit.correction }
  return { index: place + 1, documentId, chunkId, title, filename, page, ...passage }
}
