import { QUERY_BUDGET } from '../../limits.ts'
import type { PageRequest } from '../../services/paging.ts'

type ListContext = {
  query: { limit?: number | undefined; cursor?: string | undefined }
  reserveMemory(bytes: number): void
}

/** Which page a list is asked for, with the list's own limit where the caller names none; reserves memory for it. */
export function pageRequest({ query, reserveMemory }: ListContext, defaultLimit: number): PageRequest {
  const { limit = defaultLimit, cursor = null } = query
  reserveMemory(limit * QUERY_BUDGET.itemBytes.plain)
  return { limit, cursor }
}

/** An identifier out of the path, as it came; a service finds nothing under a malformed one. */
export function pathParameter(params: Readonly<Record<string, string>>, name: 'id' | 'documentId'): string {
  return params[name] ?? ''
}
