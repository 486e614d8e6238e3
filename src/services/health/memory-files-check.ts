import type { Kysely } from 'kysely'
import { withTimeout } from '../../concurrency/wait.ts'
import { listFilesWithChunks } from '../../database/memories/memories-table.ts'
import type { Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { Check } from './health-service.ts'

/** Minimum interval between checks after a success, or ten times the duration of the check. */
const CHECK_INTERVAL_MS = 5000
const INTERVAL_FACTOR = 10
/**
 * Maximum wait for a slow check. After this time the previous result is reported, so that many
 * memories do not fail the health probe.
 */
const WAIT_TIMEOUT_MS = 500

/** Dependencies of the check. */
type MemoryFilesCheckDeps = {
  db: Kysely<Tables>
  listFiles(): Promise<string[]>
  intervalMs?: number
  waitTimeoutMs?: number
}

/** Result of a check: `null` if no memory file is missing. */
type CheckResult = { failure: unknown } | null

/**
 * Creates a check that rejects with `data_damaged` while a memory with chunks has no memory file,
 * for example after an incomplete restore. Concurrent calls share one check, no matter how long it
 * takes.
 */
export function createMemoryFilesCheck(deps: MemoryFilesCheckDeps): Check {
  const { intervalMs = CHECK_INTERVAL_MS, waitTimeoutMs = WAIT_TIMEOUT_MS } = deps
  let wholeUntilMs = 0
  let last: { finding: CheckResult } | null = null
  let looking: Promise<CheckResult> | null = null

  async function look(): Promise<CheckResult> {
    const begunAt = performance.now()
    const finding = await checkFiles(deps)
    const endedAt = performance.now()
    if (finding === null) wholeUntilMs = endedAt + Math.max(intervalMs, INTERVAL_FACTOR * (endedAt - begunAt))
    last = { finding }
    looking = null
    return finding
  }

  return async () => {
    if (performance.now() < wholeUntilMs) return
    looking ??= look()
    const finding = last === null ? await looking : await withTimeout(looking, waitTimeoutMs, last.finding)
    if (finding !== null) throw finding.failure
  }
}

async function checkFiles({ db, listFiles }: MemoryFilesCheckDeps): Promise<CheckResult> {
  try {
    const missing = await countMissingFiles(db, listFiles)
    if (missing === 0) return null
    const files = pluralize(missing, 'memory file is', 'memory files are')
    return { failure: new ApiError('data_damaged', { message: `${files} missing: restore the data from a backup.` }) }
  } catch (failure) {
    return { failure }
  }
}

async function countMissingFiles(db: Kysely<Tables>, listFiles: () => Promise<string[]>): Promise<number> {
  const filled = await listFilesWithChunks(db)
  const there = new Set(await listFiles())
  const missing = [...filled].filter(([, file]) => !there.has(file))
  if (missing.length === 0) return 0
  // Check again: a deletion removes the memory row before its file, and a switch of files updates
  // the row before the old file is deleted.
  const now = await listFilesWithChunks(db)
  return missing.filter(([id, file]) => now.get(id) === file).length
}
