/**
 * Two processes and four writers add, replace, correct and delete in one memory during compaction.
 * `SOAK_SEED` repeats a run. Seen to fail when a transaction reads the memory before locking
 * (`lockMemory`): two replacements find the same old document. Seen to fail when a node reads stale
 * memory files (`readConsistencyInterval`): acknowledged documents of the second node are missing.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { runCommands } from '../support/api-model/run-commands.ts'
import { auditByDoctor, checkEverything, type Installation } from './checker.ts'
import { createClient } from './client.ts'
import { createLedger } from './ledger.ts'
import { makeMemories } from './make-memories.ts'
import { countReached, type MortalService } from './mortal-service.ts'
import { createRandom } from './random.ts'
import { describeInstallation } from './support/scaled-installation.ts'

const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000)
const MODEL_RUNS = Number(process.env['MODEL_RUNS'] ?? 8)
const WRITERS = 4
/** Enough for compaction, which starts after some 50 commits. */
const DOCUMENTS = 160
const LOAD_MS = 240_000
/** A request with repeated commit conflicts is answered 503, and the client repeats the request. */
const MAX_REPEATS = 20

describeInstallation('two processes that answer requests', { name: 'writers' }, (installation) => {
  let nodes: readonly MortalService[]
  let worker: MortalService
  before(async () => {
    const say = ['maintenance:compacted'] as const
    const [one, two, three] = await Promise.all([
      installation().startNode('api', { say }),
      installation().startNode('api', { say }),
      installation().startNode('worker', { say }),
    ])
    nodes = [one, two]
    worker = three
  })

  test('lose, double and mix up nothing of what four writers do to one memory while it is put in order', async (context) => {
    context.diagnostic(`SOAK_SEED=${SEED}`)
    const random = createRandom(SEED)
    const ledger = createLedger(random.fork())
    const shared = await makeMemories(nodes[0] ?? assert.fail(), ledger, 1)
    const auditStorage = () => auditByDoctor(installation().settings)
    const held: Installation = { nodes, ledger, auditStorage }
    const parts = { nodes, ledger, shared, contends: true, mostRepeats: MAX_REPEATS }
    const writers = Array.from({ length: WRITERS }, (_, index) =>
      createClient({ ...parts, random: random.fork(), index }),
    )
    const countUpkeep = () =>
      [...nodes, worker].reduce((total, node) => total + countReached(node, 'maintenance:compacted'), 0)
    const until = Date.now() + LOAD_MS
    const isOver = () => Date.now() > until || (ledger.entries.size >= DOCUMENTS && countUpkeep() > 0)
    await Promise.all(writers.map((writer) => writer.run({ isOver, wasKilled: async () => false })))
    context.diagnostic(`${ledger.entries.size} documents, put in order ${countUpkeep()} times`)
    assert.ok(countUpkeep() > 0, 'the memory was never put in order')
    assert.deepEqual(await checkEverything(held), [])
  })

  test('answer every sequence of commands as the API model predicts, on every node', async (context) => {
    context.diagnostic(`SOAK_SEED=${SEED}`)
    await runCommands(nodes, { runs: MODEL_RUNS, mostCommands: 30, seed: SEED })
  })
})
