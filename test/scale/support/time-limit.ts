import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'

/**
 * Linux says there how long somebody had to wait for a processor
 * (https://docs.kernel.org/accounting/psi.html).
 */
const PRESSURE = '/proc/pressure/cpu'
/** However busy the machine is. */
const MAX_FACTOR = 4

/**
 * Starts a timer for a promise of at most `mostMs`; the returned function throws after a longer
 * time. Time spent waiting for a processor does not count. Four times the limit always fails, and
 * the plain limit applies where the system does not report waiting times.
 */
export function startLimit(mostMs: number): () => void {
  const [startedMs, starvedBeforeMs] = [performance.now(), readStarvedMs()]
  return () => {
    const elapsedMs = Math.round(performance.now() - startedMs)
    const starvedMs = starvedBeforeMs === null ? elapsedMs : (readStarvedMs() ?? 0) - starvedBeforeMs
    const isKept = elapsedMs - starvedMs < mostMs && elapsedMs < MAX_FACTOR * mostMs
    assert.ok(isKept, `it took ${elapsedMs} ms, in ${Math.round(starvedMs)} of which somebody waited for a processor`)
  }
}

function readStarvedMs(): number | null {
  if (!existsSync(PRESSURE)) return null
  const [, total] = /^some .*total=(\d+)/m.exec(readFileSync(PRESSURE, 'utf8')) ?? []
  return total === undefined ? null : Number(total) / 1000
}
