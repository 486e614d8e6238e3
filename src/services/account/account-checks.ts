import type { Kysely } from 'kysely'
import { getOrganization } from '../../database/account/organizations-table.ts'
import type { Tables } from '../../database/schema.ts'
import { ApiError, invalid } from '../../errors.ts'
import { NAME_CHARACTERS, PLANS, type PlanId } from '../../limits.ts'
import { toUsableText } from '../../parsers/encoding/decode-file.ts'
import { hasVisibleText, isLongerThan } from '../../text/characters.ts'
import type { Caller } from '../caller.ts'

/** Throws `scope_forbidden` when the caller's key is scoped to one memory. */
export function requireOrganizationScope(caller: Caller): void {
  if (caller.scope === 'memory') throw new ApiError('scope_forbidden')
}

/**
 * The name without surrounding white space, and with U+FFFD for what no store keeps; throws `validation_failed` that names `param` unless
 * 1 to 200 characters are left, of which one can be seen.
 */
export function requireName(param: string, name: string): string {
  const trimmed = toUsableText(name).trim()
  const { min, max } = NAME_CHARACTERS
  if (!hasVisibleText(name)) throw invalid(param, 'must not be blank')
  if (isLongerThan(trimmed, max)) throw invalid(param, `must have ${min} to ${max} characters`)
  return trimmed
}

/** The plan that an organization has now: for work that began under another, maybe. Throws when there is no such organization, or no such plan. */
export async function requirePlan(db: Kysely<Tables>, organizationId: string): Promise<PlanId> {
  const organization = await getOrganization(db, organizationId)
  if (organization === null) throw new Error(`there is no organization ${organizationId}`)
  return requirePlanId(organization.plan)
}

/** The plan of an organization's row; throws when this version knows none of that name. */
export function requirePlanId(plan: string): PlanId {
  for (const { id } of Object.values(PLANS)) if (id === plan) return id
  throw new Error(`the database names a plan that this version does not have: ${plan}`)
}
