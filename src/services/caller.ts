/** The authenticated caller. `keyId` is `null` for the command line and with keys disabled. */
export type Caller = {
  organizationId: string
  keyId: string | null
  keyName: string | null
  scope: 'organization' | 'memory'
  /** The one memory of a memory-scoped key. */
  memoryId: string | null
  planId: 'free' | 'starter' | 'unlimited'
}
