import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from '../spec/service.ts'

const PATIENCE_MS = 120_000
const LOOK_MS = 200

/**
 * Waits for readiness, or for the opposite. Readiness checks have 2 s, which is short on a busy
 * machine.
 */
export async function untilReady(service: Service, wanted = true): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (((await service.get('/health/ready', { key: null })).status === 200) !== wanted) {
    assert.ok(performance.now() < until, wanted ? 'it did not become ready' : 'it says that it is ready')
    await pause(LOOK_MS)
  }
}
