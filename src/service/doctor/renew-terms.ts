import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Blobs } from '../../blobs/blobs.ts'
import { TERMS_VERSION } from '../../engine/analysis/terms-version.ts'
import type { Log } from '../../log.ts'
import { getStoredDocument, listMemoryIds } from '../../store/documents/inventory.ts'
import { getMark, setMark } from '../../store/marks.ts'
import type { Document } from '../../store/schema.ts'
import { analyzeChunk } from '../ingest/indexing/analyze-chunk.ts'
import { headingOfRow } from '../ingest/indexing/heading-of.ts'
import { type RewritingParts, rewriteTerms } from './rewrite-terms.ts'

/** What it is noted under how far this has come. */
const NAME = 'terms'
const MEMORIES_A_STEP = 100
/** Chunks compared before others have their turn: some 3 ms. */
const CHUNKS_A_TURN = 64

/** What is read and written. */
export type RenewingParts = RewritingParts & { blobs: Pick<Blobs, 'probe'>; log: Pick<Log, 'info' | 'error'> }

/**
 * Makes the terms of all chunks as this version makes them, once after an update that reads words otherwise; one process at a time. Goes on behind the memory that the
 * last attempt came to, and ends early with the signal. A memory whose file cannot be read is left, and named in the log of each start, with what mends it. Rejects
 * where the store does not answer.
 */
export function createTermsRenewal(
  parts: RenewingParts,
  version = TERMS_VERSION,
): (signal: AbortSignal) => Promise<void> {
  const unreadable = new Set<string>()
  return async (signal) => {
    const mark = await getMark(parts.db, NAME)
    const isOurs = mark?.version === version
    if ((isOurs && mark.reached === null) || unreadable.size > 0) return
    const from = isOurs ? (mark.reached ?? '') : ''
    const documents = await renewFrom(parts, from, { signal, unreadable, version })
    if (documents > 0) parts.log.info({ documents }, 'the terms of documents of an earlier version were made again')
  }
}

type Renewal = { signal: AbortSignal; unreadable: Set<string>; version: number }

/** The documents whose terms were made again, in the memories behind this one; how far it came is noted up to the first that cannot be read. */
async function renewFrom(parts: RenewingParts, from: string, renewal: Renewal): Promise<number> {
  const note = async (reached: string | null) => {
    if (renewal.unreadable.size === 0) await setMark(parts.db, NAME, { version: renewal.version, reached })
  }
  let after = from
  let documents = 0
  let ids: string[]
  do {
    ids = await listMemoryIds(parts.db, after, MEMORIES_A_STEP)
    for (const id of ids) {
      documents += await renewMemory(parts, id, renewal)
      if (renewal.signal.aborted) return documents
      after = id
      await note(after)
    }
  } while (ids.length === MEMORIES_A_STEP)
  await note(null)
  return documents
}

/** The documents whose terms were made again. */
async function renewMemory(parts: RenewingParts, memoryId: string, { signal, unreadable }: Renewal): Promise<number> {
  try {
    const stale = await listStale(parts, memoryId, signal)
    for (const id of stale) if (!signal.aborted) await rewriteTerms(parts, memoryId, id)
    return stale.size
  } catch (err) {
    if (signal.aborted) return 0
    await parts.blobs.probe()
    unreadable.add(memoryId)
    parts.log.error(
      { err, memoryId },
      'The file of this memory cannot be read. Stop the service and run recollect doctor --fix, which makes it again from the texts.',
    )
    return 0
  }
}

async function listStale(parts: RenewingParts, memoryId: string, signal: AbortSignal): Promise<Set<string>> {
  const stale = new Set<string>()
  let row: Document | null = null
  for await (const chunks of parts.memoryFile.scan(memoryId, { withVectors: false })) {
    for (const [at, chunk] of chunks.entries()) {
      if (at % CHUNKS_A_TURN === 0) await nextTurn()
      if (signal.aborted) return stale
      if (row?.id !== chunk.documentId) row = await getStoredDocument(parts.db, chunk.documentId)
      if (row === null || stale.has(row.id)) continue
      const surroundings = { heading: headingOfRow(row), language: row.language }
      if (analyzeChunk(parts.analyzer, chunk, surroundings) !== chunk.terms) stale.add(row.id)
    }
  }
  return stale
}
