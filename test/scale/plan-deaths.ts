import type { Step } from '../../src/observability/failpoints.ts'
import type { Death } from './mortal-service.ts'
import type { Random } from './random.ts'

/** How a process ends: at a step, or by a signal when clients have sent so many documents since it was ready. */
export type Dying = { death: Death | null; documents: number }

/** Steps that every few requests come to. Others are reached now and then, so that the first time is waited for. */
const FREQUENT: readonly Step[] = [
  'add:intended',
  'add:chunks-stored',
  'add:objects-stored',
  'add:about-to-commit',
  'add:committed',
  'memory-file:appended',
]
/** A lingering death falls somewhere into what the step begins, such as the compaction. */
const MOST_LINGER_MS = 80

/** Deaths without end: each of the steps in turn, in an order by chance, and every third one at a moment by chance. */
export function* planDeaths(random: Random, steps: readonly Step[]): Generator<Dying, never> {
  for (let queue: Step[] = []; ; ) {
    if (queue.length === 0) queue = shuffle(random, steps)
    for (const step of queue.splice(0, 2)) {
      const times = FREQUENT.includes(step) ? random.between(1, 12) : 1
      const afterMs = random.chance(0.4) ? random.below(MOST_LINGER_MS) : 0
      yield { death: { step, times, afterMs }, documents: 0 }
    }
    yield { death: null, documents: random.between(5, 70) }
  }
}

function shuffle(random: Random, steps: readonly Step[]): Step[] {
  const left = [...steps]
  return steps.map(() => left.splice(random.below(left.length), 1)[0] as Step)
}
