/**
 * Acknowledged deletions are final. Documents are deleted while their job adds them; the process is
 * killed at a step of either or at a random moment. After the next start and sweep, no chunk and no
 * object of the documents is left. `SOAK_KILLS=500` runs more than the usual 6 kills, `SOAK_SEED`
 * repeats a run.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { FailpointName } from '../../src/observability/failpoints.ts'
import { assertStatus } from '../spec/answer.ts'
import type { Accepted } from '../spec/shapes.ts'
import { addTexts, endOfJob, makeMemory, upload } from '../spec/steps.ts'
import { auditDataFolder } from './audit.ts'
import { auditByDoctor } from './checker.ts'
import { createMortalService, type MortalService } from './mortal-service.ts'
import { type Dying, planDeaths } from './plan-deaths.ts'
import { createRandom, type Random } from './random.ts'

const KILLS = Number(process.env['SOAK_KILLS'] ?? 6)
const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000)
/** The steps of an ingestion job and of a deletion; neither reaches other steps. */
const STEPS: readonly FailpointName[] = [
  'job:claimed',
  'job:begun',
  'memory-file:appended',
  'add:chunks-stored',
  'add:about-to-commit',
  'add:committed',
  'job:ended',
  'job:over',
  'deletion:about-to-commit',
  'deletion:committed',
  'deletion:objects-gone',
  'memory-file:rows-removed',
  'deletion:chunks-removed',
  'deletion:over',
]
/** A job has read its documents within this time, and writes for as long again. */
const MAX_BEFORE_DELETION_MS = 250
const MAX_BEFORE_KILL_MS = 100
/** Keeps memories small, so scans stay fast. */
const ROUNDS_A_MEMORY = 25
/** The progress interval of a long run. */
const SAY_EVERY = 25
const ACTIONS = ['delete one', 'delete one', 'delete all', 'replace one', 'delete the memory'] as const

type Round = { service: MortalService; memoryId: string; random: Random; dying: Dying }
type Outcome = { memoryId: string; jobId: string | null; acknowledged: string[]; isMemoryGone: boolean }

test(`nothing of documents deleted during their add is left over ${KILLS} kills`, async (context) => {
  context.diagnostic(`SOAK_SEED=${SEED}`)
  const random = createRandom(SEED)
  const service = createMortalService({ RECOLLECT_LOG_LEVEL: 'info' })
  const deaths = planDeaths(random.fork(), STEPS)
  let acknowledged = 0
  let memoryId = ''
  try {
    let dying = deaths.next().value
    service.destine(dying.death)
    await service.start()
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const isThere = memoryId !== '' && (await service.get(`/v1/memories/${memoryId}`)).status === 200
      if (!isThere || kill % ROUNDS_A_MEMORY === 0) memoryId = await makeMemory(service, `round ${kill}`)
      const outcome = await deleteAndDie({ service, memoryId, random, dying })
      acknowledged += outcome.acknowledged.length
      dying = deaths.next().value
      service.destine(dying.death)
      await service.start()
      await checkRound(service, outcome, `after kill ${kill}, SOAK_SEED=${SEED}`)
      if (kill % SAY_EVERY === 0) process.stdout.write(`${kill} kills, ${acknowledged} deletions acknowledged\n`)
    }
    await service.stop()
    context.diagnostic(`${acknowledged} deletions acknowledged; died at ${describe(service.deaths())}`)
    assert.deepEqual(await auditByDoctor({ RECOLLECT_DATA_DIR: service.dataDirectory }), [])
  } catch (error) {
    for (const line of service.output().split('\n').slice(-25)) context.diagnostic(line)
    throw error
  } finally {
    await service.kill()
    await service.dispose()
  }
})

/**
 * A job adds documents, some are deleted meanwhile, and the process dies at its step or within a
 * tenth of a second after the answer.
 */
async function deleteAndDie(round: Round): Promise<Outcome> {
  const { service, memoryId, random, dying } = round
  const outcome: Outcome = { memoryId, jobId: null, acknowledged: [], isMemoryGone: false }
  // A client with a broken connection does not know the result.
  await act(round, outcome).catch((error: unknown) => {
    if (error instanceof assert.AssertionError) throw error
  })
  if (dying.death === null) await pause(random.below(MAX_BEFORE_KILL_MS))
  // This round may not reach the step.
  else await Promise.race([service.dies(), pause(MAX_BEFORE_KILL_MS * 10)])
  await service.kill()
  return outcome
}

async function act({ service, memoryId, random }: Round, outcome: Outcome): Promise<void> {
  const externalId = randomUUID()
  // The later steps of the job come behind the deletion where they are counted from there.
  const countsAll = random.chance(0.3)
  if (countsAll) await service.arm()
  const isFile = random.chance(0.3)
  const { jobId, documentIds } = await addInBackground(service, memoryId, isFile ? null : { externalId, random })
  outcome.jobId = jobId
  await pause(random.below(MAX_BEFORE_DELETION_MS))
  if (!countsAll) await service.arm()
  // An uploaded file has no external id.
  const action = random.pick(isFile ? ACTIONS.filter((action) => action !== 'replace one') : ACTIONS)
  const [first = ''] = documentIds
  if (action === 'delete the memory') {
    const { status } = await service.delete(`/v1/memories/${memoryId}`)
    outcome.isMemoryGone = status === 204
    if (outcome.isMemoryGone) outcome.acknowledged.push(...documentIds)
  } else if (action === 'replace one') {
    const { status } = await addTexts(service, memoryId, [{ title: 'Younger', text: 'The younger one.', externalId }])
    if (status === 200) outcome.acknowledged.push(first)
  } else {
    for (const id of action === 'delete all' ? documentIds : [first]) {
      const { status } = await service.delete(`/v1/memories/${memoryId}/documents/${id}`)
      if (status === 204) outcome.acknowledged.push(id)
    }
  }
}

/** Distinct texts of some 80 chunks, or (`null`) a file of the same size. */
async function addInBackground(
  service: MortalService,
  memoryId: string,
  texts: { externalId: string; random: Random } | null,
): Promise<Accepted> {
  const makeText = () => `${randomUUID()} ${'The archive keeps every letter in a dry room. '.repeat(1400)}`
  const options = { async: true }
  const answer =
    texts === null
      ? await upload<Accepted>(service, memoryId, { content: makeText(), filename: 'archive.txt', options })
      : await service.post<Accepted>(`/v1/memories/${memoryId}/documents`, {
          documents: [
            { title: 'First', text: makeText(), externalId: texts.externalId },
            { title: 'Second', text: texts.random.chance(0.5) ? makeText() : 'A short one that stays.' },
          ],
          options,
        })
  assertStatus(answer, 202)
  return answer.json
}

async function checkRound(service: MortalService, outcome: Outcome, where: string): Promise<void> {
  const { memoryId, jobId, acknowledged, isMemoryGone } = outcome
  if (jobId !== null) await endOfJob(service, jobId)
  assert.deepEqual(await auditDataFolder(service.dataDirectory), [], where)
  for (const id of acknowledged) {
    const path = isMemoryGone ? `/v1/memories/${memoryId}` : `/v1/memories/${memoryId}/documents/${id}`
    assertStatus(await service.get(path), 404)
  }
}

function describe(deaths: ReadonlyMap<string, number>): string {
  return [...deaths].map(([step, times]) => `${step} ${times}`).join(', ')
}
