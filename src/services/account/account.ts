/** An organization, its plan, and what it has used. */

import type { AccountResource } from '../../api/account.ts'
import type { Caller } from '../caller.ts'

export type AccountService = {
  get(caller: Caller): Promise<AccountResource>
  /** Counts one query; rejects with `query_quota_exceeded` when the month's are used up. */
  countQuery(caller: Caller): Promise<void>
}
