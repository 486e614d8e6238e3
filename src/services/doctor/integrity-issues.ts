import type { Kysely } from 'kysely'
import type { WrongRow } from '../../database/row-checksums.ts'
import type { Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { MemoryFile } from '../../memory-file/memory-file.ts'
import type { Blobs } from '../../objects/blobs.ts'

const REBUILDS_CHUNKS = 'rebuilds the chunks from the text'

/**
 * Integrity issues between database, object store and memory files. `mends` describes the repair by
 * `recollect doctor --storage --fix`. `null` means no automatic repair, because it would lose
 * acknowledged data or guess; `remedy` then describes the manual steps.
 */
export const INTEGRITY_ISSUES = {
  damaged_database: {
    what: 'the database is damaged',
    mends: null,
    remedy: 'Restore all data from one backup. Nothing else is repaired before that.',
  },
  damaged_database_index: {
    what: 'an index or the free list of the database is damaged',
    mends: 'rebuilds the indexes',
  },
  broken_reference: {
    what: 'database rows with a broken reference',
    mends: null,
    remedy: 'Restore all data from one backup. Nothing else is repaired before that.',
  },
  forgotten_memory: { what: 'data of a memory that does not exist', mends: 'deletes it' },
  forgotten_memory_file: { what: 'a memory file that its memory does not use', mends: 'deletes it' },
  forgotten_document: { what: 'objects or chunks of a document that does not exist', mends: 'deletes them' },
  leftover_upload: { what: 'a staged upload of a document that is ready', mends: 'deletes it' },
  wrong_row: {
    what: 'a database row with a wrong checksum',
    mends: null,
    remedy:
      'Restore all data from one backup, or check the row and accept it with recollect doctor --accept-rows. ' +
      'Until then, --fix deletes nothing and does not repair the data of this row.',
  },
  wrong_counters: { what: 'a memory with wrong counters', mends: 'recounts its documents' },
  wrong_tags: { what: 'a document whose tags differ from the tag index', mends: 'rewrites the tag index' },
  wrong_fingerprint: {
    what: 'a document with an incomplete fingerprint for duplicate detection',
    mends: 'rebuilds the fingerprint',
  },
  missing_chunks: { what: 'a document with missing chunks, so that searches miss parts of it', mends: REBUILDS_CHUNKS },
  surplus_chunks: { what: 'a document with too many chunks', mends: REBUILDS_CHUNKS },
  wrong_chunks: { what: 'a document with chunks that differ from its text', mends: REBUILDS_CHUNKS },
  wrong_vectors: {
    what: 'a document with invalid vectors, so that semantic search ranks it wrongly',
    mends: REBUILDS_CHUNKS,
  },
  wrong_terms: {
    what: 'a document whose index terms do not match its text, for example after an update',
    mends: 'rebuilds the terms of its chunks',
  },
  missing_text: {
    what: 'a document whose text is missing',
    mends: null,
    remedy:
      'Its passages are still searchable. ' +
      'Restore the object from a backup, or add the document again and delete this one.',
  },
  wrong_text: {
    what: 'a document whose stored text was changed',
    mends: null,
    remedy: 'Restore the object from a backup, or add the document again and delete this one.',
  },
  missing_original: {
    what: 'a document whose stored original is missing',
    mends: null,
    remedy: 'Restore the object from a backup, or add the document again and delete this one.',
  },
  wrong_original: {
    what: 'a document whose stored original was changed',
    mends: null,
    remedy: 'Restore the object from a backup, or add the document again and delete this one.',
  },
  missing_index: { what: 'a memory without a lexical index, so that searches fail', mends: 'rebuilds the index' },
  broken_index: { what: 'a memory with an index that cannot be searched', mends: 'rebuilds its indexes' },
  missing_memory_file: {
    what: 'a memory whose memory file is missing, so that searches find nothing',
    mends: 'rebuilds the file from the texts',
  },
  broken_memory_file: {
    what: 'a memory whose memory file cannot be read',
    mends: 'rebuilds the file if all texts are available',
  },
  strange_object: {
    what: 'an object that Recollect did not create',
    mends: null,
    remedy: 'Check the object and delete it manually.',
  },
  strange_memory_file: {
    what: 'a memory file that Recollect did not create or did not complete',
    mends: null,
    remedy:
      'An incomplete file is deleted automatically within 24 hours. ' +
      'Delete other files manually while no service is running.',
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
  return `The operator can repair this: recollect doctor --storage --fix ${damage.mends}.`
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
