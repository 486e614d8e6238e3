import type { Kysely } from 'kysely'
import type { AccountResource } from '../../api/account.ts'
import { countQuery, getOrganization, getQueries, type UsageKey } from '../../database/account/organizations-table.ts'
import { sumMemories } from '../../database/memories/memories-table.ts'
import type { Tables } from '../../database/schema.ts'
import { isUnwritten } from '../../database/store-errors.ts'
import { ApiError } from '../../errors.ts'
import { PLANS } from '../../limits.ts'
import type { Caller } from '../caller.ts'
import { requireOrganizationScope } from './account-checks.ts'

/** What an organization has and has used. */
export function createAccountService({ db, now }: { db: Kysely<Tables>; now: () => Date }): AccountService {
  return {
    async get(caller) {
      requireOrganizationScope(caller)
      const { organizationId } = caller
      const { key, start, end } = monthOf(now())
      const organization = await getOrganization(db, organizationId)
      if (organization === null) throw new Error(`there is no organization ${organizationId}`)
      return {
        organization: { id: organization.id, name: organization.name, createdAt: organization.created_at },
        plan: PLANS[caller.planId],
        usage: {
          ...(await sumMemories(db, organizationId)),
          queries: await getQueries(db, { organizationId, month: key }),
          period: { start, end },
        },
        apiKey: toApiKey(caller),
      }
    },

    async countQuery({ organizationId, planId }) {
      const { name, limits } = PLANS[planId]
      const limit = limits.queriesPerMonth
      const at = now()
      const { key: month, end } = monthOf(at)
      if (await count(db, { organizationId, month, limit })) return
      throw new ApiError('query_quota_exceeded', {
        message: `The plan ${name} has ${limit} queries a month, and all are used.`,
        extra: { limit, used: limit, resetDate: end, planName: name },
        retryAfterSeconds: (Date.parse(end) - at.getTime()) / 1000,
      })
    },
  }
}

/**
 * False when the limit is reached. Where the disk takes no count (it is full, or cannot force it when SQLite begins its log anew), searching goes on,
 * uncounted, as long as the limit is not reached.
 */
async function count(db: Kysely<Tables>, query: UsageKey & { limit: number | null }): Promise<boolean> {
  try {
    return await countQuery(db, query)
  } catch (error) {
    if (!isUnwritten(error)) throw error
    return query.limit === null || (await getQueries(db, query)) < query.limit
  }
}

function toApiKey({ keyId, keyName, scope, memoryId }: Caller): AccountResource['apiKey'] {
  return keyId === null ? null : { id: keyId, name: keyName ?? '', scope, memoryId }
}

/** An organization, its plan, and what it has used. */
export type AccountService = {
  get(caller: Caller): Promise<AccountResource>
  /** Counts one query; rejects with `query_quota_exceeded` when the month's are used up. */
  countQuery(caller: Caller): Promise<void>
}

/** A calendar month in UTC: its name (`2026-11`), its first moment, and the first of the next one. */
type Month = { key: string; start: string; end: string }

/** The month a moment lies in. */
export function monthOf(moment: Date): Month {
  const year = moment.getUTCFullYear()
  const month = moment.getUTCMonth()
  const start = new Date(Date.UTC(year, month, 1)).toISOString()
  return { key: start.slice(0, 7), start, end: new Date(Date.UTC(year, month + 1, 1)).toISOString() }
}
