/**
 * Two API processes and one worker on one PostgreSQL and one S3 store. Each is killed at the steps
 * of its work under client load, and restarted. `SOAK_KILLS=100` runs 50 kills instead of 3,
 * `SOAK_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILPOINTS, type FailpointName } from '../../src/observability/failpoints.ts'
import { auditByDoctor, checkEverything, checkLists, checkReads, type Installation } from './checker.ts'
import { type Client, createClient } from './client.ts'
import { createLedger } from './ledger.ts'
import { loadUntilDeath } from './load-until-death.ts'
import { makeMemories } from './make-memories.ts'
import type { MortalService } from './mortal-service.ts'
import { type Dying, planDeaths } from './plan-deaths.ts'
import { createRandom, type Random } from './random.ts'
import { describeInstallation } from './support/scaled-installation.ts'

const IS_SHORT = process.env['SOAK_KILLS'] === undefined
const KILLS = IS_SHORT ? 3 : Math.ceil(Number(process.env['SOAK_KILLS']) / 2)
const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000)
const CLIENTS = 4
const SHARED_MEMORIES = 2
/** Entries of earlier rounds to read again after each kill. */
const READ_AGAIN = 4
/** The share of interrupted requests to repeat under their key. */
const SENT_AGAIN = 0.7
/** Work of a dead process may restart after 30 s. */
const MAX_REPEATS = 90

/**
 * Jobs belong to the worker. Compaction starts after hundreds of documents, minutes into a short
 * run; `kill.test.ts` covers those steps with one process.
 */
const API_STEPS = FAILPOINTS.filter(
  (step) => !/^job:(?:claimed|begun|ended|over)$/.test(step) && !(IS_SHORT && step.startsWith('maintenance:')),
)
const WORKER_STEPS: readonly FailpointName[] = [
  'job:claimed',
  'job:begun',
  'add:chunks-stored',
  'add:objects-stored',
  'add:about-to-commit',
  'add:committed',
  'job:ended',
  'job:over',
  'deletion:objects-gone',
  'memory-file:appended',
]

/** A process and the sequence of its deaths. */
type Victim = { service: MortalService; deaths: Generator<Dying, never>; dying: Dying }

describeInstallation('several processes', { name: 'kills' }, (installation) => {
  test(`lose, double and half-show nothing that was acknowledged over ${KILLS} kills`, async (context) => {
    context.diagnostic(`SOAK_SEED=${SEED}`)
    const random = createRandom(SEED)
    const ledger = createLedger(random.fork())
    const one = await startVictim('api', random.fork(), API_STEPS)
    const two = await startVictim('api', random.fork(), API_STEPS)
    const worker = await startVictim('worker', random.fork(), WORKER_STEPS)
    const victims = [one, two, worker]
    const nodes = [one.service, two.service]
    const held: Installation = { nodes, ledger, auditStorage: () => auditByDoctor(installation().settings) }
    const shared = await makeMemories(one.service, ledger, SHARED_MEMORIES)
    const cutOff: Client[] = []
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const victim = victims[kill % victims.length] ?? assert.fail()
      // New clients for each kill: interrupted requests are repeated at the end.
      const clients = Array.from({ length: CLIENTS }, (_, index) =>
        createClient({
          nodes,
          ledger,
          shared,
          random: random.fork(),
          index: kill * CLIENTS + index,
          mostRepeats: MAX_REPEATS,
        }),
      )
      cutOff.push(...clients)
      const before = ledger.entries.size
      await loadUntilDeath({ ...victim, clients, ledger, random })
      for (const { service } of victims) assert.ok(service === victim.service || !service.isDead(), 'another one died')
      await startAgain(victim)
      const where = `after kill ${kill}, SOAK_SEED=${SEED}`
      assert.deepEqual(await checkLists(held, { isFinal: false }), [], where)
      const entries = [...ledger.entries.values()]
      const chosen = [...entries.slice(before), ...Array.from({ length: READ_AGAIN }, () => random.pick(entries))]
      const node = random.pick(nodes) ?? assert.fail()
      const readable = chosen.filter((entry) => entry !== undefined)
      assert.deepEqual(await checkReads({ nodes: [node], ledger }, readable, ['lexical']), [], where)
    }
    const deaths = victims.map(({ service }) => [...service.deaths().keys()].join(', '))
    context.diagnostic(`died at: ${deaths.join(' | ')}`)
    for (const client of cutOff) if (random.chance(SENT_AGAIN)) await client.sendAgain()
    assert.deepEqual(await checkEverything(held), [], `in the end, SOAK_SEED=${SEED}`)
    context.diagnostic(`${ledger.entries.size} documents, ${ledger.jobIds.size} jobs`)
  })

  async function startVictim(role: 'api' | 'worker', random: Random, steps: readonly FailpointName[]): Promise<Victim> {
    const deaths = planDeaths(random, steps)
    const dying = deaths.next().value
    const service = installation().createNode(role)
    service.destine(dying.death)
    await service.start()
    return { service, deaths, dying }
  }
})

async function startAgain(victim: Victim): Promise<void> {
  victim.dying = victim.deaths.next().value
  victim.service.destine(victim.dying.death)
  await victim.service.start()
}
