import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, isOutOfFiles, outOfFiles } from '../errors.ts'

const OLDER_FORM =
  'The memory file was written by an older version of Recollect, in a form that this one does not read.'

/** True when Lance says that a table or a file of it is not there. */
export function isNotFound(error: unknown): boolean {
  return /not found/i.test(messageOf(error))
}

/** True when another handle made the same table first. */
export function isAlreadyThere(error: unknown): boolean {
  return /already exists/i.test(messageOf(error))
}

/** True when another commit came first and the same call may well succeed now. */
export function isConflict(error: unknown): boolean {
  return /commit conflict|preempted by concurrent|incompatible transaction|please retry|concurrent writers/i.test(
    messageOf(error),
  )
}

/** True when the disk or the bucket has no room. */
export function isFull(error: unknown): boolean {
  return /ENOSPC|EDQUOT|no space left|disk quota exceeded|os error (28|122)\b|QuotaExceeded|InsufficientStorage|StorageFull/i.test(
    messageOf(error),
  )
}

/**
 * What a caller is told of a failure of the store: `insufficient_storage` for a full disk, `service_unavailable` for
 * all that may pass. An ApiError, and a TypeError (a mistake in our own code), stay what they are.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof ApiError || error instanceof TypeError) return error
  if (isOutOfFiles(error)) return outOfFiles(error)
  return new ApiError(isFull(error) ? 'insufficient_storage' : 'service_unavailable', { cause: error })
}

/** Throws it. */
export function throwStoreError(error: unknown): never {
  throw toStoreError(error)
}

/** The error for vectors of another length than the memory's: those of another model, whatever its name. */
export function otherVectors(present: number, given: number): ApiError {
  return new ApiError('embedding_model_pinned', {
    message: `The vectors of the memory have ${present} numbers, those of the embedding model have ${given}: it is another model than the memory's, though it may have the same name.`,
    remedy:
      'Configure the model that the memory was made with, or have the memory re-embedded: POST /v1/memories/:id/reembed.',
  })
}

/** The error for a memory file that a version before this one wrote, and that is not read any more. */
export function olderForm(): ApiError {
  return new ApiError('internal_error', {
    message: OLDER_FORM,
    remedy:
      'Whoever runs the service has it made again from the texts: recollect doctor --fix. Or run the version that wrote it.',
  })
}

/** True for {@link olderForm}. */
export function isOlderForm(error: unknown): boolean {
  return error instanceof ApiError && error.message === OLDER_FORM
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Eight tries with pauses of 10 ms to 1.3 s outlast any single optimize step seen; two handles with 40 writes needed two. */
const MAX_TRIES = 8
const FIRST_PAUSE_MS = 10

/**
 * Runs `work` again while another commit came first, telling `onConflict` each time. Rejects with the last conflict when that does not end, and as soon as
 * the signal fires between two tries.
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
      if (!isConflict(error)) throw error
      onConflict()
      if (tried >= MAX_TRIES) throw error
      // Spread out at random, or both sides meet again.
      const pauseMs = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random())
      await pause(pauseMs, undefined, { signal }).catch(() => undefined)
      if (signal?.aborted) throw error
    }
  }
}
