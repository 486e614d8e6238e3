/** Who asks. `keyId` is `null` where keys are switched off and for the command line. */
export type Caller = {
  organizationId: string
  keyId: string | null
  keyName: string | null
  scope: 'organization' | 'memory'
  /** The one memory of a memory-scoped key. */
  memoryId: string | null
  planId: 'free' | 'starter' | 'unlimited'
}
