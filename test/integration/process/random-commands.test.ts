/** `MODEL_SEED` repeats a run, `MODEL_RUNS` makes more runs. */
import test from 'node:test'
import { createService } from '../../spec/service.ts'
import { runCommands } from '../../support/api-model/run-commands.ts'

const SEED = Number(process.env['MODEL_SEED'] ?? Date.now() % 1_000_000)
const RUNS = Number(process.env['MODEL_RUNS'] ?? 8)

test('random client commands in any order are answered as the API model predicts', async (context) => {
  context.diagnostic(`MODEL_SEED=${SEED}`)
  const service = createService()
  await service.start()
  try {
    await runCommands([service], { runs: RUNS, mostCommands: 30, seed: SEED })
  } finally {
    await service.dispose()
  }
})
