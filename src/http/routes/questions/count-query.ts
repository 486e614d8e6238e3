import type { Caller } from '../../../services/caller.ts'
import type { Services } from '../../../services/services.ts'

/** A query counts when it is valid and the memory is there, before it runs: one that fails by then costs nothing. */
export async function countQuery(services: Services, caller: Caller, memoryId: string): Promise<void> {
  await services.memories.get(caller, memoryId)
  await services.account.countQuery(caller)
}
