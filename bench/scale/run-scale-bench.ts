import { makeMemory } from '../load.ts'
import { describeMachine } from '../machine.ts'
import { print, table } from '../report.ts'
import { findsRow, measureFinds } from './measure-nodes.ts'
import { measureTexts, measureWaiting, type Worked } from './measure-workers.ts'
import { openScaled, type Scaled } from './open-scaled.ts'
import { startWaitingModel } from './start-waiting-model.ts'

/** Ratios that are promised (workers where jobs wait, processes where the stores do). */
const LEAST = { workers: 3.8, nodes: 1.8 } as const
const WAITING_JOBS = 16
/** As long as reading a large document takes. */
const WAIT_MS = 8000
const TEXT_JOBS = 24
const FINDS = 60
const CALLERS = 16
/** Each way, to both stores: far more than a find computes, also on a machine that others keep busy. */
const DELAY_MS = 50
/** So few that a process waits for them and not for its processor, of which two on this machine would have to share one. */
const CONNECTIONS = '2'
const LINES = 2000

/** Each measures and prints its table, and says whether the promised ratio was reached. */
const PARTS: Readonly<Record<string, (scaled: Scaled) => Promise<boolean>>> = {
  waiting: measureJobsThatWait,
  texts: measureJobsThatCompute,
  finds: measureNodes,
}

/**
 * `[waiting | texts | finds] …`, all where absent: what four workers give over one where jobs wait, two processes over one where the stores make
 * them wait, and the processor time of each item, which tells what the cores of further machines would give. True when the promised ratios were
 * reached.
 */
export async function runScaleBench(args: string[]): Promise<boolean> {
  const scaled = await openScaled()
  try {
    print(describeMachine())
    let isGood = true
    for (const [name, measure] of Object.entries(PARTS)) {
      if (args.length === 0 || args.includes(name)) isGood = (await measure(scaled)) && isGood
    }
    return isGood
  } finally {
    await scaled.close()
  }
}

const WORK_HEAD = ['workers', 'jobs', 'seconds', 'jobs/s', 's a job', 'CPU, ms a job']

function workRow({ workers, jobs, seconds, jobSeconds, cpuMs }: Worked): string[] {
  const perSecond = (jobs / seconds).toFixed(2)
  return [String(workers), String(jobs), seconds.toFixed(1), perSecond, jobSeconds.toFixed(1), cpuMs.toFixed(0)]
}

async function measureJobsThatWait(scaled: Scaled): Promise<boolean> {
  const model = await startWaitingModel(WAIT_MS)
  const api = await scaled.start('api', model.settings)
  try {
    const measure = (workers: number) => measureWaiting({ scaled, api, workers, jobs: WAITING_JOBS, model })
    const [one, four] = [await measure(1), await measure(4)]
    print(table(`Jobs that wait ${WAIT_MS / 1000} s and compute little`, WORK_HEAD, [one, four].map(workRow)))
    return reaches('4 workers over 1', one.seconds / four.seconds, LEAST.workers)
  } finally {
    await api.stop()
    await model.close()
  }
}

/** Side by side on the cores that they share, so that only the processor time says something. */
async function measureJobsThatCompute(scaled: Scaled): Promise<boolean> {
  const api = await scaled.start('api')
  const measure = (workers: number) => measureTexts({ scaled, api, workers, jobs: TEXT_JOBS })
  const worked = [await measure(1), await measure(4), await measure(1), await measure(4)]
  await api.stop()
  print(table('Jobs that compute: texts of some 40 chunks', WORK_HEAD, worked.map(workRow)))
  return true
}

async function measureNodes(scaled: Scaled): Promise<boolean> {
  const settings = { RECOLLECT_DATABASE_CONNECTIONS: CONNECTIONS }
  const nodes = [await scaled.start('api', settings), await scaled.start('api', settings)] as const
  const memoryId = await makeMemory(nodes[0], 'finds')
  const text = Array.from({ length: LINES }, (_, line) => `Line ${line} of the log tells of the tide.`).join('\n')
  await nodes[0].send('POST', `/v1/memories/${memoryId}/documents`, { documents: [{ title: 't', text }] })
  const measure = (count: number) => measureFinds(nodes.slice(0, count), { memoryId, finds: FINDS, callers: CALLERS })
  // What each reads of the memory file first is not counted.
  await measureFinds(nodes, { memoryId, finds: CALLERS, callers: 2 })
  scaled.delay(DELAY_MS)
  const found = [await measure(1), await measure(2), await measure(1), await measure(2)]
  scaled.delay(0)
  print(
    table(`Finds, each store ${DELAY_MS} ms away`, ['processes', 'finds/s', 'p50, ms', 'CPU, ms'], found.map(findsRow)),
  )
  const most = (count: number) => Math.max(...found.filter((one) => one.nodes === count).map((one) => one.perSecond))
  return reaches('2 processes over 1', most(2) / most(1), LEAST.nodes)
}

function reaches(what: string, ratio: number, least: number): boolean {
  print(`${what}: ${ratio.toFixed(2)} times as many, at least ${least}.`)
  return ratio >= least
}
