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
import { withoutCopies } from './outranking-notes.ts'

/** Hits looked at for those that are near enough. */
const HITS_READ = 10
const NO_FILTER = { tags: [], documentIds: null, metadata: {} } as const
/**
 * What a passage needs to have something to do with a statement: half of its meaningful words, or one of them and some nearness, or as much nearness as a
 * correction needs that shares no word with a question. Looked at with 20 corrections of 65 files in several languages: of 84 passages with a word in common, most of
 * them about something else, 29 stay, and none was lost that a correction was made for but one of a table of two columns.
 */
const LEAST = { words: 0.5, nearnessWithWords: 0.4, nearnessAlone: 0.6 } as const

/** What is needed to look for them. */
export type OutrankingDeps = { search?: Pick<SearchService, 'find'>; log: Pick<Log, 'warn'> }

/**
 * The passages that a correction stands before, or contradicts: those nearest to its statement by words and by meaning that have something to do with it, at
 * most five, copies of one passage once. `null` without a search, and where it
 * fails, which is no reason to refuse a correction.
 */
export async function listOutranked(
  { search, log }: OutrankingDeps,
  { searched, statement }: { searched: SearchedMemory; statement: string },
): Promise<OutrankedPassage[] | null> {
  if (search === undefined) return null
  const request = { query: statement, mode: 'hybrid', limit: HITS_READ, highlight: false, filter: NO_FILTER } as const
  try {
    const { hits } = await search.find(searched, { ...request, withoutCorrections: true, explain: true })
    return withoutCopies(hits.filter(isAboutTheSame), ({ text }) => text)
      .slice(0, CORRECTION_FIELDS.outranked)
      .map(({ documentId, chunkId, title, page, snippet, score, scores: { lexical, semantic } }) => {
        return { documentId, chunkId, title, page, snippet, score, scores: { lexical, semantic } }
      })
  } catch (err) {
    log.warn({ err, memoryId: searched.memory.id }, 'what a correction outranks could not be looked for')
    return null
  }
}

function isAboutTheSame({ scores, explanation }: HitResource): boolean {
  const nearness = scores.semantic ?? 0
  const terms = explanation?.terms ?? []
  const asked = new Set(terms.flatMap((term) => term.asked))
  const standing = new Set(terms.flatMap((term) => (term.count > 0 ? term.asked : [])))
  const words = standing.size / Math.max(1, asked.size)
  return words >= LEAST.words || nearness >= (words > 0 ? LEAST.nearnessWithWords : LEAST.nearnessAlone)
}

/** What a correction's row says of what it last stood before, without titles; `null` where it never stood before anything. */
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

/** The same corrections, with the titles of what they last stood before; passages of documents that are gone are left out. */
export async function nameLastOutranked(
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
