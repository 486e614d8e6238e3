import { QUERY_BUDGET } from '../../limits.ts'
import type { PageRequest } from '../../services/paging.ts'

type ListContext = {
  query: { limit?: number | undefined; cursor?: string | undefined }
  reserveMemory(bytes: number): void
}

/** Reads the page parameters of a list, with a default limit, and reserves memory for the page. */
export function readPageRequest({ query, reserveMemory }: ListContext, defaultLimit: number): PageRequest {
  const { limit = defaultLimit, cursor = null } = query
  reserveMemory(limit * QUERY_BUDGET.itemBytes.plain)
  return { limit, cursor }
}

/** Returns a path parameter unchecked. Services find nothing under a malformed identifier. */
export function pathParameter(params: Readonly<Record<string, string>>, name: 'id' | 'documentId'): string {
  return params[name] ?? ''
}
