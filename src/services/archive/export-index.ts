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

/** Documents compared per statement: about 5 ms. */
const STATES_PER_BATCH = 5000

/** State of a document when written. */
type WrittenDocument = { id: string; updatedAt: string; language: string | null; isCorrection: boolean }

/**
 * Index of the documents that an export has written, numbered from 1 in order. A document written
 * again gets a new number, and the old number is dropped.
 */
export type ExportIndex = {
  /** Adds a document that is about to be written and returns its number. */
  add(document: WrittenDocument): number
  /** Adds to the number of written chunks of a document. */
  countChunks(number: number, chunks: number): void
  /** Records that parts of a document were missing or damaged. */
  markIncomplete(number: number): void
  /**
   * Compares the written documents with the live documents and drops numbers of deleted or changed
   * documents. Returns ids of live documents that are missing or outdated in the archive.
   */
  review(db: Kysely<Tables>, memoryId: string): Promise<string[]>
  /** Facts for the manifest. */
  summarize(): Summary
}

type Summary = {
  counts: { documents: number; corrections: number; chunks: number }
  languages: Record<string, number>
  dropped: number[]
  incomplete: number[]
}

/** Creates an empty index. */
export function createExportIndex(): ExportIndex {
  const written = new Map<number, WrittenDocument & { chunks: number }>()
  const numbers = new Map<string, number>()
  const dropped = new Set<number>()
  const incomplete = new Set<number>()

  function isAsWritten({ id, updated_at }: DocumentState): boolean {
    return written.get(numbers.get(id) ?? 0)?.updatedAt === updated_at
  }

  return {
    add(document) {
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
    markIncomplete: (number) => void incomplete.add(number),
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

/** All live documents, in batches. */
async function* listStates(db: Kysely<Tables>, memoryId: string): AsyncGenerator<DocumentState> {
  for (const status of LIVE_STATUSES) {
    let states: DocumentState[] = []
    do {
      const afterSeq = states.at(-1)?.seq ?? 0
      states = await listDocumentStates(db, { memoryId, status, afterSeq, limit: STATES_PER_BATCH })
      yield* states
    } while (states.length === STATES_PER_BATCH)
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
 * Compares exported chunks and texts with the hashes recorded when added, so that the manifest can
 * list damaged documents.
 */
type TextComparison = {
  /** Compares a chunk with its text; chunks of one document must be consecutive. */
  compare(row: ChunkRow): Promise<void>
  /** Compares the last text with its hash. */
  finish(): Promise<void>
}

/**
 * Comparison for the chunks of these documents; `note` is called at least once for each damaged
 * document. Memory use does not depend on the size of a text.
 */
export function createTextComparison(
  blobs: Pick<Blobs, 'get'>,
  find: (documentId: string) => StoredDocument | undefined,
  note: (documentId: string) => void,
): TextComparison {
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
