import type { Kysely } from 'kysely'
import { type Outranking, type StoredOutranked, storeOutranking } from '../../database/memories/corrections-table.ts'
import type { Tables } from '../../database/schema.ts'
import { CORRECTION_FIELDS } from '../../limits.ts'
import type { Log } from '../../observability/log.ts'
import { roundFigure } from '../search/figures.ts'
import type { SearchResult } from '../search/search-service.ts'

/**
 * Notes what corrections stand before in finds, behind the finds: a find leaves a value in memory, and one timer writes what is there. Only the last time
 * counts, so that a correction that every question finds is one row a second; and what the database does not take is given up, since it is a note.
 */
/** Our choice: what is not written yet is lost with the process. */
const DELAY_MS = 1000
/** Corrections that wait to be written; those noted longest ago give way. Ours: a kilobyte each. */
const MOST_WAITING = 1000

/** Keeps what corrections last stood before. */
export type OutrankingNotes = {
  /** Remembers the best passages of a find for each correction that stands before them. */
  note(found: Pick<SearchResult, 'corrections' | 'documents'>): void
  /** Writes what is remembered; never rejects. */
  flush(): Promise<void>
  /** The same for the last time: later notes are dropped. */
  stop(): Promise<void>
}

/** What the notes are made of. */
type OutrankingNotesDeps = {
  db: Kysely<Tables>
  now: () => Date
  log: Pick<Log, 'warn'>
  delayMs?: number
}

/** Makes them, empty. */
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

/** The same passages in their order, those with one text once: the first of them. */
export function withoutCopies<Passage>(passages: readonly Passage[], textOf: (passage: Passage) => string): Passage[] {
  const seen = new Set<string>()
  return passages.filter((passage) => {
    const text = textOf(passage)
    const isNew = !seen.has(text)
    seen.add(text)
    return isNew
  })
}
