/** An organization, its plan, and what it has used. */

import type { Plan } from '../../limits.ts'
import type { Caller } from '../caller.ts'

export type AccountService = {
  get(caller: Caller): Promise<AccountResource>
  /** Counts one query; rejects with `query_quota_exceeded` when the month's are used up. */
  countQuery(caller: Caller): Promise<void>
}

export type AccountResource = {
  organization: { id: string; name: string; createdAt: string }
  plan: Plan
  usage: {
    storageBytes: number
    memories: number
    documents: number
    queries: number
    period: { start: string; end: string }
  }
  apiKey: { id: string; name: string; scope: 'organization' | 'memory'; memoryId: string | null } | null
}
