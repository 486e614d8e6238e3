import type { Kysely } from 'kysely'
import type { CorrectionResource, LastOutranked, OutrankedPassage } from '../../api/correction.ts'
import type { HitResource } from '../../api/search.ts'
import type { StoredOutranked } from '../../database/memories/corrections-table.ts'
import { findLiveDocuments } from '../../database/memories/live-documents.ts'
import type { Document, Tables } from '../../database/schema.ts'
import { chunkId } from '../../ids.ts'
import { CORRECTION_FIELDS } from '../../limits.ts'
import type { Log } from '../../observability/log.ts'
import type { SearchedMemory, SearchService } from '../search/search.ts'
import { dedupeBy } from './outranking-recorder.ts'

/** Hits to examine for related passages. */
const MAX_EXAMINED_HITS = 10
/**
 * Thresholds for a passage related to a statement. Either half of the content words; or a shared
 * word and some similarity; or the similarity required of a correction without shared words. Tested
 * with 20 corrections on 65 files in several languages: of 84 passages with a shared word, mostly
 * unrelated, 29 remain. Only one intended passage was lost, from a two-column table.
 */
const THRESHOLDS = { words: 0.5, nearnessWithWords: 0.4, nearnessAlone: 0.6 } as const

/** Dependencies of {@link listOutranked}. */
export type OutrankingDeps = { search?: Pick<SearchService, 'find'>; log: Pick<Log, 'warn'> }

/**
 * Lists up to five passages that a correction outranks or contradicts: the most similar ones to its
 * statement, without duplicates. Returns `null` without a search or if the search fails, because a
 * failed search must not reject the correction.
 */
export async function listOutranked(
  { search, log }: OutrankingDeps,
  { searched, statement }: { searched: SearchedMemory; statement: string },
): Promise<OutrankedPassage[] | null> {
  if (search === undefined) return null
  const request = {
    query: statement,
    mode: 'hybrid',
    limit: MAX_EXAMINED_HITS,
    highlight: false,
  } as const
  try {
    const { hits } = await search.find(searched, { ...request, withoutCorrections: true, explain: true })
    return dedupeBy(hits.filter(isRelated), ({ text }) => text)
      .slice(0, CORRECTION_FIELDS.outranked)
      .map(({ documentId, chunkId, title, page, snippet, score, scores: { lexical, semantic } }) => {
        return { documentId, chunkId, title, page, snippet, score, scores: { lexical, semantic } }
      })
  } catch (err) {
    log.warn({ err, memoryId: searched.memory.id }, 'the search for outranked passages failed')
    return null
  }
}

function isRelated({ scores, explanation }: HitResource): boolean {
  const nearness = scores.semantic ?? 0
  const terms = explanation?.terms ?? []
  const asked = new Set(terms.flatMap((term) => term.asked))
  const standing = new Set(terms.flatMap((term) => (term.count > 0 ? term.asked : [])))
  const words = standing.size / Math.max(1, asked.size)
  return words >= THRESHOLDS.words || nearness >= (words > 0 ? THRESHOLDS.nearnessWithWords : THRESHOLDS.nearnessAlone)
}

/** Reads the last outranked passages from the row, without titles; `null` if there are none. */
export function readLastOutranked({
  outranked,
  outranked_at: at,
}: Pick<Document, 'outranked' | 'outranked_at'>): LastOutranked | null {
  if (outranked === null || at === null) return null
  const stored = JSON.parse(outranked) as StoredOutranked[]
  const passages = stored.map(({ documentId, chunkIndex, lexical, semantic, ...place }) => {
    return { documentId, chunkId: chunkId(documentId, chunkIndex), title: '', ...place, scores: { lexical, semantic } }
  })
  return { at, passages }
}

/** Adds titles to the last outranked passages and drops passages of deleted documents. */
export async function addOutrankedTitles(
  db: Kysely<Tables>,
  memoryId: string,
  corrections: readonly CorrectionResource[],
): Promise<CorrectionResource[]> {
  const ids = corrections.flatMap(
    ({ lastOutranked }) => lastOutranked?.passages.map(({ documentId }) => documentId) ?? [],
  )
  const documents = await findLiveDocuments(db, memoryId, [...new Set(ids)])
  return corrections.map((correction) => {
    const { lastOutranked } = correction
    if (lastOutranked === null) return correction
    const passages = lastOutranked.passages.flatMap((passage) => {
      const title = documents.get(passage.documentId)?.title
      return title === undefined ? [] : [{ ...passage, title }]
    })
    return { ...correction, lastOutranked: { ...lastOutranked, passages } }
  })
}
