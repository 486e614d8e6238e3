import type { Kysely } from 'kysely'
import type { CorrectionResource, LastOutranked } from '../../api/correction.ts'
import type { StoredOutranked } from '../../database/documents/outranked.ts'
import { findLiveDocuments } from '../../database/documents/search.ts'
import type { Document, Tables } from '../../database/schema.ts'
import { chunkId } from '../../ids.ts'

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
