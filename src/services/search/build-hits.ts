import type { Metadata } from '../../api/fields.ts'
import type { HitResource } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import type { CooperativeTask } from '../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { makeSnippet } from '../../engine/snippet.ts'
import { chunkId } from '../../ids.ts'
import { LISTED_BYTES } from '../../limits.ts'
import { createAnswerRoom } from '../paging.ts'
import { createExplainContext, type ExplainContext, explainCorrection, explainHit } from './explain-hit.ts'
import type { MatchingCorrection } from './find-corrections.ts'
import type { Question } from './question.ts'
import type { Candidate } from './retrieve.ts'
import { roundScore } from './score-format.ts'
import type { SelectedDocument } from './select-hits.ts'

/** Options for the hits of an answer; `explaining` adds explanations. */
export type HitOptions = {
  question: Question
  highlight: boolean
  limit: number
  /** Number of hits to leave out at the start. */
  offset?: number
  explaining?: Pick<ExplainContext, 'windowCharacters'> | null
}

/**
 * Builds the hits of an answer: corrections first, then documents, with scores between 0 and 1 in
 * descending order. Stops early when the answer would get too large (`paging.ts`). Yields before
 * each hit: a hundred long hits with explanations take a second.
 */
export function* buildHits(
  analyzer: Analyzer,
  { question, highlight, limit, offset = 0, explaining = null }: HitOptions,
  { corrections, documents }: { corrections: readonly MatchingCorrection[]; documents: readonly SelectedDocument[] },
): CooperativeTask<HitResource[]> {
  const best = documents[0]?.score ?? 0
  const count = corrections.length
  const parts = explaining === null ? null : createExplainContext({ ...explaining, analyzer, question })
  const first = corrections.map((correction, index) => {
    const { candidate, cosine, boost } = correction
    // Spread the scores between the best document and 1.
    const score = best + (1 - best) * ((count - index) / count)
    const scores = { lexical: candidate.lexical, semantic: cosine, fused: null, rerank: null, boost }
    const explain = (how: ExplainContext) =>
      explainCorrection(how, correction, { score, best, place: index + 1, count })
    return { candidate, kind: 'correction' as const, score, scores, duplicates: 0, explain }
  })
  const others = documents.map((ranked) => {
    const { candidate, score, scores, duplicates } = ranked
    const explain = (how: ExplainContext) => explainHit(how, ranked)
    return { candidate, kind: 'document' as const, score, scores: { ...scores, boost: 1 }, duplicates, explain }
  })
  const terms = [...question.terms, ...question.forms]
  const hits: HitResource[] = []
  const room = createAnswerRoom()
  for (const [index, hit] of [...first, ...others].slice(offset, offset + limit).entries()) {
    yield
    const { chunk, document } = hit.candidate
    // A memory may have many languages, but a passage was indexed in one.
    const languages = [document.language ?? DEFAULT_LANGUAGE]
    const snippet = makeSnippet(analyzer, { text: chunk.text, terms, languages, highlight })
    const explanation = parts === null ? {} : { explanation: hit.explain(parts) }
    const { created_at: createdAt, expires_at: expiresAt } = document
    const correction = hit.kind === 'correction' ? { createdAt, expiresAt } : null
    const shown: HitResource = {
      rank: offset + index + 1,
      ...roundScores(hit),
      kind: hit.kind,
      correction,
      duplicates: hit.duplicates,
      ...describeCandidate(hit.candidate),
      snippet,
      ...explanation,
    }
    if (!room.fits(shown)) break
    hits.push(shown)
  }
  return hits
}

function roundScores({ score, scores }: Pick<HitResource, 'score' | 'scores'>): Pick<HitResource, 'score' | 'scores'> {
  const { lexical, semantic, fused, rerank, boost } = scores
  const parts = {
    lexical: roundScore(lexical),
    semantic: roundScore(semantic),
    fused: roundScore(fused),
    rerank: roundScore(rerank),
    boost,
  }
  return { score: roundScore(score), scores: parts }
}

function describeCandidate({ chunk, document }: Candidate) {
  return {
    documentId: document.id,
    chunkId: chunkId(document.id, chunk.chunkIndex),
    chunkIndex: chunk.chunkIndex,
    title: document.title,
    filename: document.filename,
    url: document.url,
    text: chunk.text,
    page: chunk.page,
    pageEnd: chunk.pageEnd,
    section: chunk.section,
    header: chunk.header,
    startOffset: chunk.startOffset,
    endOffset: chunk.endOffset,
    tags: JSON.parse(document.tags) as string[],
    metadata: JSON.parse(document.metadata) as Metadata,
    createdAt: document.created_at,
  }
}

/** Warns if fewer hits are shown than wanted, because they are too long. */
export function warnOfOmittedHits(shown: number, wanted: number): Warning[] {
  if (shown >= wanted) return []
  const limit = `${LISTED_BYTES / 2 ** 20} MB`
  const message =
    `Only the first ${shown} of ${wanted} hits are returned: the response is limited to ${limit}. ` +
    'Filter for documents with less metadata, or omit options.explain.'
  return [{ code: 'hits_left_out', message, param: null }]
}
