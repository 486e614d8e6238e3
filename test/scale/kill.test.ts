/**
 * Nothing that was acknowledged is lost: clients write, delete and search while the service is killed at random moments,
 * again and again. `SOAK_KILLS=100` for more kills than the usual 20, `SOAK_SEED` to repeat a run's choices.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { assertStatus } from '../spec/answer.ts'
import { createService, type Service } from '../spec/service.ts'
import type { Memory } from '../spec/shapes.ts'
import { endOfJob } from '../spec/steps.ts'
import { auditDataFolder } from './audit.ts'
import { createClient } from './client.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createRandom } from './random.ts'
import { settle } from './settle.ts'
import { verify } from './verify.ts'

const KILLS = Number(process.env['SOAK_KILLS'] ?? 20)
const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000)
const CLIENTS = 6
const SHARED_MEMORIES = 2
/** Lines of the log that a failure shows. */
const LAST_LINES = 15
/** No round waits longer for its load. */
const LOAD_MS = 20_000
/** The limit of the promise: ready again in under 10 s. */
const READY_MS = 10_000
/** Share of the requests cut off by a kill that are sent again under their key; the others must leave nothing behind. */
const SENT_AGAIN = 0.7
/** Entries of earlier rounds that are read again after each kill. */
const READ_AGAIN = 5

/** `load` rejects with what the clients find wrong. */
type Load = { load: Promise<unknown>; ledger: Ledger; documents: number; thenMs: number }

test(`nothing acknowledged is lost, doubled or half visible over ${KILLS} kills`, async (context) => {
  context.diagnostic(`SOAK_SEED=${SEED}`)
  const random = createRandom(SEED)
  const ledger = createLedger(random.fork())
  const service = createService({ RECOLLECT_LOG_LEVEL: 'info' })
  const readyMs: number[] = []
  let kills = 0
  await service.start()
  try {
    const shared = await makeShared(service, ledger)
    for (let kill = 1; kill <= KILLS; kill += 1) {
      kills = kill - 1
      let isKilled = false
      const clients = Array.from({ length: CLIENTS }, (_, index) =>
        createClient({ service, ledger, random: random.fork(), index, shared }),
      )
      const load = Promise.all(clients.map((client) => client.run(() => isKilled)))
      await someLoad({ load, ledger, documents: random.between(5, 70), thenMs: random.below(60) })
      isKilled = true
      await service.kill()
      await load
      // Sometimes it dies again while it comes up and clears what the first death left.
      if (random.chance(0.25)) await killAtStart(service, random.below(1500))
      readyMs.push(await startUntilReady(service))
      const where = `after kill ${kill}, SOAK_SEED=${SEED}`
      assert.deepEqual((await settle(service, ledger)).problems, [], where)
      // Whether or not the first one was committed: it is done once, and not by halves.
      for (const client of clients) if (random.chance(SENT_AGAIN)) await client.sendAgain()
      assert.deepEqual((await settle(service, ledger)).problems, [], `${where}, all sent again`)
      const changed = [...ledger.entries.values()].filter(({ verified }) => !verified)
      const again = Array.from({ length: READ_AGAIN }, () => random.pick([...ledger.entries.values()]))
      const chosen = [...changed, ...again.filter((entry) => entry !== undefined)]
      assert.deepEqual(
        await verify({ service, ledger, modes: kill % 2 === 0 ? ['lexical'] : ['hybrid'] }, chosen),
        [],
        where,
      )
      assert.deepEqual(await auditDataFolder(service.dataDirectory), [], where)
    }
    await endOfAllJobs(service, ledger)
    const atTheEnd = `at the end, SOAK_SEED=${SEED}`
    assert.deepEqual((await settle(service, ledger)).problems, [], atTheEnd)
    await service.restart()
    assert.deepEqual((await settle(service, ledger)).problems, [], atTheEnd)
    assert.deepEqual(
      await verify({ service, ledger, modes: ['lexical', 'hybrid'] }, [...ledger.entries.values()]),
      [],
      atTheEnd,
    )
    assert.deepEqual(await auditDataFolder(service.dataDirectory), [], atTheEnd)
    const errors = service.output().split('\n').filter(isError)
    assert.deepEqual(errors, [], 'the log holds no errors')
    const states = Object.groupBy(ledger.entries.values(), ({ state }) => state)
    const counts = Object.entries(states).map(([state, entries]) => `${entries?.length} ${state}`)
    context.diagnostic(
      `${counts.join(', ')}; ${ledger.jobIds.size} jobs; ready after ${Math.max(...readyMs)} ms at most`,
    )
  } catch (error) {
    const lines = service.output().split('\n')
    context.diagnostic(`after ${kills} kills; the last of the log's warnings and errors:`)
    for (const line of lines.filter(isComplaint).slice(-LAST_LINES)) context.diagnostic(line)
    throw error
  } finally {
    await service.dispose()
  }
})

async function makeShared(service: Service, ledger: Ledger) {
  const shared = Array.from({ length: SHARED_MEMORIES }, () => ledger.sendMemory(null))
  for (const memory of shared) {
    const answer = await service.post<Memory>('/v1/memories', { name: memory.name })
    assertStatus(answer, 201)
    Object.assign(memory, { id: answer.json.id, state: 'there' })
  }
  return shared
}

/** Waits for so many documents to be sent, so that a slow machine is killed at as much work as a fast one. */
async function someLoad({ load, ledger, documents, thenMs }: Load): Promise<void> {
  const goal = ledger.entries.size + documents
  const until = Date.now() + LOAD_MS
  while (ledger.entries.size < goal && Date.now() < until) await Promise.race([load, setTimeout(5)])
  await Promise.race([load, setTimeout(thenMs)])
}

async function killAtStart(service: Service, afterMs: number): Promise<void> {
  const starting = service.start().catch(() => undefined)
  await setTimeout(afterMs)
  await service.kill()
  await starting
}

async function startUntilReady(service: Service): Promise<number> {
  const started = performance.now()
  await service.start()
  assertStatus(await service.get('/health/ready', { key: null }), 200)
  const elapsedMs = Math.round(performance.now() - started)
  assert.ok(elapsedMs < READY_MS, `ready after ${elapsedMs} ms`)
  return elapsedMs
}

/** Every job that was accepted ends well, or because what it worked for was deleted. */
async function endOfAllJobs(service: Service, ledger: Ledger): Promise<void> {
  for (const jobId of ledger.jobIds) {
    const { status, errorCode } = await endOfJob(service, jobId)
    const isDeleted = ['document_not_found', 'memory_not_found', 'cancelled'].includes(errorCode ?? '')
    assert.ok(status === 'completed' || isDeleted, `${jobId} ended ${status}, ${errorCode}`)
    if (status === 'completed') continue
    const kept = [...ledger.entries.values()].filter((entry) => entry.jobId === jobId && entry.state !== 'gone')
    assert.deepEqual(kept, [], `${jobId} ended as ${errorCode} and its documents were kept`)
  }
}

const isError = (line: string) => line.includes('"level":"error"')
const isComplaint = (line: string) => isError(line) || line.includes('"level":"warn"')
