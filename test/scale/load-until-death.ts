import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { Ledger } from './ledger.ts'
import type { MortalService } from './mortal-service.ts'
import type { Dying } from './plan-deaths.ts'
import type { Random } from './random.ts'

/** The limit of a round for its load or for an unreached step. */
const LOAD_MS = 20_000

/** Running clients, and the process that dies meanwhile; `dying` is its planned death. */
export type Load = {
  service: MortalService
  dying: Dying
  clients: readonly Client[]
  ledger: Ledger
  random: Random
}

/**
 * Runs clients until the process dies at its step or is killed at a random moment; rejects with the
 * problems found.
 */
export async function loadUntilDeath({ service, dying, clients, ledger, random }: Load): Promise<void> {
  let isKilled = false
  await service.arm()
  const round = {
    isOver: () => isKilled || service.isDead(),
    wasKilled: async () => isKilled || service.dies(),
  }
  const load = Promise.all(clients.map((client) => client.run(round)))
  const until = Date.now() + LOAD_MS
  // A document count, so slow and fast machines are killed at the same amount of work.
  const goal = dying.death === null ? ledger.entries.size + dying.documents : Number.POSITIVE_INFINITY
  while (ledger.entries.size < goal && Date.now() < until && !service.isDead()) {
    await Promise.race([load, pause(5)])
  }
  if (dying.death === null) await Promise.race([load, pause(random.below(60))])
  isKilled = true
  await service.kill()
  await load
}
