import assert from 'node:assert/strict'

/** What the machine does beside it can lengthen any turn; a turn that is long of itself is so each time. */
const TRIES = 4

/**
 * Asserts that a work lets others have their turn: none of its turns of the event loop does more than the share `most` of it. Counted in processor time
 * of this thread, so that neither the speed of the machine nor what else runs on it counts. `prepare` gives the work of each try, a new one if need be.
 */
export async function assertHoldsUpNobody(
  prepare: () => Promise<() => Promise<unknown>>,
  { most = 0.1 }: { most?: number } = {},
): Promise<void> {
  const seen: string[] = []
  for (let tried = 0; tried < TRIES; tried += 1) {
    const { longest, whole } = await measureTurns(await prepare())
    if (longest <= whole * most) return
    seen.push(`${longest / 1000} of ${whole / 1000} ms`)
  }
  assert.fail(`in one turn: ${seen.join(', ')}`)
}

/** The longest turn of the event loop while the work went on and all of them together, in us of this thread's processor time. */
async function measureTurns(work: () => Promise<unknown>): Promise<{ longest: number; whole: number }> {
  let longest = 0
  let whole = 0
  let isOver = false
  let before = process.threadCpuUsage()
  const note = () => {
    const now = process.threadCpuUsage()
    const spent = now.user + now.system - before.user - before.system
    longest = Math.max(longest, spent)
    whole += spent
    before = now
  }
  const turn = () => {
    note()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  note()
  isOver = true
  return { longest, whole }
}
