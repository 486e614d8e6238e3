import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, isOutOfFiles, outOfFiles } from '../errors.ts'

const UNSUPPORTED_VERSION =
  'The memory file was written by an older version of Recollect, in a form that this one does not read.'

/** True if Lance reports a missing table or a missing file of a table. */
export function isNotFoundError(error: unknown): boolean {
  return /not found/i.test(messageOf(error))
}

/** True if another handle created the same table first. */
export function isTableExistsError(error: unknown): boolean {
  return /already exists/i.test(messageOf(error))
}

/** True if another commit came first and the same call may succeed now. */
export function isCommitConflict(error: unknown): boolean {
  return /commit conflict|preempted by concurrent|incompatible transaction|please retry|concurrent writers/i.test(
    messageOf(error),
  )
}

const DISK_FULL = 'ENOSPC|EDQUOT|no space left|disk quota exceeded|os error (?:28|122)\\b'
const BUCKET_FULL = 'QuotaExceeded|InsufficientStorage|StorageFull'
const STORAGE_FULL = new RegExp(`${DISK_FULL}|${BUCKET_FULL}`, 'i')

/** True if the disk or the bucket is full. */
export function isStorageFull(error: unknown): boolean {
  return STORAGE_FULL.test(messageOf(error))
}

/**
 * Translates a failure of the store for callers: `insufficient_storage` for a full disk,
 * `service_unavailable` for anything transient. Returns an ApiError or a TypeError (a bug in our
 * code) unchanged.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof ApiError || error instanceof TypeError) return error
  if (isOutOfFiles(error)) return outOfFiles(error)
  return new ApiError(isStorageFull(error) ? 'insufficient_storage' : 'service_unavailable', { cause: error })
}

/** Throws the translated error. */
export function throwStoreError(error: unknown): never {
  throw toStoreError(error)
}

/**
 * Error for vectors whose length differs from the memory's: another model, even under the same
 * name.
 */
export function dimensionMismatch(present: number, given: number): ApiError {
  return new ApiError('embedding_model_pinned', {
    message:
      `The vectors of the memory have ${present} dimensions, those of the embedding model have ${given}. ` +
      "The configured model differs from the memory's, even if the name is the same.",
    remedy: 'Configure the model that the memory was created with, or re-embed it: POST /v1/memories/:id/reembed.',
  })
}

/** Error for a memory file of an older version that this version cannot read. */
export function unsupportedFileVersion(): ApiError {
  return new ApiError('internal_error', {
    message: UNSUPPORTED_VERSION,
    remedy: 'Rebuild it from the stored texts with recollect doctor --fix, or run the version that wrote it.',
  })
}

/** True for {@link unsupportedFileVersion}. */
export function isUnsupportedFileVersion(error: unknown): boolean {
  return error instanceof ApiError && error.message === UNSUPPORTED_VERSION
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Eight attempts with pauses of 10 ms to 1.3 s outlast any single optimize seen. Two handles with
 * 40 writes needed two.
 */
const MAX_TRIES = 8
const FIRST_PAUSE_MS = 10

/**
 * Repeats `work` while another commit comes first, and calls `onConflict` each time. Rejects with
 * the last conflict after the last attempt, or when the signal fires between two attempts.
 */
export async function retryConflicts<T>(
  work: () => Promise<T>,
  onConflict = () => {},
  signal?: AbortSignal,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isCommitConflict(error)) throw error
      onConflict()
      if (tried >= MAX_TRIES) throw error
      // Randomised, so that both sides do not collide again.
      const pauseMs = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random())
      await pause(pauseMs, undefined, { signal }).catch(() => undefined)
      if (signal?.aborted) throw error
    }
  }
}
