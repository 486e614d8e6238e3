import type { FailpointName } from '../../src/observability/failpoints.ts'
import type { Death } from './mortal-service.ts'
import type { Random } from './random.ts'

/** The death of a process: at a step, or by a signal after so many documents. */
export type Dying = { death: Death | null; documents: number }

/** Steps that most requests reach. Rare steps use the first occurrence. */
const FREQUENT: readonly FailpointName[] = [
  'add:intended',
  'add:chunks-stored',
  'add:objects-stored',
  'add:about-to-commit',
  'add:committed',
  'memory-file:appended',
]
/** A delayed death hits the work started by the step, such as compaction. */
const MAX_LINGER_MS = 80

/**
 * Deaths without end: each of the steps in turn, in an order by chance, and every third one at a
 * moment by chance.
 */
export function* planDeaths(random: Random, steps: readonly FailpointName[]): Generator<Dying, never> {
  for (let queue: FailpointName[] = []; ; ) {
    if (queue.length === 0) queue = shuffle(random, steps)
    for (const step of queue.splice(0, 2)) {
      const times = FREQUENT.includes(step) ? random.between(1, 12) : 1
      const afterMs = random.chance(0.4) ? random.below(MAX_LINGER_MS) : 0
      yield { death: { step, times, afterMs }, documents: 0 }
    }
    yield { death: null, documents: random.between(5, 70) }
  }
}

function shuffle(random: Random, steps: readonly FailpointName[]): FailpointName[] {
  const left = [...steps]
  return steps.map(() => left.splice(random.below(left.length), 1)[0] as FailpointName)
}
