import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { Ledger } from './ledger.ts'
import type { MortalService } from './mortal-service.ts'
import type { Dying } from './plan-deaths.ts'
import type { Random } from './random.ts'

/** No round waits longer for its load, or for a step that is not reached. */
const LOAD_MS = 20_000

/** Clients at work, and the process that dies meanwhile; `dying` is what it was destined to when it was started. */
export type Load = {
  service: MortalService
  dying: Dying
  clients: readonly Client[]
  ledger: Ledger
  random: Random
}

/** Clients work until the process dies at its step, or is killed at a random moment; rejects with what they find wrong. */
export async function loadUntilDeath({ service, dying, clients, ledger, random }: Load): Promise<void> {
  let isKilled = false
  await service.arm()
  const round = {
    isOver: () => isKilled || service.isDead(),
    wasKilled: async () => isKilled || service.dies(),
  }
  const load = Promise.all(clients.map((client) => client.run(round)))
  const until = Date.now() + LOAD_MS
  // So many documents, so that a slow machine is killed at as much work as a fast one.
  const goal = dying.death === null ? ledger.entries.size + dying.documents : Number.POSITIVE_INFINITY
  while (ledger.entries.size < goal && Date.now() < until && !service.isDead()) {
    await Promise.race([load, pause(5)])
  }
  if (dying.death === null) await Promise.race([load, pause(random.below(60))])
  isKilled = true
  await service.kill()
  await load
}
