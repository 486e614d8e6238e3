import type { Kysely } from 'kysely'
import { getFirstOrganization, setPlan } from '../../database/account/organizations.ts'
import { lockDatabase } from '../../database/locks.ts'
import type { Tables } from '../../database/schema.ts'
import type { PlanId } from '../../limits.ts'
import type { Caller } from '../caller.ts'
import { isMistypedKey, newKeyText } from './key-format.ts'
import { addOrganization } from './organizations-service.ts'

/** A first key that the operator supplies has at least so many characters (contract, "Settings"). */
const BOOTSTRAP_KEY_MIN_CHARACTERS = 20

/** What the first start is told. */
export type BootstrapInput = {
  db: Kysely<Tables>
  now: () => Date
  /** The plan of the first organization, now and at every later start. */
  plan: PlanId
  /** The first key to take; `null`: one is made. */
  bootstrapKey: string | null
}

/**
 * On empty storage makes one organization and one organization key, both or neither; later only gives that organization
 * its plan. `key` is the new key, to be shown once, and `null` when there was nothing to make; `caller` is whoever works on
 * the machine itself: the command line, and everyone where keys are switched off.
 * Rejects when the supplied key is too short, or has the form of our own keys but was mistyped.
 */
export async function bootstrap({
  db,
  now,
  plan,
  bootstrapKey,
}: BootstrapInput): Promise<{ caller: Caller; key: string | null }> {
  if (bootstrapKey !== null) checkKey(bootstrapKey)
  return db.transaction().execute(async (transaction) => {
    await lockDatabase(transaction)
    const there = await getFirstOrganization(transaction)
    if (there === null) {
      const text = bootstrapKey ?? newKeyText()
      const made = await addOrganization(transaction, { name: 'Default', plan, text, now: now() })
      return { caller: localCaller(made.id, plan), key: text }
    }
    if (there.plan !== plan) await setPlan(transaction, there.id, plan)
    return { caller: localCaller(there.id, plan), key: null }
  })
}

function checkKey(key: string): void {
  if (key.length < BOOTSTRAP_KEY_MIN_CHARACTERS) {
    throw new Error(`The bootstrap key must have at least ${BOOTSTRAP_KEY_MIN_CHARACTERS} characters.`)
  }
  if (isMistypedKey(key)) throw new Error('The bootstrap key has the form of a Recollect key, but was mistyped.')
}

function localCaller(organizationId: string, planId: PlanId): Caller {
  return { organizationId, keyId: null, keyName: null, scope: 'organization', memoryId: null, planId }
}
