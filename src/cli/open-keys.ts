import { existsSync } from 'node:fs'
import { readConfig } from '../config.ts'
import { dataFolder } from '../data-folder.ts'
import { PLANS, type PlanId } from '../limits.ts'
import type { Log } from '../log.ts'
import { createKeysService } from '../service/keys-service.ts'
import type { Caller } from '../service/services.ts'
import { openSqlite } from '../store/open-sqlite.ts'
import { getFirstOrganization } from '../store/organizations.ts'
import type { Store } from '../store/store.ts'
import type { OpenKeys, Surroundings } from './surroundings.ts'

type Parts = Pick<Surroundings, 'now'> & {
  environment: Readonly<Record<string, string | undefined>>
  log: Log
}

/**
 * Opens the keys of the data folder that the settings name, beside a running service or without one: SQLite lets both
 * in. Makes nothing: rejects with what to do when no service has been started there yet.
 */
export async function openKeys({ environment, log, now }: Parts): Promise<OpenKeys> {
  const { dataDir } = readConfig(environment)
  const { database } = dataFolder(dataDir)
  if (!existsSync(database)) throw noService(dataDir)
  const store = await openSqlite({ path: database })
  const caller = await findOwner(store)
  if (caller !== null) return { keys: createKeysService({ db: store.db, now, log }), caller, close: store.close }
  await store.close()
  throw noService(dataDir)
}

/** The owner of the one organization, at the machine itself; `null` where the first start has not made it yet. */
async function findOwner({ db }: Store): Promise<Caller | null> {
  const tables = await db.introspection.getTables()
  const organization = tables.some(({ name }) => name === 'organizations') ? await getFirstOrganization(db) : null
  if (organization === null) return null
  const planId = Object.hasOwn(PLANS, organization.plan) ? (organization.plan as PlanId) : 'unlimited'
  return { organizationId: organization.id, keyId: null, keyName: null, scope: 'organization', memoryId: null, planId }
}

function noService(dataDir: string): Error {
  return new Error(
    `There is no service in ${dataDir} yet. Start it once with: recollect serve. ` +
      'If its data is elsewhere, set RECOLLECT_DATA_DIR.',
  )
}
