import type { Kysely } from 'kysely'
import {
  type DocumentState,
  listDocumentStates,
  type StoredDocument,
} from '../../database/memories/archived-documents.ts'
import { LIVE_STATUSES, type Tables } from '../../database/schema.ts'
import type { ChunkRow } from '../../memory-file/memory-file.ts'
import type { Blobs } from '../../objects/blobs.ts'
import { documentObject } from '../document-objects.ts'
import { isSliceOf, openTextSlices, type TextSlices } from '../documents/text-slices.ts'

/** Documents looked at by one statement: some 5 ms. */
const STATES_A_STEP = 5000

/** What the archive says of a document. */
type WrittenDocument = { id: string; updatedAt: string; language: string | null; isCorrection: boolean }

/**
 * What an export has written so far. The numbers of documents count from 1 and are given as they
 * are written; one that was written again has a new number, and the old one is dropped.
 */
export type ExportLedger = {
  /** The number of a document that is about to be written. */
  note(document: WrittenDocument): number
  /** Counts chunks of a document that were written. */
  countChunks(number: number, chunks: number): void
  /** Says that something of a document was not there. */
  noteIncomplete(number: number): void
  /**
   * Compares what was written with what lives now: what lives no more, or is another by now, is
   * dropped. Returns the identifiers of what lives and is not written as it is.
   */
  review(db: Kysely<Tables>, memoryId: string): Promise<string[]>
  /** What the manifest says. */
  summarize(): Summary
}

type Summary = {
  counts: { documents: number; corrections: number; chunks: number }
  languages: Record<string, number>
  dropped: number[]
  incomplete: number[]
}

/** A ledger of nothing. */
export function createExportLedger(): ExportLedger {
  const written = new Map<number, WrittenDocument & { chunks: number }>()
  const numbers = new Map<string, number>()
  const dropped = new Set<number>()
  const incomplete = new Set<number>()

  function isAsWritten({ id, updated_at }: DocumentState): boolean {
    return written.get(numbers.get(id) ?? 0)?.updatedAt === updated_at
  }

  return {
    note(document) {
      const number = written.size + 1
      const earlier = numbers.get(document.id)
      if (earlier !== undefined) dropped.add(earlier)
      written.set(number, { ...document, chunks: 0 })
      numbers.set(document.id, number)
      return number
    },
    countChunks(number, chunks) {
      const document = written.get(number)
      if (document !== undefined) document.chunks += chunks
    },
    noteIncomplete: (number) => void incomplete.add(number),
    async review(db, memoryId) {
      const alive = new Set<number>()
      const missing: string[] = []
      for await (const state of listStates(db, memoryId)) {
        if (isAsWritten(state)) alive.add(numbers.get(state.id) ?? 0)
        else missing.push(state.id)
      }
      for (const number of numbers.values()) {
        if (alive.has(number)) dropped.delete(number)
        else dropped.add(number)
      }
      return missing
    },
    summarize() {
      const kept = [...written].filter(([number]) => !dropped.has(number)).map(([, document]) => document)
      const corrections = kept.filter(({ isCorrection }) => isCorrection).length
      const chunks = kept.reduce((total, document) => total + document.chunks, 0)
      return {
        counts: { documents: kept.length - corrections, corrections, chunks },
        languages: countLanguages(kept),
        dropped: [...dropped].sort((a, b) => a - b),
        incomplete: [...incomplete].filter((number) => !dropped.has(number)),
      }
    },
  }
}

/** All that live, a step at a time. */
async function* listStates(db: Kysely<Tables>, memoryId: string): AsyncGenerator<DocumentState> {
  for (const status of LIVE_STATUSES) {
    let states: DocumentState[] = []
    do {
      const afterSeq = states.at(-1)?.seq ?? 0
      states = await listDocumentStates(db, { memoryId, status, afterSeq, limit: STATES_A_STEP })
      yield* states
    } while (states.length === STATES_A_STEP)
  }
}

function countLanguages(documents: readonly { language: string | null; chunks: number }[]): Record<string, number> {
  const languages: Record<string, number> = {}
  for (const { language, chunks } of documents) {
    if (language !== null && chunks > 0) languages[language] = (languages[language] ?? 0) + chunks
  }
  return languages
}

/**
 * Holds what is exported to what was added, so that the archive says of which documents something
 * is wrong already.
 */
type ExportComparison = {
  /** Compares a chunk with its text; those of one document come together. */
  compare(row: ChunkRow): Promise<void>
  /** Compares the last of the texts with its hash. */
  finish(): Promise<void>
}

/**
 * A comparison of the chunks of these documents; `note` hears, once or more, of each that is not
 * whole. A text of any size takes the same room.
 */
export function createExportComparison(
  blobs: Pick<Blobs, 'get'>,
  find: (documentId: string) => StoredDocument | undefined,
  note: (documentId: string) => void,
): ExportComparison {
  let reading: { document: StoredDocument; text: TextSlices } | null = null
  let documentId = ''

  async function begin(): Promise<void> {
    const document = find(documentId)
    if (document === undefined) return
    const key = documentObject(document.memory_id, documentId, 'text')
    const text = await openTextSlices(blobs, { inline: document.content, key })
    if (text !== null) reading = { document, text }
  }

  async function finish(): Promise<void> {
    if (reading === null) return
    const { document, text } = reading
    reading = null
    const { characters, hash } = await text.finish()
    const isAsAdded = document.content_hash === null || document.content_hash === hash
    if (characters !== document.character_count || !isAsAdded) note(document.id)
  }

  return {
    async compare(row) {
      if (row.documentId !== documentId) {
        await finish()
        documentId = row.documentId
        await begin()
      }
      if (reading !== null && !(await isSliceOf(reading.text, row))) note(documentId)
    },
    finish,
  }
}
