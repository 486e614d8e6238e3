import type { Kysely } from 'kysely'
import { getOrganization } from '../../database/account/organizations.ts'
import type { Tables } from '../../database/schema.ts'
import { PLANS, type PlanId } from '../../limits.ts'

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
