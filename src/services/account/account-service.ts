import type { Kysely } from 'kysely'
import type { AccountResource } from '../../api/account.ts'
import {
  countQuery,
  getOrganization,
  getQueryCount,
  type UsageKey,
} from '../../database/account/organizations-table.ts'
import { sumMemoryUsage } from '../../database/memories/memories-table.ts'
import type { Tables } from '../../database/schema.ts'
import { isWriteUnavailable } from '../../database/store-errors.ts'
import { ApiError } from '../../errors.ts'
import { PLANS } from '../../limits.ts'
import type { Caller } from '../caller.ts'
import { requireOrganizationScope } from './account-checks.ts'
import { toOwnKey } from './keys-service.ts'

/** Reports the plan and the usage of organizations. */
export function createAccountService({ db, now }: { db: Kysely<Tables>; now: () => Date }): AccountService {
  return {
    async get(caller) {
      requireOrganizationScope(caller)
      const { organizationId } = caller
      const { key, start, end } = monthOf(now())
      const organization = await getOrganization(db, organizationId)
      if (organization === null) throw new Error(`organization ${organizationId} does not exist`)
      return {
        organization: { id: organization.id, name: organization.name, createdAt: organization.created_at },
        plan: PLANS[caller.planId],
        usage: {
          ...(await sumMemoryUsage(db, organizationId)),
          queries: await getQueryCount(db, { organizationId, month: key }),
          period: { start, end },
        },
        apiKey: toOwnKey(caller),
      }
    },

    async countQuery({ organizationId, planId }) {
      const { name, limits } = PLANS[planId]
      const limit = limits.queriesPerMonth
      const at = now()
      const { key: month, end } = monthOf(at)
      if (await tryCountQuery(db, { organizationId, month, limit })) return
      throw new ApiError('query_quota_exceeded', {
        message: `The plan ${name} allows ${limit} queries a month. All of them are used.`,
        extra: { limit, used: limit, resetDate: end, planName: name },
        retryAfterSeconds: (Date.parse(end) - at.getTime()) / 1000,
      })
    },
  }
}

/**
 * Returns false at the limit. If the database cannot write (disk full, or WAL reset failed),
 * searches continue uncounted below the limit.
 */
async function tryCountQuery(db: Kysely<Tables>, query: UsageKey & { limit: number | null }): Promise<boolean> {
  try {
    return await countQuery(db, query)
  } catch (error) {
    if (!isWriteUnavailable(error)) throw error
    return query.limit === null || (await getQueryCount(db, query)) < query.limit
  }
}

/** Plan and usage of an organization. */
export type AccountService = {
  get(caller: Caller): Promise<AccountResource>
  /** Counts a query; rejects with `query_quota_exceeded` at the monthly limit. */
  countQuery(caller: Caller): Promise<void>
}

/** A calendar month in UTC: its key (`2026-11`), its start, and the start of the next month. */
type Month = { key: string; start: string; end: string }

/** Month of a timestamp. */
export function monthOf(moment: Date): Month {
  const year = moment.getUTCFullYear()
  const month = moment.getUTCMonth()
  const start = new Date(Date.UTC(year, month, 1)).toISOString()
  return { key: start.slice(0, 7), start, end: new Date(Date.UTC(year, month + 1, 1)).toISOString() }
}
