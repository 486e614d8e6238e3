import { readConfig } from '../../config.ts'
import { getFirstOrganization, getOrganization } from '../../database/account/organizations-table.ts'
import type { Store } from '../../database/store.ts'
import { PLANS, type PlanId } from '../../limits.ts'
import type { Log } from '../../observability/log.ts'
import { createKeysService } from '../../services/account/keys-service.ts'
import { createOrganizationsService } from '../../services/account/organizations-service.ts'
import type { Caller } from '../../services/caller.ts'
import type { CliContext, OpenKeys } from '../cli-context.ts'
import { hasDatabase, openMetadata } from './open-metadata.ts'

/**
 * Only the running service releases the space reserved for deletions; a user at the machine can
 * free space.
 */
const NO_RESERVE = { releaseBallast: async () => {} }

type OpenKeysDeps = Pick<CliContext, 'now'> & {
  environment: Readonly<Record<string, string | undefined>>
  log: Log
}

/**
 * Opens keys and organizations of the configured installation, beside running services or without
 * one. `organizationId` selects the organization; default: the first. Creates nothing: rejects with
 * instructions if no service was started there yet, or there is no such organization.
 */
export async function openKeys({ environment, log, now }: OpenKeysDeps, organizationId?: string): Promise<OpenKeys> {
  const config = readConfig(environment)
  const there = config.database === null ? config.dataDir : 'the database of RECOLLECT_DATABASE_URL'
  if (config.database === null && !hasDatabase(config.dataDir)) throw noService(there)
  const store = await openMetadata(config, log)
  try {
    const { db } = store
    const caller = await findOwner(store, { organizationId, there })
    return {
      keys: createKeysService({ db, blobs: NO_RESERVE, now, log }),
      organizations: createOrganizationsService({ db, now, plan: config.organization.plan }),
      caller,
      close: store.close,
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Owner of an organization, acting on the machine itself. */
async function findOwner(
  { db }: Store,
  { organizationId, there }: { organizationId: string | undefined; there: string },
): Promise<Caller> {
  const tables = await db.introspection.getTables()
  // Before the first start there are no tables.
  if (!tables.some(({ name }) => name === 'organizations')) throw noService(there)
  const organization = await (organizationId === undefined
    ? getFirstOrganization(db)
    : getOrganization(db, organizationId))
  if (organization === null && organizationId === undefined) throw noService(there)
  if (organization === null)
    throw new Error(`There is no organization ${organizationId}. List them with: recollect organizations list.`)
  const planId = Object.hasOwn(PLANS, organization.plan) ? (organization.plan as PlanId) : 'unlimited'
  return {
    organizationId: organization.id,
    keyId: null,
    keyName: null,
    scope: 'organization',
    memoryIds: null,
    role: 'admin',
    planId,
  }
}

function noService(there: string): Error {
  return new Error(
    `There is no service in ${there} yet. Start it once with: recollect serve. ` +
      'If its data is elsewhere, set RECOLLECT_DATA_DIR or RECOLLECT_DATABASE_URL.',
  )
}
