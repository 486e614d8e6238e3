import type { ErrorCode, ErrorFacts } from '../../errors.ts'
import type { SandboxReport } from '../sandbox/restrict-process.ts'

/** Messages from the service to a child. A child runs one task at a time. */
export type ToChild =
  | { type: 'run'; task: string; input: unknown }
  /** A batch was consumed: the child may send the next. */
  | { type: 'taken' }

/** Messages from a child to the service. */
export type FromChild =
  /** `sandbox`: outcome of the sandbox; absent if not attempted. */
  | { type: 'ready'; sandbox: SandboxReport | undefined }
  | { type: 'events'; events: unknown[] }
  | { type: 'done'; value: unknown }
  | { type: 'failed'; error: Failure }

/** A serialized error. With a code, an outcome for the caller; without, a programming error. */
export type Failure = {
  code: ErrorCode | null
  message: string
  facts: Omit<ErrorFacts, 'cause'>
  stack: string | null
}

/**
 * Batches in flight: the child keeps working while the parent consumes earlier batches, and waits
 * beyond this number.
 */
export const MAX_BATCHES_IN_FLIGHT = 4

/**
 * A task in a child process. Yielded values are sent to the caller in batches; the returned value
 * is the result. Inputs, events and results must be structured-cloneable: plain values, dates, byte
 * arrays.
 */
type Task = (input: unknown) => AsyncGenerator<unknown, unknown>

/** Tasks by name, as exported in `tasks` by the pool's module. */
export type Tasks = Readonly<Record<string, Task>>
