import { setTimeout as pause } from 'node:timers/promises'
import { makeMemory } from '../load.ts'
import type { Service } from '../service.ts'
import { timeEach } from '../timings.ts'
import type { Scaled } from './open-scaled.ts'
import type { WaitingModel } from './start-waiting-model.ts'

/** The measurements of a queue with a number of workers. */
export type Worked = {
  workers: number
  jobs: number
  /** From the start of the first job to the end of the last, by the database's clock. */
  seconds: number
  /** The mean time of a job from start to end. */
  jobSeconds: number
  /** Processor time of all workers for a job, in milliseconds. */
  cpuMs: number
}

type Job = { id: string; status: string; startedAt: string; completedAt: string }

const PAGE = 100
const POLL_MS = 250
/** Many times the total of all jobs of a measurement. */
const PATIENCE_MS = 600_000

/** Concurrent clients that submit jobs. */
const CALLERS = 4
/** Concurrent jobs of a worker on two cores. */
const PLACES = 2

/** The number of workers and jobs, and the process that accepts the jobs. */
export type Measuring = Pick<Worked, 'workers' | 'jobs'> & { scaled: Scaled; api: Service }

/**
 * Jobs with short texts that wait for the model, as others wait for a parser, without processor
 * load.
 */
export function measureWaiting(measuring: Measuring & { model: WaitingModel }): Promise<Worked> {
  return measure(measuring, (number) => `Note ${number} of ${measuring.workers} tells of the tide.`)
}

/** Jobs with processor load: texts of some 40 chunks. */
export function measureTexts(measuring: Measuring): Promise<Worked> {
  const line = (number: number, at: number) => `Line ${at} of log ${number} of ${measuring.workers} tells of the tide.`
  return measure(measuring, (number) => Array.from({ length: 400 }, (_, at) => line(number, at)).join('\n'))
}

/** A memory for each job, since workers take one job of a memory at a time first. */
async function measure(
  { scaled, api, workers, jobs, model }: Measuring & { model?: WaitingModel },
  textOf: (number: number) => string,
): Promise<Worked> {
  const started: Service[] = []
  for (let count = 0; count < workers; count += 1) started.push(await scaled.start('worker', model?.settings))
  const accept = async (number: number) => {
    const memoryId = await makeMemory(api, `${workers} ${number}`)
    const documents = [{ title: 't', text: textOf(number) }]
    await api.send('POST', `/v1/memories/${memoryId}/documents`, { documents, options: { async: true } })
  }
  // The first run of a process takes longer.
  const places = PLACES * workers
  await timeEach(numbersTo(places), CALLERS, accept)
  let release = () => {}
  if (model !== undefined) {
    await allEnded(api, places)
    // All slots are busy until every other job waits, so the waiting jobs start together.
    release = model.hold()
    await timeEach(numbersTo(places), CALLERS, accept)
  }
  const before = totalCpu(started)
  await timeEach(numbersTo(jobs), CALLERS, (number) => accept(places + number))
  release()
  const done = await allEnded(api, jobs)
  const cpuMs = (totalCpu(started) - before) / jobs
  for (const worker of started) await worker.stop()
  const starts = done.map(({ startedAt }) => Date.parse(startedAt))
  const ends = done.map(({ completedAt }) => Date.parse(completedAt))
  const seconds = (Math.max(...ends) - Math.min(...starts)) / 1000
  return { workers, jobs, seconds, jobSeconds: (sum(ends) - sum(starts)) / jobs / 1000, cpuMs }
}

/** The newest jobs after all have ended. Rejects with unfinished jobs after a time. */
async function allEnded(api: Service, count: number): Promise<Job[]> {
  const late = AbortSignal.timeout(PATIENCE_MS)
  for (;;) {
    const { jobs } = (await api.send('GET', `/v1/jobs?limit=${PAGE}`)) as { jobs: Job[] }
    const ours = jobs.slice(0, count)
    const open = ours.filter(({ status }) => status !== 'completed')
    if (ours.length === count && open.length === 0) return ours
    const failed = late.aborted ? open : open.filter(({ status }) => status === 'failed')
    if (failed.length > 0) throw new Error(`jobs that were not done: ${JSON.stringify(failed)}`)
    await pause(POLL_MS)
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number)
}

function totalCpu(services: readonly Service[]): number {
  return sum(services.map((service) => service.cpuMs() ?? 0))
}
