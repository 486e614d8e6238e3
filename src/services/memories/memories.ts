/** The memories of an organization. */

import type { MemoryResource } from '../../api/memory.ts'
import type { Caller } from '../caller.ts'
import type { Keep } from '../keep.ts'
import type { Page, PageRequest } from '../page.ts'

export type MemoriesService = {
  create(
    caller: Caller,
    input: { name: string; description: string | null; projectId: string | null; projectName: string | null },
    keep?: Keep<MemoryResource>,
  ): Promise<MemoryResource>
  list(
    caller: Caller,
    filter: { projectId: string | null },
    page: PageRequest,
  ): Promise<Page<'memories', MemoryResource>>
  get(caller: Caller, memoryId: string): Promise<MemoryResource>
  delete(caller: Caller, memoryId: string): Promise<void>
}
