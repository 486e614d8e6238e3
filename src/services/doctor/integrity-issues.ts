import type { Kysely } from 'kysely'
import type { WrongRow } from '../../database/row-checksums.ts'
import type { Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { MemoryFile } from '../../memory-file/memory-file.ts'
import type { Blobs } from '../../objects/blobs.ts'

const REBUILDS_CHUNKS = 'makes its chunks again from its text'

/**
 * Integrity issues between database, object store and memory files. `mends` describes the repair by
 * `recollect doctor --storage --fix`. `null` means no automatic repair, because it would lose
 * acknowledged data or guess; `remedy` then describes the manual steps.
 */
export const INTEGRITY_ISSUES = {
  damaged_database: {
    what: 'the database is damaged',
    mends: null,
    remedy: 'Restore all of the data from one backup. Nothing else is mended before that.',
  },
  damaged_database_index: {
    what: 'an index of the database, or its list of free pages, is damaged',
    mends: 'makes the indexes again',
  },
  broken_reference: {
    what: 'rows of the database whose other half is gone',
    mends: null,
    remedy: 'Restore all of the data from one backup. Nothing else is mended before that.',
  },
  forgotten_memory: { what: 'data of a memory that no row names', mends: 'removes it' },
  forgotten_memory_file: { what: 'a memory file beside the one that its memory has', mends: 'removes it' },
  forgotten_document: { what: 'objects or chunks of a document that no row names', mends: 'removes them' },
  leftover_upload: { what: 'the staged upload of a document that is ready', mends: 'removes it' },
  wrong_row: {
    what: 'a row of the database that is not as it was written',
    mends: null,
    remedy:
      'Restore all of the data from one backup; or look at what the row says, and have it taken as it is: recollect doctor --accept-rows. Before that --fix removes nothing, and leaves what the row is of.',
  },
  wrong_counters: { what: 'a memory that counts other than its documents make', mends: 'counts again' },
  wrong_tags: { what: 'a document whose tags are not those it is listed by', mends: 'writes them again' },
  wrong_fingerprint: { what: 'a document whose fingerprint for duplicates is not whole', mends: 'makes it again' },
  missing_chunks: { what: 'a document of which chunks are missing, so that it is not found', mends: REBUILDS_CHUNKS },
  surplus_chunks: { what: 'a document with more chunks than it should have', mends: REBUILDS_CHUNKS },
  wrong_chunks: { what: 'a document with chunks that say other than its text', mends: REBUILDS_CHUNKS },
  wrong_vectors: {
    what: 'a document with vectors that are no numbers or not of length 1, so that its meaning is found wrongly',
    mends: REBUILDS_CHUNKS,
  },
  wrong_terms: {
    what: 'a document that is found by other words than those of its text, as one that an earlier version indexed',
    mends: 'makes the terms of its chunks again',
  },
  missing_text: {
    what: 'a document whose text is missing',
    mends: null,
    remedy:
      'Its passages are still found. Restore the object from a backup, or add the document again and delete this one.',
  },
  wrong_text: {
    what: 'a document whose stored text is not the one that was added',
    mends: null,
    remedy: 'Restore the object from a backup, or add the document again and delete this one.',
  },
  missing_original: {
    what: 'a document whose stored original is missing',
    mends: null,
    remedy: 'Restore the object from a backup, or add the document again and delete this one.',
  },
  wrong_original: {
    what: 'a document whose stored original is not the one that was added',
    mends: null,
    remedy: 'Restore the object from a backup, or add the document again and delete this one.',
  },
  missing_index: { what: 'a memory without the index of its words, so that searches fail', mends: 'makes it again' },
  broken_index: { what: 'a memory with an index that cannot be searched', mends: 'makes its indexes again' },
  missing_memory_file: {
    what: 'a memory whose memory file is gone, so that nothing is found in it',
    mends: 'makes it again from the texts',
  },
  broken_memory_file: {
    what: 'a memory whose memory file cannot be read',
    mends: 'makes it again from the texts, where all of these are there',
  },
  strange_object: { what: 'an object that is none of ours', mends: null, remedy: 'Look at it, and remove it by hand.' },
  strange_memory_file: {
    what: 'a memory file that is none of ours, or was never finished',
    mends: null,
    remedy: 'A draft goes by itself within 24 hours; remove anything else by hand while no service is running.',
  },
} as const satisfies Record<string, { what: string; mends: string } | { what: string; mends: null; remedy: string }>

/**
 * While one of these issues remains, nothing else is repaired: seemingly orphaned data may belong
 * to an unreadable row.
 */
export const DATABASE_ISSUES: readonly IntegrityIssue['kind'][] = [
  'damaged_database',
  'damaged_database_index',
  'broken_reference',
]

/**
 * Issues repaired by deleting data without a row. A wrong row may be the reason for the missing
 * reference.
 */
const REPAIRED_BY_DELETION: readonly IntegrityIssue['kind'][] = [
  'forgotten_memory',
  'forgotten_memory_file',
  'forgotten_document',
  'leftover_upload',
  'missing_memory_file',
  'broken_memory_file',
]

/** An integrity issue. */
export type IntegrityIssue = {
  kind: keyof typeof INTEGRITY_ISSUES
  memoryId: string | null
  documentId: string | null
  /** Details, such as counts or object keys. */
  detail: string
  /** Row of a `wrong_row`. */
  row?: { table: WrongRow['table']; id: string }
}

/** Advice for an issue, in one or two sentences. */
export function remedyFor(kind: IntegrityIssue['kind']): string {
  const damage = INTEGRITY_ISSUES[kind]
  if (damage.mends === null) return damage.remedy
  return `Whoever runs the service mends it: recollect doctor --storage --fix ${damage.mends}.`
}

/**
 * True if the wrong rows block the repair of an issue: it concerns the same document or memory, or
 * its repair deletes data.
 */
export function isBlockedBy(damage: IntegrityIssue, wrongRows: readonly IntegrityIssue[]): boolean {
  if (wrongRows.length > 0 && REPAIRED_BY_DELETION.includes(damage.kind)) return true
  return wrongRows.some(({ memoryId, documentId }) => {
    if (memoryId === null || memoryId !== damage.memoryId) return false
    return documentId === null || damage.documentId === null || documentId === damage.documentId
  })
}

/** Dependencies for checking a memory. */
export type MemoryCheckDeps = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'get' | 'measure' | 'probe'>
  analyzer: Pick<Analyzer, 'terms'>
  memoryFile: Pick<MemoryFile, 'scan' | 'inspect' | 'searchLexical' | 'searchVector'>
}
