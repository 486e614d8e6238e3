import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** Page of a list that is shown. */
export type Pages = {
  /** Query of the page, stable per page. */
  query: { cursor?: string }
  isFirst: boolean
  older(nextCursor: string): void
  newer(): void
  first(): void
}

const FIRST = {}

/** Cursors of the pages after the first, up to the current one. */
type PreviousPages = readonly { cursor: string }[]
const NOT_TURNED: PreviousPages = []

/** State of a paged list, starting at the newest page whenever the view opens. */
export function usePages(): Pages {
  const [queries, setQueries] = useState(NOT_TURNED)
  return {
    query: queries.at(-1) ?? FIRST,
    isFirst: queries.length === 0,
    older: (cursor) => setQueries([...queries, { cursor }]),
    newer: () => setQueries(queries.slice(0, -1)),
    first: () => setQueries([]),
  }
}

/** Buttons to turn pages, if there are several. */
export function PageTurner({
  pages,
  nextCursor,
  children,
}: {
  pages: Pages
  nextCursor: string | null
  children?: ComponentChildren
}) {
  if (pages.isFirst && nextCursor === null && children === undefined) return null
  return (
    <nav class="row" aria-label="Pages of the list">
      <span class="quiet">{children}</span>
      {!pages.isFirst && (
        <button type="button" onClick={pages.newer}>
          Newer
        </button>
      )}
      {nextCursor !== null && (
        <button type="button" onClick={() => pages.older(nextCursor)}>
          Older
        </button>
      )}
    </nav>
  )
}
