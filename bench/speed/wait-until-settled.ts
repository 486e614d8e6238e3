import { setTimeout as pause } from 'node:timers/promises'
import type { Table } from '@lancedb/lancedb'
import type { Service } from '../service.ts'

const LOOK_EVERY_MS = 1000
const QUIET_LOOKS = 5
/** The processor time of one core in an interval; more means running compaction. */
const IDLE_CPU_MS = 150
const MAX_WAIT_MS = 15 * 60_000
/** The unindexed rows that the service leaves in an idle memory. */
const ALLOWED_UNINDEXED = { rows: 256, share: 0.005 } as const

/** The state of a memory file after a load; `waitedMs` until the last change. */
export type Settled = { waitedMs: number; rows: number; unindexed: number }

/**
 * Resolves when the full-text index is almost complete, and for five seconds the table had no new
 * version and the service almost no work. Resolves after a quarter of an hour at the latest.
 */
export async function waitUntilSettled(service: Service, table: Table): Promise<Settled> {
  const started = performance.now()
  let [version, cpuMs, since] = [await table.version(), service.cpuMs() ?? 0, started]
  for (let quiet = 0; ; quiet += 1) {
    await pause(LOOK_EVERY_MS)
    const [newest, spentMs] = [await table.version(), service.cpuMs() ?? 0]
    if (newest !== version || spentMs - cpuMs > IDLE_CPU_MS) {
      quiet = 0
      since = performance.now()
    }
    version = newest
    cpuMs = spentMs
    if (quiet < QUIET_LOOKS) continue
    const settled = await look(table, since - started)
    if (settled.unindexed <= Math.max(ALLOWED_UNINDEXED.rows, settled.rows * ALLOWED_UNINDEXED.share)) return settled
    if (performance.now() - started > MAX_WAIT_MS) return settled
  }
}

async function look(table: Table, waitedMs: number): Promise<Settled> {
  const rows = await table.countRows()
  return { waitedMs, rows, unindexed: (await table.indexStats('terms_idx'))?.numUnindexedRows ?? rows }
}
