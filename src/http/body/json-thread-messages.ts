import type { ErrorCode } from '../../errors.ts'

/** A body, shared and not copied; or the next elements of what is left of the last one. */
export type JsonRequest = { body: Uint8Array } | 'next'

/**
 * The value, in which the long arrays of the outermost object, named in `arrays`, are empty: their elements are to be asked for, one array after the other. Or what
 * {@link parseJsonBody} threw.
 */
export type JsonReply =
  | { value: unknown; arrays: readonly string[] }
  | { refused: ErrorCode; message: string }
  | { elements: readonly unknown[]; isLast: boolean }
