import type { Kysely } from 'kysely'
import type { HitResource } from '../../api/search.ts'
import { listPageLengths } from '../../database/memories/pages-table.ts'
import type { Tables } from '../../database/schema.ts'
import { findPage } from './find-page.ts'

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
