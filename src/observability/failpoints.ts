import { channel } from 'node:diagnostics_channel'

/**
 * Failpoints: moments at which a process may die with an operation half done. `test/scale` kills
 * the process at each. docs/internals/failures.md, "What happens when the process is killed?", says
 * what remains.
 */
export const FAILPOINTS = [
  /** The add's intents are committed, nothing else is written. */
  'add:intended',
  /** The add's chunks are in the memory file. */
  'add:chunks-stored',
  /** The add's original, text and many tags are stored, too. */
  'add:objects-stored',
  /** Every statement of the transaction has run. */
  'add:about-to-commit',
  'add:committed',
  /** The job is committed, but the caller does not know its id. */
  'job:accepted',
  'job:claimed',
  /** A row names the attempt, which has not read anything yet. */
  'job:begun',
  'job:ended',
  /**
   * The attempt can write nothing more and its row is deleted. Work that waited for that is
   * pending.
   */
  'job:over',
  'correction:committed',
  /** Every statement of the transaction that deletes a document has run. */
  'deletion:about-to-commit',
  'deletion:committed',
  /** The objects of deleted documents are deleted, their chunks are not. */
  'deletion:objects-gone',
  /** The chunks are deleted, too, but nothing records that. */
  'deletion:chunks-removed',
  /** Only bytes marked as deleted are left. */
  'deletion:over',
  /** The table exists without its full-text index. */
  'memory-file:made',
  /** Several adds share a commit that is not flushed to disk yet. */
  'memory-file:appended',
  'memory-file:rows-removed',
  'maintenance:begun',
  /**
   * The table is compacted and its full-text index is current; other indexes are not checked yet.
   */
  'maintenance:compacted',
] as const

/** Failpoints of a re-embedding. */
export const REEMBEDDING_FAILPOINTS = [
  /** The job is committed, and the memory's row names the file to create. */
  'reembed:begun',
  /** Chunks are in the new file, but the job's row does not record them. */
  'reembed:written',
  /** All chunks visible at the beginning are copied; the file's indexes are missing. */
  'reembed:carried',
  /** Later changes are copied, too. */
  'reembed:told',
  /** Every statement of the transaction that switches to the new file has run. */
  'reembed:about-to-switch',
  'reembed:switched',
  /** An unused file is deleted, but the record of its deletion remains. */
  'reembed:file-removed',
] as const

/** Failpoints of an import. */
export const IMPORT_FAILPOINTS = [
  /** The archive is in the object store, but no job knows it. */
  'import:staged',
  /** The intent of the memory is committed, nothing else is written. */
  'import:intended',
  /** Rows of some documents exist without their memory. */
  'import:rows-inserted',
  /** Every statement of the transaction that makes the memory visible has run. */
  'import:about-to-show',
  'import:shown',
] as const

/** Failpoints of a run of a source. */
const SOURCE_FAILPOINTS = [
  /** The item is known, the document is not added yet. */
  'source:item-begun',
  /** The document is visible, but not named by the item. */
  'source:item-added',
  /** The documents of some items are removed, the items are not. */
  'source:documents-removed',
  /** Everything is done, but the report is not stored. */
  'source:read',
] as const

/** Any failpoint of the lists above. */
export type FailpointName =
  | (typeof FAILPOINTS)[number]
  | (typeof REEMBEDDING_FAILPOINTS)[number]
  | (typeof IMPORT_FAILPOINTS)[number]
  | (typeof SOURCE_FAILPOINTS)[number]

/**
 * Publishes on the diagnostics channel `recollect:<step>` that the work reached this step. Without
 * a subscriber, does nothing.
 */
export function failpoint(step: FailpointName): void {
  const reached = channel(`recollect:${step}`)
  if (reached.hasSubscribers) reached.publish(step)
}
