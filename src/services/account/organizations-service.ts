import type { Kysely, Transaction } from 'kysely'
import type { OrganizationResource } from '../../api/organization.ts'
import { insertKey } from '../../database/account/keys.ts'
import {
  countOrganizations,
  getFirstOrganization,
  insertOrganization,
  listOrganizations,
} from '../../database/account/organizations.ts'
import { lockDatabase } from '../../database/locks.ts'
import type { Organization, Tables } from '../../database/schema.ts'
import { invalid } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { PlanId } from '../../limits.ts'
import { readPage } from '../cursors.ts'
import { type Keep, keepNothing } from '../keep.ts'
import type { Page, PageRequest } from '../page.ts'
import { newKeyText } from './key-format.ts'
import { newKey } from './keys-service.ts'
import { requireName } from './require-name.ts'
import { requirePlanId } from './require-plan.ts'

/** A new organization with its first key, which is shown this once. */
export type NewOrganizationResource = OrganizationResource & { keyId: string; key: string }

/** The organizations of an installation; for its operator alone. */
export type OrganizationsService = {
  /** Makes an organization and its first key, both or neither. `plan` is that of the installation where it is `null`. Rejects with `validation_failed`. */
  create(
    input: { name: string; plan: PlanId | null },
    keep?: Keep<NewOrganizationResource>,
  ): Promise<NewOrganizationResource>
  /** Newest first. Rejects with `invalid_cursor`. */
  list(page: PageRequest): Promise<Page<'organizations', OrganizationResource>>
}

/** `plan` is the plan of organizations that are made without one. */
export function createOrganizationsService({
  db,
  now,
  plan,
}: {
  db: Kysely<Tables>
  now: () => Date
  plan: PlanId
}): OrganizationsService {
  return {
    async create(input, keep = keepNothing) {
      const name = requireName('name', input.name)
      const text = newKeyText()
      return db.transaction().execute(async (transaction) => {
        await lockDatabase(transaction)
        const first = await getFirstOrganization(transaction)
        if (first === null) throw invalid('name', 'needs an installation that was started once')
        const at = laterThan(first, now())
        const made = await addOrganization(transaction, { name, plan: input.plan ?? plan, text, now: at })
        await keep(transaction, made)
        return made
      })
    },

    list: (page) =>
      readPage(page, {
        name: 'organizations',
        list: 'organizations',
        pattern: /^org_\w{26}$/,
        positionOf: ({ id }) => id,
        read: (after, limit) => listOrganizations(db, { after, limit }),
        count: () => countOrganizations(db),
        toResource: toOrganizationResource,
      }),
  }
}

/** Adds an organization with one organization key, whose text is `text`. */
export async function addOrganization(
  transaction: Transaction<Tables>,
  { name, plan, text, now }: { name: string; plan: PlanId; text: string; now: Date },
): Promise<NewOrganizationResource> {
  const organization = { id: newId('org', now), name, plan, created_at: now.toISOString() }
  await insertOrganization(transaction, organization)
  const facts = { organizationId: organization.id, name: 'first key', text, memoryId: null, expiresAt: null, now }
  const key = newKey(facts)
  await insertKey(transaction, key)
  return { ...toOrganizationResource(organization), keyId: key.id, key: text }
}

/** The first organization is the one with the lowest identifier, which begins with its time: a clock that was set back must not make another one the first. */
function laterThan(first: Organization, now: Date): Date {
  return new Date(Math.max(now.getTime(), Date.parse(first.created_at) + 1))
}

function toOrganizationResource({ id, name, plan, created_at }: Organization): OrganizationResource {
  return { id, name, plan: requirePlanId(plan), createdAt: created_at }
}
