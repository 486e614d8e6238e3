import { setImmediate as nextTurn } from 'node:timers/promises'
import { getStoredDocument, isBeingReprocessed, listMemoryIds } from '../../database/memories/inventory.ts'
import { currentFileOf, getFilesOfMemory } from '../../database/memories/memories-table.ts'
import { getTaskProgress, setTaskProgress } from '../../database/process-tables.ts'
import { type Document, LIVE_STATUSES } from '../../database/schema.ts'
import { TERMS_VERSION } from '../../engine/analysis/analyzer.ts'
import { isDamage, isOutOfFiles, isOutOfRoom } from '../../errors.ts'
import type { ChunkRow } from '../../memory-file/memory-file.ts'
import { isUnsupportedFileVersion } from '../../memory-file/store-errors.ts'
import type { Blobs } from '../../objects/blobs.ts'
import type { Log } from '../../observability/log.ts'
import { analyzeChunk } from '../ingest/indexing/embed-chunks.ts'
import { headingOfRow } from '../ingest/indexing/indexed-facts.ts'
import { type RebuildTermsDeps, rebuildTerms } from './rebuild-chunks.ts'

/** Name of the progress marker. */
const PROGRESS_NAME = 'terms'
const MEMORIES_PER_BATCH = 100
/** Chunks per event-loop turn, about 3 ms. */
const CHUNKS_PER_TURN = 64
/**
 * Attempts before an unreadable memory file counts as damaged: Lance does not distinguish damage
 * from a passing error.
 */
const MAX_ATTEMPTS = 3

/** Dependencies of the renewal. */
export type RenewalDeps = RebuildTermsDeps & { blobs: Pick<Blobs, 'probe'>; log: Pick<Log, 'info' | 'warn' | 'error'> }

/**
 * Creates a task that rebuilds the terms of all chunks once, after an update that changed the
 * analysis; one process at a time. It resumes after the last finished memory and stops with the
 * signal. The next call retries a memory that is being re-embedded, has a document in processing,
 * or whose file fails. An unreadable memory is skipped and logged at each start, with the repair.
 * Rejects if a store does not respond or is full.
 */
export function createTermsRenewal(deps: RenewalDeps, version = TERMS_VERSION): (signal: AbortSignal) => Promise<void> {
  const left: UnfinishedMemories = { unreadable: new Set(), postponed: new Map() }
  let isThrough = false
  return async (signal) => {
    const mark = await getTaskProgress(deps.db, PROGRESS_NAME)
    const isOurs = mark?.version === version
    if (isOurs && mark.reached === null) return
    const renewal = { ...left, signal, version }
    const from = isOurs ? (mark.reached ?? '') : ''
    const documents = isThrough ? await renewPostponed(deps, renewal) : await renewFrom(deps, from, renewal)
    if (!signal.aborted) isThrough = true
    if (documents > 0) deps.log.info({ documents }, 'the index terms of an earlier version were rebuilt')
  }
}

/** Unfinished memories; `postponed` counts the failures of the file. */
type UnfinishedMemories = { unreadable: Set<string>; postponed: Map<string, number> }
type Renewal = UnfinishedMemories & { signal: AbortSignal; version: number }

/**
 * Renews the memories after `from` and returns the number of changed documents. The marker advances
 * to the first unfinished memory.
 */
async function renewFrom(deps: RenewalDeps, from: string, renewal: Renewal): Promise<number> {
  let after = from
  let documents = 0
  let ids: string[]
  do {
    ids = await listMemoryIds(deps.db, after, MEMORIES_PER_BATCH)
    for (const id of ids) {
      documents += await renewMemory(deps, id, renewal)
      if (renewal.signal.aborted) return documents
      after = id
      await saveProgress(deps, renewal, after)
    }
  } while (ids.length === MEMORIES_PER_BATCH)
  await saveProgress(deps, renewal, null)
  return documents
}

async function renewPostponed(deps: RenewalDeps, renewal: Renewal): Promise<number> {
  if (renewal.postponed.size === 0) return 0
  let documents = 0
  for (const id of [...renewal.postponed.keys()]) {
    documents += await renewMemory(deps, id, renewal)
    if (renewal.signal.aborted) return documents
  }
  await saveProgress(deps, renewal, null)
  return documents
}

async function saveProgress(deps: RenewalDeps, { unreadable, postponed, version }: Renewal, reached: string | null) {
  if (unreadable.size + postponed.size === 0) await setTaskProgress(deps.db, PROGRESS_NAME, { version, reached })
}

/** Returns the number of changed documents. */
async function renewMemory(deps: RenewalDeps, memoryId: string, renewal: Renewal): Promise<number> {
  try {
    const { documents, isDone } = await renewDocuments(deps, memoryId, renewal.signal)
    if (isDone) renewal.postponed.delete(memoryId)
    else renewal.postponed.set(memoryId, 0)
    return documents
  } catch (err) {
    if (!renewal.signal.aborted) await postponeMemory(deps, memoryId, { renewal, err })
    return 0
  }
}

/** Postpones a memory. Rejects unless its file is the cause. */
async function postponeMemory(
  deps: RenewalDeps,
  memoryId: string,
  { renewal: { unreadable, postponed }, err }: { renewal: Renewal; err: unknown },
): Promise<void> {
  if (isOutOfRoom(err) || isOutOfFiles(err)) throw err
  await deps.blobs.probe()
  const isGone = (await getFilesOfMemory(deps.db, memoryId)) === null
  const tries = (postponed.get(memoryId) ?? 0) + 1
  postponed.delete(memoryId)
  if (isGone) return
  if (!isDamage(err) && !isUnsupportedFileVersion(err) && tries < MAX_ATTEMPTS) {
    postponed.set(memoryId, tries)
    deps.log.warn({ err, memoryId }, 'the terms of a memory could not be rebuilt; retrying in the next round')
    return
  }
  unreadable.add(memoryId)
  deps.log.error(
    { err, memoryId },
    'The file of this memory cannot be read. ' +
      'Stop the service and run recollect doctor --fix to rebuild the file from the texts.',
  )
}

/**
 * Rebuilds the terms of a memory. Not done if a job wrote to the memory meanwhile, because the job
 * writes chunks it read before.
 */
async function renewDocuments(
  deps: RenewalDeps,
  memoryId: string,
  signal: AbortSignal,
): Promise<{ documents: number; isDone: boolean }> {
  const before = await getFilesOfMemory(deps.db, memoryId)
  if (before === null) return { documents: 0, isDone: true }
  if (before.next_file !== null) return { documents: 0, isDone: false }
  const { stale, isWhole } = await findStaleDocuments(deps, memoryId, signal)
  let areAll = isWhole
  for (const id of stale) if (!signal.aborted) areAll = (await rebuildTerms(deps, memoryId, id)) && areAll
  const after = await getFilesOfMemory(deps.db, memoryId)
  const isSame = after === null || (after.next_file === null && currentFileOf(after) === currentFileOf(before))
  return { documents: stale.size, isDone: areAll && isSame }
}

/**
 * State of the scan: documents with outdated terms, whether all documents could be compared, and
 * the row of the last document.
 */
type StaleScan = { stale: Set<string>; isWhole: boolean; documentId: string; row: Document | null }

/** Lists visible documents with outdated terms; incomplete if a document is being processed. */
async function findStaleDocuments(deps: RenewalDeps, memoryId: string, signal: AbortSignal): Promise<StaleScan> {
  const compared: StaleScan = { stale: new Set(), isWhole: true, documentId: '', row: null }
  for await (const chunks of deps.memoryFile.scan(memoryId, { withVectors: false })) {
    for (const [at, chunk] of chunks.entries()) {
      if (at % CHUNKS_PER_TURN === 0) await nextTurn()
      if (signal.aborted) return compared
      await compareChunk(deps, chunk, compared)
    }
  }
  return compared
}

async function compareChunk(deps: RenewalDeps, chunk: ChunkRow, compared: StaleScan): Promise<void> {
  if (compared.documentId !== chunk.documentId) {
    const found = await getVisibleDocument(deps, chunk.documentId)
    compared.documentId = chunk.documentId
    compared.row = found === 'busy' ? null : found
    if (found === 'busy') compared.isWhole = false
  }
  const { row, stale } = compared
  if (row !== null && !stale.has(row.id) && isStale(deps, chunk, row)) stale.add(row.id)
}

/**
 * Row of a visible document; `busy` while the document is processed again. `null` for a new
 * document, which already has current terms.
 */
async function getVisibleDocument({ db }: RenewalDeps, documentId: string): Promise<Document | 'busy' | null> {
  const row = await getStoredDocument(db, documentId)
  if (row === null || !LIVE_STATUSES.includes(row.status)) return null
  return (await isBeingReprocessed(db, row)) ? 'busy' : row
}

function isStale({ analyzer }: RenewalDeps, chunk: ChunkRow, row: Document): boolean {
  return analyzeChunk(analyzer, chunk, { heading: headingOfRow(row), language: row.language }) !== chunk.terms
}
