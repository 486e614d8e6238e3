import type { Kysely, Transaction } from 'kysely'
import type { NewOrganizationResource, OrganizationResource } from '../../api/account.ts'
import { hadKey, insertKey } from '../../database/account/keys-table.ts'
import {
  countOrganizations,
  getFirstOrganization,
  insertOrganization,
  listOrganizations,
  setPlan,
} from '../../database/account/organizations-table.ts'
import type { Organization, Tables } from '../../database/schema.ts'
import { lockDatabase } from '../../database/statements.ts'
import { invalid } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { PlanId } from '../../limits.ts'
import type { Caller } from '../caller.ts'
import { type Page, type PageRequest, readPage } from '../paging.ts'
import { type StoreResponse, storeNoResponse } from '../request-work.ts'
import { requireName, requirePlanId } from './account-checks.ts'
import { isMistypedKey, newKey, newKeyText } from './keys-service.ts'

/** Organizations of an installation, managed by the operator. */
export type OrganizationsService = {
  /**
   * Creates an organization and its first key in one transaction. A `null` plan means the default
   * plan. Rejects with `validation_failed`.
   */
  create(
    input: { name: string; plan: PlanId | null },
    storeResponse?: StoreResponse<NewOrganizationResource>,
  ): Promise<NewOrganizationResource>
  /** Lists organizations, newest first. Rejects with `invalid_cursor`. */
  list(page: PageRequest): Promise<Page<'organizations', OrganizationResource>>
}

/** `plan` is the default plan of new organizations. */
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
    async create(input, storeResponse = storeNoResponse) {
      const name = requireName('name', input.name)
      const text = newKeyText()
      return db.transaction().execute(async (transaction) => {
        await lockDatabase(transaction)
        const first = await getFirstOrganization(transaction)
        if (first === null) throw invalid('name', 'cannot be set before the first start of the service')
        const at = afterFirst(first, now())
        const made = await addOrganization(transaction, { name, plan: input.plan ?? plan, text, now: at })
        await storeResponse(transaction, made)
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

/** Inserts an organization and an organization key with the secret `text`. */
async function addOrganization(
  transaction: Transaction<Tables>,
  { name, plan, text, now }: { name: string; plan: PlanId; text: string; now: Date },
): Promise<NewOrganizationResource> {
  const organization = { id: newId('org', now), name, plan, created_at: now.toISOString() }
  await insertOrganization(transaction, organization)
  const keyId = await addFirstKey(transaction, { organizationId: organization.id, text, now })
  return { ...toOrganizationResource(organization), keyId, key: text }
}

async function addFirstKey(
  transaction: Transaction<Tables>,
  facts: { organizationId: string; text: string; now: Date },
): Promise<string> {
  const key = newKey({ ...facts, name: 'first key', expiresAt: null, memoryIds: null, role: 'admin' })
  await insertKey(transaction, key)
  return key.id
}

/**
 * Ids begin with a timestamp, and the lowest id is the first organization. A clock that was set
 * back must not create a lower id.
 */
function afterFirst(first: Organization, now: Date): Date {
  return new Date(Math.max(now.getTime(), Date.parse(first.created_at) + 1))
}

function toOrganizationResource({ id, name, plan, created_at }: Organization): OrganizationResource {
  return { id, name, plan: requirePlanId(plan), createdAt: created_at }
}

/** Minimum length of a bootstrap key (contract, "Settings"). */
const BOOTSTRAP_KEY_MIN_CHARACTERS = 20

/** Input of {@link bootstrap}. */
type BootstrapInput = {
  db: Kysely<Tables>
  now: () => Date
  /** Plan of the first organization, applied at every start. */
  plan: PlanId
  /** The operator's first key; `null`: see {@link createFirstKey}. */
  bootstrapKey: string | null
}

/**
 * Creates the first organization on empty storage; later starts only update the plan. The bootstrap
 * key becomes the first key, unless there was a key before. Returns the local caller: the command
 * line, or every caller when keys are disabled. Rejects if the bootstrap key is too short, or is a
 * Recollect key with a wrong checksum.
 */
export async function bootstrap({ db, now, plan, bootstrapKey }: BootstrapInput): Promise<Caller> {
  if (bootstrapKey !== null) validateBootstrapKey(bootstrapKey)
  return db.transaction().execute(async (transaction) => {
    await lockDatabase(transaction)
    const there = await getFirstOrganization(transaction)
    const id = there?.id ?? newId('org', now())
    if (there === null)
      await insertOrganization(transaction, { id, name: 'Default', plan, created_at: now().toISOString() })
    else if (there.plan !== plan) await setPlan(transaction, id, plan)
    if (bootstrapKey !== null && !(await hadKey(transaction, id)))
      await addFirstKey(transaction, { organizationId: id, text: bootstrapKey, now: now() })
    return localCaller(id, plan)
  })
}

/**
 * Creates the first key of an organization and returns it, to be shown once; `null` if there was a
 * key before. Called once the service listens: a failed start creates no key.
 */
export async function createFirstKey(
  { db, now }: Pick<BootstrapInput, 'db' | 'now'>,
  organizationId: string,
): Promise<string | null> {
  return db.transaction().execute(async (transaction) => {
    await lockDatabase(transaction)
    if (await hadKey(transaction, organizationId)) return null
    const text = newKeyText()
    await addFirstKey(transaction, { organizationId, text, now: now() })
    return text
  })
}

function validateBootstrapKey(key: string): void {
  if (key.length < BOOTSTRAP_KEY_MIN_CHARACTERS) {
    throw new Error(`The bootstrap key must have at least ${BOOTSTRAP_KEY_MIN_CHARACTERS} characters.`)
  }
  if (isMistypedKey(key))
    throw new Error('The bootstrap key looks like a Recollect key but has a wrong checksum. Check for typing errors.')
}

function localCaller(organizationId: string, planId: PlanId): Caller {
  return { organizationId, keyId: null, keyName: null, scope: 'organization', memoryIds: null, role: 'admin', planId }
}
