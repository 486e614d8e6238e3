import { channel } from 'node:diagnostics_channel'

/**
 * The moments at which a process may die with something half done. `test/scale` kills it at each of them; what is left is told in
 * docs/internals/failures.md, "What happens when the process is killed?".
 */
export const STEPS = [
  /** Its intents are committed, nothing of it is written. */
  'add:intended',
  /** Its chunks are in the memory file. */
  'add:chunks-stored',
  /** Its original, its text and tags that are many are stored, too. */
  'add:objects-stored',
  /** Every statement of the transaction has run. */
  'add:about-to-commit',
  'add:committed',
  /** A job was committed, and the caller does not know it. */
  'job:accepted',
  'job:claimed',
  /** The attempt is named by a row, and has read nothing yet. */
  'job:begun',
  'job:ended',
  /** The attempt can write no more, and its row is gone; what waited for that is not removed yet. */
  'job:over',
  'correction:committed',
  /** Every statement of the transaction has run that deletes a document. */
  'deletion:about-to-commit',
  'deletion:committed',
  /** The objects of deleted documents are gone, their chunks are not. */
  'deletion:objects-gone',
  /** The chunks are removed, too, and nothing else says so. */
  'deletion:chunks-removed',
  /** Nothing is left of a deletion but bytes that are marked as removed. */
  'deletion:over',
  /** The table stands without its full-text index. */
  'memory-file:made',
  /** What several adds wrote is one commit, which is not forced to the disk yet. */
  'memory-file:appended',
  'memory-file:rows-removed',
  'upkeep:begun',
  /** Compacted and its full-text index brought up to date, other indexes not yet looked at. */
  'upkeep:compacted',
] as const

/** The same of a re-embedding. */
export const REEMBEDDING_STEPS = [
  /** The job was committed, and the memory's row names the file that is to be made. */
  'reembed:begun',
  /** Chunks are in the new file, of which the job's row does not know. */
  'reembed:written',
  /** All that showed at the beginning is there, and the file's indexes are not. */
  'reembed:carried',
  /** What changed since is there, too. */
  'reembed:told',
  /** Every statement of the transaction has run that puts the new file in the place of the old one. */
  'reembed:about-to-switch',
  'reembed:switched',
  /** A file that is not in use was removed, and its removal stands. */
  'reembed:file-removed',
] as const

/** The same of an import. */
export const IMPORT_STEPS = [
  /** The archive lies in the object store, no job knows of it. */
  'import:staged',
  /** The intent of the memory is committed, nothing of it is written. */
  'import:intended',
  /** The rows of some documents stand without their memory. */
  'import:rows-inserted',
  /** Every statement of the transaction has run in which the memory shows. */
  'import:about-to-show',
  'import:shown',
] as const

/** One of {@link STEPS}, {@link REEMBEDDING_STEPS} and {@link IMPORT_STEPS}. */
export type Step = (typeof STEPS)[number] | (typeof REEMBEDDING_STEPS)[number] | (typeof IMPORT_STEPS)[number]

/** Says on the diagnostics channel `recollect:<step>` that the work has come so far. Without a subscriber it does nothing. */
export function reachStep(step: Step): void {
  const reached = channel(`recollect:${step}`)
  if (reached.hasSubscribers) reached.publish(step)
}
