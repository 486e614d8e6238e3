import type { Kysely } from 'kysely'
import type { HitResource } from '../../api/search.ts'
import { listPageLengths, type PageLengths } from '../../database/memories/pages-table.ts'
import type { Tables } from '../../database/schema.ts'

/** Page number of position `start` in the text of a hit; the hit's first page when unknown. */
export type PageLocator = (hit: HitResource, start: number) => number | null

/** Loads the page lengths to locate passages within the hits of memories. */
export async function locatePages(
  db: Kysely<Tables>,
  memoryIds: readonly string[],
  hits: readonly HitResource[],
): Promise<PageLocator> {
  const documentIds = listDocumentsToLocate(hits)
  const read = await Promise.all(memoryIds.map((memoryId) => listPageLengths(db, memoryId, documentIds)))
  const lengths = new Map(read.flatMap((one) => [...one]))
  return ({ documentId, page, startOffset }, start) => {
    const pages = lengths.get(documentId)
    return (pages === undefined ? null : findPage(pages, startOffset + start)) ?? page
  }
}

/** Only chunks that span several pages need page lengths. */
function listDocumentsToLocate(hits: readonly HitResource[]): string[] {
  return [...new Set(hits.flatMap(({ documentId, page, pageEnd }) => (page === pageEnd ? [] : [documentId])))]
}

/**
 * Page number of an offset in a document's text; `null` if the page lengths do not add up to the
 * text.
 */
export function findPage({ pages, characterCount }: PageLengths, offset: number): number | null {
  const inOrder = [...pages].sort((a, b) => a.page - b.page)
  const total = inOrder.reduce((sum, { characters }) => sum + characters, 0)
  if (total !== characterCount) return null
  let end = 0
  for (const { page, characters } of inOrder) {
    end += characters
    if (offset < end) return page
  }
  return null
}
