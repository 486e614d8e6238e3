import { QUERY_BUDGET } from '../../limits.ts'
import type { Caller } from '../../services/caller.ts'
import type { MemorySelection } from '../../services/search/find-across.ts'
import type { SearchedMemory } from '../../services/search/search.ts'
import type { Services } from '../../services/services.ts'

/** Size of a query and of its result. */
type QuerySize = { characters: number; hits: number; explain?: boolean }

/**
 * Estimates the bytes that a query holds until its response is sent, for `http/request-budgets.ts`.
 */
export function estimateQueryBytes({ characters, hits, explain = false }: QuerySize): number {
  const { queryBytes: ofQuery, characterBytes, itemBytes } = QUERY_BUDGET
  return ofQuery + characters * characterBytes + hits * (explain ? itemBytes.explained : itemBytes.plain)
}

/**
 * Counts a query after the memory was found and before the search runs, so that failures up to here
 * are free. Returns the memory, to avoid a second read in this request.
 */
export async function countQuery(services: Services, caller: Caller, memoryId: string): Promise<SearchedMemory> {
  const searched = await services.search.open(caller, memoryId)
  await services.account.countQuery(caller)
  return searched
}

/** Counts one query of several memories, after all were found. */
export async function countQueryOfSeveral(
  services: Services,
  caller: Caller,
  selection: MemorySelection,
): Promise<SearchedMemory[]> {
  const memories = await services.search.openSeveral(caller, selection)
  await services.account.countQuery(caller)
  return memories
}
