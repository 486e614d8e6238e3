import type { KeyRole } from '../api/key.ts'

/** The authenticated caller. `keyId` is `null` for the command line and with keys disabled. */
export type Caller = {
  organizationId: string
  keyId: string | null
  keyName: string | null
  scope: 'organization' | 'memory'
  /** The memories of a memory-scoped key; `null` for all memories of the organization. */
  memoryIds: readonly string[] | null
  role: KeyRole
  planId: 'free' | 'starter' | 'unlimited'
}
