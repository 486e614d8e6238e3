/** The keys of an organization. */

import type { KeyResource } from '../../api/key.ts'
import type { Caller } from '../caller.ts'
import type { Keep } from '../keep.ts'
import type { Page, PageRequest } from '../page.ts'

export type KeysService = {
  /** The caller a presented key stands for; `null` for one that is unknown, malformed, revoked or expired. */
  authenticate(presented: string): Promise<Caller | null>
  create(
    caller: Caller,
    input: { name: string; memoryId: string | null; expiresAt: string | null },
    keep?: Keep<KeyResource & { key: string }>,
  ): Promise<KeyResource & { key: string }>
  list(caller: Caller, page: PageRequest): Promise<Page<'keys', KeyResource>>
  revoke(caller: Caller, keyId: string): Promise<void>
}
