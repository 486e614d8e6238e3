import type { Kysely } from 'kysely'
import { getOrganization } from '../../database/account/organizations-table.ts'
import type { Tables } from '../../database/schema.ts'
import { ApiError, invalid } from '../../errors.ts'
import { NAME_CHARACTERS, PLANS, type PlanId } from '../../limits.ts'
import { replaceUnstorable } from '../../parsers/encoding/decode-file.ts'
import { hasVisibleText, isLongerThan } from '../../text/characters.ts'
import type { Caller } from '../caller.ts'

/** Throws `scope_forbidden` if the caller's key is scoped to one memory. */
export function requireOrganizationScope(caller: Caller): void {
  if (caller.scope === 'memory') throw new ApiError('scope_forbidden')
}

/**
 * Trims a name and replaces characters that cannot be stored with U+FFFD. Throws
 * `validation_failed` for `param` unless the result has 1 to 200 characters, including a visible
 * one.
 */
export function requireName(param: string, name: string): string {
  const trimmed = replaceUnstorable(name).trim()
  const { min, max } = NAME_CHARACTERS
  if (!hasVisibleText(name)) throw invalid(param, 'must not be blank')
  if (isLongerThan(trimmed, max)) throw invalid(param, `must have ${min} to ${max} characters`)
  return trimmed
}

/**
 * Current plan of an organization; a job may have started under a different plan. Throws if the
 * organization or its plan does not exist.
 */
export async function requirePlan(db: Kysely<Tables>, organizationId: string): Promise<PlanId> {
  const organization = await getOrganization(db, organizationId)
  if (organization === null) throw new Error(`organization ${organizationId} does not exist`)
  return requirePlanId(organization.plan)
}

/** Plan of an organization row; throws if this version does not know the plan. */
export function requirePlanId(plan: string): PlanId {
  for (const { id } of Object.values(PLANS)) if (id === plan) return id
  throw new Error(`unknown plan in the database: ${plan}`)
}
