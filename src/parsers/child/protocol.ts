/** What parent and child say to each other. A child does one task at a time. */
import type { ErrorCode, ErrorFacts } from '../../errors.ts'
import type { FenceReport } from '../fence/raise-fence.ts'

export type ToChild =
  | { type: 'run'; task: string; input: unknown }
  /** A batch was taken: the child may send another. */
  | { type: 'taken' }

export type FromChild =
  /** `fence` is what came of it; absent where none was tried. */
  | { type: 'ready'; fence: FenceReport | undefined }
  | { type: 'events'; events: unknown[] }
  | { type: 'done'; value: unknown }
  | { type: 'failed'; error: Failure }

/** An error on its way: with a code it is an outcome the caller has to know, without one a fault of ours. */
export type Failure = {
  code: ErrorCode | null
  message: string
  facts: Omit<ErrorFacts, 'cause'>
  stack: string | null
}

/** Batches that may be under way: the child goes on while the parent takes the one before, and waits when it does not. */
export const WINDOW_BATCHES = 4
