import type { ErrorCode, ErrorFacts } from '../../errors.ts'
import type { FenceReport } from '../fence/raise-fence.ts'

/** What parent and child say to each other. A child does one task at a time. */
export type ToChild =
  | { type: 'run'; task: string; input: unknown }
  /** A batch was taken: the child may send another. */
  | { type: 'taken' }

/** What a child sends to the service. */
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

/**
 * Work that is done in a child process. What it yields goes to the caller as it comes, in batches; what it returns ends it. Inputs, events and results are what
 * the structured clone algorithm copies: plain values, dates, byte arrays.
 */
type Task = (input: unknown) => AsyncGenerator<unknown, unknown>

/** Tasks by name: what the module that a pool is made with exports as `tasks`. */
export type Tasks = Readonly<Record<string, Task>>
