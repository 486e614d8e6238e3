/**
 * Acknowledged data survives: clients write, delete and search while the service is killed
 * repeatedly, at steps of its work and at random moments. `SOAK_KILLS=100` runs more than the usual
 * 5 kills, `SOAK_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { FAILPOINTS } from '../../src/observability/failpoints.ts'
import { auditDataFolder } from './audit.ts'
import { auditByDoctor, checkEverything, checkJobs, checkLists, checkReads, type Installation } from './checker.ts'
import { type Client, createClient } from './client.ts'
import { createLedger } from './ledger.ts'
import { loadUntilDeath } from './load-until-death.ts'
import { makeMemories } from './make-memories.ts'
import { createMortalService, type MortalService } from './mortal-service.ts'
import { planDeaths } from './plan-deaths.ts'
import { readProcessorMs } from './processor-time.ts'
import { createRandom, type Random } from './random.ts'
import { untilReady } from './until-ready.ts'

const KILLS = Number(process.env['SOAK_KILLS'] ?? 5)
const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000)
const CLIENTS = 6
const SHARED_MEMORIES = 2
/** Log lines shown by a failure. */
const LAST_LINES = 15
/**
 * The limit of the promise: ready again in under 10 s. Of processor time, since the machine may be
 * busy with other work.
 */
const READY_MS = 10_000
/**
 * The share of interrupted requests to repeat under their key; the others must leave nothing
 * behind.
 */
const SENT_AGAIN = 0.7
/** Entries of earlier rounds to read again after each kill. */
const READ_AGAIN = 5

test(`nothing acknowledged is lost, doubled or half visible over ${KILLS} kills`, async (context) => {
  context.diagnostic(`SOAK_SEED=${SEED}`)
  const random = createRandom(SEED)
  const ledger = createLedger(random.fork())
  const service = createMortalService({ RECOLLECT_LOG_LEVEL: 'info' })
  const auditStorage = () => auditDataFolder(service.dataDirectory)
  const installation: Installation = { nodes: [service], ledger, auditStorage }
  const deaths = planDeaths(random.fork(), FAILPOINTS)
  const readyMs: number[] = []
  let kills = 0
  try {
    let dying = deaths.next().value
    service.destine(dying.death)
    await service.start()
    const shared = await makeMemories(service, ledger, SHARED_MEMORIES)
    for (let kill = 1; kill <= KILLS; kill += 1) {
      kills = kill - 1
      const clients = Array.from({ length: CLIENTS }, (_, index) =>
        createClient({ nodes: [service], ledger, random: random.fork(), index, shared }),
      )
      await loadUntilDeath({ service, clients, ledger, dying, random })
      // Some starts die again while they clean up after the first death.
      if (random.chance(0.25)) await dieAtStart(service, random)
      dying = deaths.next().value
      service.destine(dying.death)
      readyMs.push(await startUntilReady(service))
      await checkRound(installation, { clients, random, kill })
    }
    const atTheEnd = `at the end, SOAK_SEED=${SEED}`
    assert.deepEqual(await checkJobs(installation), [], atTheEnd)
    assert.deepEqual(await checkLists(installation), [], atTheEnd)
    service.destine(null)
    await service.restart()
    assert.deepEqual(await checkEverything(installation), [], atTheEnd)
    await service.stop()
    const settings = { RECOLLECT_DATA_DIR: service.dataDirectory }
    assert.deepEqual(await auditByDoctor(settings), [], atTheEnd)
    const errors = service.output().split('\n').filter(isError)
    assert.deepEqual(errors, [], 'the log holds no errors')
    const states = Object.groupBy(ledger.entries.values(), ({ state }) => state)
    const counts = Object.entries(states).map(([state, entries]) => `${entries?.length} ${state}`)
    context.diagnostic(
      `${counts.join(', ')}; ${ledger.jobIds.size} jobs; ready after ${Math.max(...readyMs)} ms of processor time at most`,
    )
    context.diagnostic(`died at ${[...service.deaths()].map(([step, times]) => `${step} ${times}`).join(', ')}`)
  } catch (error) {
    const lines = service.output().split('\n')
    context.diagnostic(`died at ${[...service.deaths().keys()].join(', ')}`)
    context.diagnostic(`after ${kills} kills; the last of the log's warnings and errors:`)
    for (const line of lines.filter(isComplaint).slice(-LAST_LINES)) context.diagnostic(line)
    throw error
  } finally {
    // The end of the process after a failure does not matter.
    await service.kill()
    await service.dispose()
  }
})

async function dieAtStart(service: MortalService, random: Random): Promise<void> {
  const step = random.pick(FAILPOINTS) ?? assert.fail()
  service.destine({ step, times: 1, afterMs: 0, atOnce: true })
  const starting = service.start().catch(() => undefined)
  await setTimeout(random.below(1500))
  await service.kill()
  await starting
}

async function startUntilReady(service: MortalService): Promise<number> {
  await service.start()
  await untilReady(service)
  const spentMs = readProcessorMs(service.pid)
  assert.ok(spentMs < READY_MS, `ready after ${spentMs} ms of processor time`)
  return spentMs
}

type Round = { clients: readonly Client[]; random: Random; kill: number }

async function checkRound(installation: Installation, { clients, random, kill }: Round): Promise<void> {
  const where = `after kill ${kill}, SOAK_SEED=${SEED}`
  const { ledger } = installation
  assert.deepEqual(await checkLists(installation), [], where)
  // Committed or not, the first request has a complete effect exactly once.
  for (const client of clients) if (random.chance(SENT_AGAIN)) await client.sendAgain()
  assert.deepEqual(await checkLists(installation), [], `${where}, all sent again`)
  const changed = [...ledger.entries.values()].filter(({ verified }) => !verified)
  const again = Array.from({ length: READ_AGAIN }, () => random.pick([...ledger.entries.values()]))
  const chosen = [...changed, ...again.filter((entry) => entry !== undefined)]
  assert.deepEqual(await checkReads(installation, chosen, kill % 2 === 0 ? ['lexical'] : ['hybrid']), [], where)
  assert.deepEqual(await installation.auditStorage(), [], where)
}

const isError = (line: string) => line.includes('"level":"error"')
const isComplaint = (line: string) => isError(line) || line.includes('"level":"warn"')
