import type { PageRequest } from '../../service/page.ts'

/** Which page a list is asked for, with the list's own limit where the caller names none. */
export function pageRequest(
  query: { limit?: number | undefined; cursor?: string | undefined },
  defaultLimit: number,
): PageRequest {
  return { limit: query.limit ?? defaultLimit, cursor: query.cursor ?? null }
}
