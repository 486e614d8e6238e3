import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** Which page of a list is shown. */
export type Pages = {
  /** What asks for it; always the same for the same page. */
  query: { cursor?: string }
  isFirst: boolean
  older(nextCursor: string): void
  newer(): void
  first(): void
}

const FIRST = {}

/** A list that is turned page by page, from its newest. */
export function usePages(): Pages {
  const [queries, setQueries] = useState<readonly { cursor: string }[]>([])
  return {
    query: queries.at(-1) ?? FIRST,
    isFirst: queries.length === 0,
    older: (cursor) => setQueries([...queries, { cursor }]),
    newer: () => setQueries(queries.slice(0, -1)),
    first: () => setQueries([]),
  }
}

/** The buttons that turn the pages of a list, where it has several, behind what is said of it. */
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
