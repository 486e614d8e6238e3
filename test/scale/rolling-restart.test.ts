/**
 * Every process of an installation restarts in turn while programs use the installation through its
 * client, without an error. Seen to fail in three cases. A process stops before reporting not
 * ready. A process aborts running requests, and the repeat meets its first request. A worker fails
 * its job instead of returning it.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../../src/client/client.ts'
import { beginLongJob, call } from './caller.ts'
import { auditByDoctor, checkEverything } from './checker.ts'
import { createLedger } from './ledger.ts'
import { makeMemories } from './make-memories.ts'
import type { MortalService } from './mortal-service.ts'
import { createRandom } from './random.ts'
import { type Balancer, startBalancer } from './support/balancer.ts'
import { describeInstallation } from './support/scaled-installation.ts'

const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000)
const CALLERS = 4
/** The balancer checks every 250 ms and has switched by then, also on a busy machine. */
const DRAIN_SECONDS = '5'
/** Work between two restarts. */
const PAUSE_MS = 1500
const PATIENCE_MS = 60_000
const LOOK_MS = 50

describeInstallation('a rolling restart', { name: 'rolling' }, (installation) => {
  let balancer: Balancer
  let nodes: readonly MortalService[]
  let workers: readonly MortalService[]
  before(async () => {
    const settings = { RECOLLECT_DRAIN_SECONDS: DRAIN_SECONDS }
    const start = (role: 'api' | 'worker') => installation().startNode(role, { settings })
    // Two by two: a busy machine needs long for four starts.
    nodes = await Promise.all([start('api'), start('api')])
    workers = await Promise.all([start('worker'), start('worker')])
    balancer = await startBalancer(() => nodes.map(({ url }) => url))
  })
  after(() => balancer?.close())

  /** The worker that runs this job. */
  async function holderOf(jobId: string): Promise<MortalService> {
    const until = Date.now() + PATIENCE_MS
    for (;;) {
      const holder = workers.find(({ output }) => isStarted(output(), jobId))
      if (holder !== undefined) return holder
      assert.ok(Date.now() < until, 'no worker took the long job')
      await pause(LOOK_MS)
    }
  }

  test('fails no call of a client, and jobs continue', async (context) => {
    context.diagnostic(`SOAK_SEED=${SEED}`)
    const random = createRandom(SEED)
    const ledger = createLedger(random.fork())
    const [one] = nodes
    assert.ok(one)
    const [memory] = await makeMemories(one, ledger, 1)
    assert.ok(memory)
    const client = createClient({ baseUrl: balancer.url, apiKey: one.bootstrapKey })
    let isOver = false
    const callers = Array.from({ length: CALLERS }, (_, index) =>
      call({ client, ledger, random: random.fork(), memory, index }, () => isOver),
    )
    const all = Promise.all(callers)
    const long = await beginLongJob({ client, ledger, random: random.fork(), memory, index: CALLERS })
    const holder = await holderOf(long)
    for (const node of [holder, ...workers.filter((worker) => worker !== holder), ...nodes]) {
      if (node !== holder) await Promise.race([all, pause(PAUSE_MS)])
      await Promise.race([all, node.restart()])
    }
    await Promise.race([all, pause(PAUSE_MS)])
    isOver = true
    const calls = (await all).reduce((total, made) => total + made)
    context.diagnostic(`${calls} calls, ${ledger.jobIds.size} jobs, ${balancer.refused()} connections refused`)
    assert.ok(ledger.jobIds.size >= CALLERS, 'no job was taken on')
    assert.equal(balancer.vanished(), 0, 'processes that were gone before they said so')
    const auditStorage = () => auditByDoctor(installation().settings)
    assert.deepEqual(await checkEverything({ nodes, ledger, auditStorage }), [])
  })
})

function isStarted(output: string, jobId: string): boolean {
  return output.split('\n').some((line) => line.includes('job started') && line.includes(jobId))
}
