import { QUERY_BUDGET } from '../../limits.ts'
import type { Caller } from '../../services/caller.ts'
import type { SearchedMemory } from '../../services/search/search.ts'
import type { Services } from '../../services/services.ts'

/** What a query is about to read: the characters it asks with, and passages. */
type QuerySize = { characters: number; hits: number; explain?: boolean }

/** Bytes that a query holds while it is answered, for `http/request-budgets.ts`. */
export function queryBytes({ characters, hits, explain = false }: QuerySize): number {
  const { queryBytes: ofQuery, characterBytes, itemBytes } = QUERY_BUDGET
  return ofQuery + characters * characterBytes + hits * (explain ? itemBytes.explained : itemBytes.plain)
}

/**
 * Counts a query once the memory is known to be there, before it runs: one that fails by then costs nothing. Gives the
 * memory, which is not read again for this request.
 */
export async function countQuery(services: Services, caller: Caller, memoryId: string): Promise<SearchedMemory> {
  const searched = await services.search.open(caller, memoryId)
  await services.account.countQuery(caller)
  return searched
}
