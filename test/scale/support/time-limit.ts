import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'

/** Linux says there how long somebody had to wait for a processor (https://docs.kernel.org/accounting/psi.html). */
const PRESSURE = '/proc/pressure/cpu'
/** However busy the machine is. */
const MOST_TIMES = 4

/**
 * Starts to measure what is promised to take at most `mostMs`; the function it returns throws when it took longer. Time in which anybody waited
 * for a processor does not count, since how long the promise takes is not the machine's other work; four times as long is too long in any case,
 * and the limit where the system tells nothing of that time.
 */
export function startLimit(mostMs: number): () => void {
  const [startedMs, starvedBeforeMs] = [performance.now(), readStarvedMs()]
  return () => {
    const elapsedMs = Math.round(performance.now() - startedMs)
    const starvedMs = starvedBeforeMs === null ? elapsedMs : (readStarvedMs() ?? 0) - starvedBeforeMs
    const isKept = elapsedMs - starvedMs < mostMs && elapsedMs < MOST_TIMES * mostMs
    assert.ok(isKept, `it took ${elapsedMs} ms, in ${Math.round(starvedMs)} of which somebody waited for a processor`)
  }
}

function readStarvedMs(): number | null {
  if (!existsSync(PRESSURE)) return null
  const [, total] = /^some .*total=(\d+)/m.exec(readFileSync(PRESSURE, 'utf8')) ?? []
  return total === undefined ? null : Number(total) / 1000
}
