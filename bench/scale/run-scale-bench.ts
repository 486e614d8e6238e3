import { makeMemory } from '../load.ts'
import { describeMachine } from '../machine.ts'
import { print, table } from '../report.ts'
import { findsRow, measureFinds } from './measure-nodes.ts'
import { measureTexts, measureWaiting, type Worked } from './measure-workers.ts'
import { openScaled, type Scaled } from './open-scaled.ts'
import { startWaitingModel } from './start-waiting-model.ts'

/** Promised ratios (workers where jobs wait, processes where the stores wait). */
const MIN_RATIOS = { workers: 3.8, nodes: 1.8 } as const
const WAITING_JOBS = 16
/** As long as reading a large document takes. */
const WAIT_MS = 8000
const TEXT_JOBS = 24
const FINDS = 60
const CALLERS = 16
/**
 * The delay in each direction to both stores: far longer than a find computes, also on a busy
 * machine.
 */
const DELAY_MS = 50
/**
 * Few connections, so a process waits for connections and not for its processor, which two
 * processes would share here.
 */
const CONNECTIONS = '2'
const LINES = 2000

/** Each part measures, prints its table, and returns whether the promised ratio was reached. */
const PARTS: Readonly<Record<string, (scaled: Scaled) => Promise<boolean>>> = {
  waiting: measureJobsThatWait,
  texts: measureJobsThatCompute,
  finds: measureNodes,
}

/**
 * `[waiting | texts | finds] …`, default all: the gain of four workers over one with waiting jobs,
 * and of two processes over one with slow stores. The processor time of each item predicts the gain
 * of further machines. True when the promised ratios were reached.
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
    return reaches('4 workers over 1', one.seconds / four.seconds, MIN_RATIOS.workers)
  } finally {
    await api.stop()
    await model.close()
  }
}

/** Side by side on shared cores, so only the processor time is meaningful. */
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
  // The first read of the memory file does not count.
  await measureFinds(nodes, { memoryId, finds: CALLERS, callers: 2 })
  scaled.delay(DELAY_MS)
  const found = [await measure(1), await measure(2), await measure(1), await measure(2)]
  scaled.delay(0)
  print(
    table(`Finds, each store ${DELAY_MS} ms away`, ['processes', 'finds/s', 'p50, ms', 'CPU, ms'], found.map(findsRow)),
  )
  const most = (count: number) => Math.max(...found.filter((one) => one.nodes === count).map((one) => one.perSecond))
  return reaches('2 processes over 1', most(2) / most(1), MIN_RATIOS.nodes)
}

function reaches(what: string, ratio: number, least: number): boolean {
  print(`${what}: ${ratio.toFixed(2)} times as many, at least ${least}.`)
  return ratio >= least
}
