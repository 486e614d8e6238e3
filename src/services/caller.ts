import type { KeyRole } from '../api/key.ts'

/**
 * The authenticated caller. `keyId` is `null` for the command line and with keys disabled. After a
 * sign-in, `keyId` is the identifier of the person, and `keyName` the name.
 */
export type Caller = {
  organizationId: string
  keyId: string | null
  keyName: string | null
  scope: 'organization' | 'memory'
  /** The memories of a memory-scoped key; `null` for all memories of the organization. */
  memoryIds: readonly string[] | null
  role: KeyRole
  /** End of the session of a person; absent for keys. */
  sessionEndsAt?: Date
  planId: 'free' | 'starter' | 'unlimited'
}
