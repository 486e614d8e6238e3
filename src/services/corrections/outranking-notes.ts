import type { Kysely } from 'kysely'
import { type Outranking, type StoredOutranked, storeOutranking } from '../../database/memories/corrections-table.ts'
import type { Tables } from '../../database/schema.ts'
import { CORRECTION_FIELDS } from '../../limits.ts'
import type { Log } from '../../observability/log.ts'
import { roundFigure } from '../search/figures.ts'
import type { SearchResult } from '../search/search-service.ts'

/**
 * Records asynchronously the passages that corrections outrank in searches. A search only updates a
 * map, and a timer writes the map to the database. Only the latest record per correction counts, so
 * a frequent correction costs one write per second. Failed writes are dropped, since the record is
 * only informative.
 */
/** Our choice: unwritten records are lost if the process dies. */
const DELAY_MS = 1000
/** Maximum number of pending records of about a kilobyte; the oldest are dropped. */
const MOST_WAITING = 1000

/** Records the passages that corrections last outranked. */
export type OutrankingNotes = {
  /** Records the best passages of a search for each of its corrections. */
  note(found: Pick<SearchResult, 'corrections' | 'documents'>): void
  /** Writes pending records; never rejects. */
  flush(): Promise<void>
  /** Writes pending records and ignores later ones. */
  stop(): Promise<void>
}

/** Dependencies of the recorder. */
type OutrankingNotesDeps = {
  db: Kysely<Tables>
  now: () => Date
  log: Pick<Log, 'warn'>
  delayMs?: number
}

/** Creates an empty recorder. */
export function createOutrankingNotes({ db, now, log, delayMs = DELAY_MS }: OutrankingNotesDeps): OutrankingNotes {
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
      log.warn({ err, corrections: waiting.size }, 'what corrections stood before could not be written down')
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
    note({ corrections, documents }) {
      if (isStopped || corrections.length === 0 || documents.length === 0) return
      const outranking = {
        at: now().toISOString(),
        passages: withoutCopies(documents, ({ candidate }) => candidate.chunk.text)
          .slice(0, CORRECTION_FIELDS.outranked)
          .map(toStored),
      }
      for (const { candidate } of corrections) {
        waiting.delete(candidate.document.id)
        waiting.set(candidate.document.id, outranking)
      }
      for (const id of waiting.keys()) if (waiting.size > MOST_WAITING) waiting.delete(id)
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
    score: roundFigure(score),
    lexical: roundFigure(lexical),
    semantic: roundFigure(semantic),
  }
}

/** Removes passages with equal text, keeping the first. */
export function withoutCopies<Passage>(passages: readonly Passage[], textOf: (passage: Passage) => string): Passage[] {
  const seen = new Set<string>()
  return passages.filter((passage) => {
    const text = textOf(passage)
    const isNew = !seen.has(text)
    seen.add(text)
    return isNew
  })
}
