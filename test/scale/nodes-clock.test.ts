/** The clock of one of several machines jumps a day forward and back under load. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from '../spec/service.ts'
import { auditByDoctor, checkEverything } from './checker.ts'
import { createLedger } from './ledger.ts'
import { makeMemories } from './make-memories.ts'
import { createRandom } from './random.ts'
import { describeInstallation } from './support/scaled-installation.ts'
import { makeSettableClock, type SettableClock, whyNoSettableClock } from './support/settable-clock.ts'
import { untilReady } from './until-ready.ts'
import { write } from './writer.ts'

const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000)
const DAY_SECONDS = 24 * 3600
const PHASE_MS = 4000

describeInstallation(
  'several processes, of which one machine has its clock set',
  { name: 'clocks', lacking: whyNoSettableClock() },
  (installation) => {
    let clock: SettableClock
    let right: Service
    let set: Service
    before(async () => {
      clock = makeSettableClock(join(installation().folder, 'clock'))
      right = await installation().startNode('all')
      set = await installation().startNode('all', { settings: clock.settings })
    })

    test('lose and double nothing, and the one with the right clock is not disturbed', async (context) => {
      context.diagnostic(`SOAK_SEED=${SEED}`)
      const random = createRandom(SEED)
      const ledger = createLedger(random.fork())
      const shared = await makeMemories(right, ledger, 2)
      let isOver = false
      const writers = ([right, right, set, set] as const).map((service, index) => {
        const memory = shared[index % shared.length] ?? assert.fail()
        const bears = service === set ? { refusals: [503], mayNotFind: true } : { refusals: [] }
        return write({ service, ledger, random: random.fork(), memory, index, ...bears }, () => isOver)
      })
      const all = Promise.all(writers)
      for (const seconds of [0, DAY_SECONDS, -DAY_SECONDS, 0]) {
        clock.set(seconds)
        await Promise.race([all, untilReady(set, seconds === 0)])
        await Promise.race([all, pause(PHASE_MS)])
        await Promise.race([all, untilReady(right, true)])
      }
      isOver = true
      context.diagnostic(JSON.stringify(await all))
      const auditStorage = () => auditByDoctor(installation().settings)
      assert.deepEqual(await checkEverything({ nodes: [right, set], ledger, auditStorage }), [])
      assert.doesNotMatch(right.output() + set.output(), /dead worker|lost to another worker/)
    })
  },
)
