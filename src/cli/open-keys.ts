import { readConfig } from '../config.ts'
import { PLANS, type PlanId } from '../limits.ts'
import type { Log } from '../log.ts'
import { createKeysService } from '../service/account/keys-service.ts'
import type { Caller } from '../service/caller.ts'
import { getFirstOrganization } from '../store/account/organizations.ts'
import type { Store } from '../store/store.ts'
import { hasDatabase } from './has-database.ts'
import { openMetadata } from './open-metadata.ts'
import type { OpenKeys, Surroundings } from './surroundings.ts'

/** What is held back for deletions is the running service's to give up; who is at the machine can make room. */
const NO_RESERVE = { releaseReserve: async () => {} }

type Parts = Pick<Surroundings, 'now'> & {
  environment: Readonly<Record<string, string | undefined>>
  log: Log
}

/**
 * Opens the keys of the installation that the settings name, beside running services or without one. Makes nothing:
 * rejects with what to do when no service has been started there yet.
 */
export async function openKeys({ environment, log, now }: Parts): Promise<OpenKeys> {
  const config = readConfig(environment)
  const there = config.database === null ? config.dataDir : 'the database of RECOLLECT_DATABASE_URL'
  if (config.database === null && !hasDatabase(config.dataDir)) throw noService(there)
  const store = await openMetadata(config, log)
  const caller = await findOwner(store)
  if (caller !== null)
    return { keys: createKeysService({ db: store.db, blobs: NO_RESERVE, now, log }), caller, close: store.close }
  await store.close()
  throw noService(there)
}

/** The owner of the one organization, at the machine itself; `null` where the first start has not made it yet. */
async function findOwner({ db }: Store): Promise<Caller | null> {
  const tables = await db.introspection.getTables()
  const organization = tables.some(({ name }) => name === 'organizations') ? await getFirstOrganization(db) : null
  if (organization === null) return null
  const planId = Object.hasOwn(PLANS, organization.plan) ? (organization.plan as PlanId) : 'unlimited'
  return { organizationId: organization.id, keyId: null, keyName: null, scope: 'organization', memoryId: null, planId }
}

function noService(there: string): Error {
  return new Error(
    `There is no service in ${there} yet. Start it once with: recollect serve. ` +
      'If its data is elsewhere, set RECOLLECT_DATA_DIR or RECOLLECT_DATABASE_URL.',
  )
}
