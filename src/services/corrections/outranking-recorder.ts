import type { Kysely } from 'kysely'
import { type Outranking, type StoredOutranked, storeOutranking } from '../../database/memories/corrections-table.ts'
import type { Tables } from '../../database/schema.ts'
import { CORRECTION_FIELDS } from '../../limits.ts'
import type { Log } from '../../observability/log.ts'
import { roundScore } from '../search/score-format.ts'
import type { SearchResult } from '../search/search-service.ts'

/**
 * Records asynchronously the passages that corrections outrank in searches. A search only updates a
 * map, and a timer writes the map to the database. Only the latest record per correction counts, so
 * a frequent correction costs one write per second. Failed writes are dropped.
 */
/** Our choice: unwritten records are lost if the process dies. */
const WRITE_DELAY_MS = 1000
/** Maximum number of pending records of about a kilobyte; the oldest are dropped. */
const MAX_PENDING_RECORDS = 1000

/** Records the passages that corrections last outranked. */
export type OutrankingRecorder = {
  /** Records the best passages of a search for each of its corrections. */
  record(found: Pick<SearchResult, 'corrections' | 'documents'>): void
  /** Writes pending records; never rejects. */
  flush(): Promise<void>
  /** Writes pending records and ignores later ones. */
  stop(): Promise<void>
}

/** Dependencies of the recorder. */
type OutrankingRecorderDeps = {
  db: Kysely<Tables>
  now: () => Date
  log: Pick<Log, 'warn'>
  delayMs?: number
}

/** Creates an empty recorder. */
export function createOutrankingRecorder({
  db,
  now,
  log,
  delayMs = WRITE_DELAY_MS,
}: OutrankingRecorderDeps): OutrankingRecorder {
  const waiting = new Map<string, Outranking>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()
  let isStopped = false

  async function write(): Promise<void> {
    try {
      for (const [correctionId, outranking] of [...waiting]) {
        waiting.delete(correctionId)
        await storeOutranking(db, correctionId, outranking)
      }
    } catch (err) {
      log.warn({ err, corrections: waiting.size }, 'outranked passages could not be recorded')
      waiting.clear()
    }
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    writing = writing.then(write)
    return writing
  }

  return {
    record({ corrections, documents }) {
      if (isStopped || corrections.length === 0 || documents.length === 0) return
      const outranking = {
        at: now().toISOString(),
        passages: dedupeBy(documents, ({ candidate }) => candidate.chunk.text)
          .slice(0, CORRECTION_FIELDS.outranked)
          .map(toStored),
      }
      for (const { candidate } of corrections) {
        waiting.delete(candidate.document.id)
        waiting.set(candidate.document.id, outranking)
      }
      for (const id of waiting.keys()) if (waiting.size > MAX_PENDING_RECORDS) waiting.delete(id)
      timer ??= setTimeout(() => void flush(), delayMs).unref()
    },
    flush,
    async stop() {
      isStopped = true
      await flush()
    },
  }
}

function toStored({
  candidate: { chunk, document },
  score,
  scores,
}: SearchResult['documents'][number]): StoredOutranked {
  const { chunkIndex, page, startOffset, endOffset } = chunk
  const { lexical, semantic } = scores
  return {
    documentId: document.id,
    chunkIndex,
    page,
    startOffset,
    endOffset,
    score: roundScore(score),
    lexical: roundScore(lexical),
    semantic: roundScore(semantic),
  }
}

/** Removes passages with equal text, keeping the first. */
export function dedupeBy<Passage>(passages: readonly Passage[], textOf: (passage: Passage) => string): Passage[] {
  const seen = new Set<string>()
  return passages.filter((passage) => {
    const text = textOf(passage)
    const isNew = !seen.has(text)
    seen.add(text)
    return isNew
  })
}
