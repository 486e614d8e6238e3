import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useKept } from '../hooks.ts'

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

/** What asks for each page behind the first, up to the one that is shown. */
type Turned = readonly { cursor: string }[]
const NOT_TURNED: Turned = []

/** A list that is turned page by page, from its newest, where it begins whenever its view appears. */
export function usePages(): Pages {
  return pagesOf(useState(NOT_TURNED))
}

/** The same, of a list that one comes back to where it was left; `name` is that of no other. */
export function useKeptPages(name: string): Pages {
  return pagesOf(useKept(name, NOT_TURNED))
}

function pagesOf([queries, setQueries]: [Turned, (next: Turned) => void]): Pages {
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
