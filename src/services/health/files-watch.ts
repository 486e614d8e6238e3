import type { Kysely } from 'kysely'
import { withTimeout } from '../../concurrency/wait.ts'
import { listFilled } from '../../database/memories/memories-table.ts'
import type { Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { Check } from './health-service.ts'

/** Minimum interval between checks after a success, or ten times the duration of the check. */
const PAUSE_MS = 5000
const PAUSE_FACTOR = 10
/**
 * Maximum wait for a slow check. After this time the previous result is reported, so that many
 * memories do not fail the health probe.
 */
const PATIENCE_MS = 500

/** Dependencies of the check. */
type FilesWatchDeps = {
  db: Kysely<Tables>
  listFiles(): Promise<string[]>
  pauseMs?: number
  patienceMs?: number
}

/** Result of a check: `null` if no memory file is missing. */
type Finding = { failure: unknown } | null

/**
 * Creates a check that rejects with `data_damaged` while a memory with chunks has no memory file,
 * for example after an incomplete restore. Concurrent calls share one check, no matter how long it
 * takes.
 */
export function createFilesWatch(parts: FilesWatchDeps): Check {
  const { pauseMs = PAUSE_MS, patienceMs = PATIENCE_MS } = parts
  let wholeUntilMs = 0
  let last: { finding: Finding } | null = null
  let looking: Promise<Finding> | null = null

  async function look(): Promise<Finding> {
    const begunAt = performance.now()
    const finding = await findMissing(parts)
    const endedAt = performance.now()
    if (finding === null) wholeUntilMs = endedAt + Math.max(pauseMs, PAUSE_FACTOR * (endedAt - begunAt))
    last = { finding }
    looking = null
    return finding
  }

  return async () => {
    if (performance.now() < wholeUntilMs) return
    looking ??= look()
    const finding = last === null ? await looking : await withTimeout(looking, patienceMs, last.finding)
    if (finding !== null) throw finding.failure
  }
}

async function findMissing({ db, listFiles }: FilesWatchDeps): Promise<Finding> {
  try {
    const missing = await listMissing(db, listFiles)
    if (missing === 0) return null
    const files = pluralize(missing, 'memory file is', 'memory files are')
    return { failure: new ApiError('data_damaged', { message: `${files} missing: restore the data from a backup.` }) }
  } catch (failure) {
    return { failure }
  }
}

async function listMissing(db: Kysely<Tables>, listFiles: () => Promise<string[]>): Promise<number> {
  const filled = await listFilled(db)
  const there = new Set(await listFiles())
  const missing = [...filled].filter(([, file]) => !there.has(file))
  if (missing.length === 0) return 0
  // Check again: a deletion removes the memory row before its file, and a switch of files updates
  // the row before the old file is deleted.
  const now = await listFilled(db)
  return missing.filter(([id, file]) => now.get(id) === file).length
}
