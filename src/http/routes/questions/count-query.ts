import type { Caller } from '../../../services/caller.ts'
import type { SearchedMemory } from '../../../services/search/search.ts'
import type { Services } from '../../../services/services.ts'

/**
 * Counts a query once the memory is known to be there, before it runs: one that fails by then costs nothing. Gives the
 * memory, which is not read again for this request.
 */
export async function countQuery(services: Services, caller: Caller, memoryId: string): Promise<SearchedMemory> {
  const searched = await services.search.open(caller, memoryId)
  await services.account.countQuery(caller)
  return searched
}
