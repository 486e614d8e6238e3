import { randomInt } from 'node:crypto'
import { createRandom } from './random.ts'

/**
 * So many of the steps, chosen by a seed that is printed and may be given as SOAK_SEED, in their order: to die at each of them takes minutes.
 * All of them where SOAK_STEPS is `all`.
 */
export function chooseSteps<Step>(steps: readonly Step[], count: number): Step[] {
  if (process.env['SOAK_STEPS'] === 'all') return [...steps]
  const seed = Number(process.env['SOAK_SEED'] ?? randomInt(2 ** 31))
  const { below } = createRandom(seed)
  const left = [...steps]
  while (left.length > count) left.splice(below(left.length), 1)
  process.stdout.write(`steps ${left.join(', ')} (SOAK_SEED=${seed}; SOAK_STEPS=all tries all ${steps.length})\n`)
  return left
}
