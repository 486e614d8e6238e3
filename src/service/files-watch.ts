import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { listFilled } from '../store/memories/memories.ts'
import type { Tables } from '../store/schema.ts'
import { countOf } from '../text/count-of.ts'
import type { Check } from './health-service.ts'

/** What was found whole is not listed again before so long, or ten times as long as that took. */
const PAUSE_MS = 5000
const PAUSE_FACTOR = 10

/** What is compared, and where memory files are listed. */
export type FilesWatchParts = { db: Kysely<Tables>; listFiles(): Promise<string[]>; pauseMs?: number }

/** A check that rejects with `data_damaged` while a memory that has chunks has no memory file, as behind half a restore. */
export function createFilesWatch({ db, listFiles, pauseMs = PAUSE_MS }: FilesWatchParts): Check {
  let wholeUntilMs = 0
  return async () => {
    const begunAt = performance.now()
    if (begunAt < wholeUntilMs) return
    const missing = await listMissing(db, listFiles)
    if (missing > 0) {
      const files = countOf(missing, 'memory file is', 'memory files are')
      throw new ApiError('data_damaged', { message: `${files} missing: restore the data from a backup.` })
    }
    const endedAt = performance.now()
    wholeUntilMs = endedAt + Math.max(pauseMs, PAUSE_FACTOR * (endedAt - begunAt))
  }
}

async function listMissing(db: Kysely<Tables>, listFiles: () => Promise<string[]>): Promise<number> {
  const filled = await listFilled(db)
  const there = new Set(await listFiles())
  const missing = [...filled].filter(([, file]) => !there.has(file))
  if (missing.length === 0) return 0
  // A memory goes before its file does, and names another one before the old one goes.
  const now = await listFilled(db)
  return missing.filter(([id, file]) => now.get(id) === file).length
}
