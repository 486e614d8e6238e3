import assert from 'node:assert/strict'

/** Background load can lengthen any turn; a turn with too much work is long on every try. */
const TRIES = 4

/**
 * Asserts that the work yields: no turn of the event loop takes more than the share `most` of the
 * work. Measured in processor time of the thread; machine speed and background load do not count.
 * `prepare` creates the work for each try.
 */
export async function assertYields(
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

/**
 * The longest event loop turn during the work, and the sum of all turns, in µs of processor time of
 * the thread.
 */
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
