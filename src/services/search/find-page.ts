import type { PageLengths } from '../../database/memories/pages-table.ts'

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
