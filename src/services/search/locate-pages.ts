import type { Kysely } from 'kysely'
import type { HitResource } from '../../api/search.ts'
import { listPageLengths, type PageLengths } from '../../database/memories/pages-table.ts'
import type { Tables } from '../../database/schema.ts'

/** The page of a place, `start` within the text of a hit; the hit's first page where more cannot be said. */
export type PageLocator = (hit: HitResource, start: number) => number | null

/** Reads what it takes to say on which page of its document a part of one of these hits of a memory stands. */
export async function locatePages(
  db: Kysely<Tables>,
  memoryId: string,
  hits: readonly HitResource[],
): Promise<PageLocator> {
  const lengths = await listPageLengths(db, memoryId, listDocumentsWithPages(hits))
  return ({ documentId, page, startOffset }, start) => {
    const pages = lengths.get(documentId)
    return (pages === undefined ? null : findPage(pages, startOffset + start)) ?? page
  }
}

/** Those of which a chunk has more than one page, so that it does not say on which a part of it stands. */
function listDocumentsWithPages(hits: readonly HitResource[]): string[] {
  return [...new Set(hits.flatMap(({ documentId, page, pageEnd }) => (page === pageEnd ? [] : [documentId])))]
}

/**
 * The page on which a place of a document's text stands. `null` where the pages do not add up to the text, so that nothing
 * can be said.
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
