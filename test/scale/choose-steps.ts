import { randomInt } from 'node:crypto'
import { createRandom } from './random.ts'

/**
 * Picks `count` steps by a printed seed, which SOAK_SEED repeats; the order is kept. A death at
 * every step takes minutes: SOAK_STEPS=`all` runs all.
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
