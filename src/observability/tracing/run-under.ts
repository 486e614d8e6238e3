import { type Span, SpanStatusCode } from '@opentelemetry/api'
import { ApiError } from '../../errors.ts'

/** A span, and how a part of its work is run so that what it calls knows of it. */
export type OpenSpan = { span: Span; within: <Result>(part: () => Result) => Result }

/** Runs the work and ends its span with it: at once, with a promise, or with the loop over what it gives. Gives and throws what the work does. */
export function runUnder<Result>(open: OpenSpan, work: () => Result): Result {
  try {
    return endWith(open, open.within(work)) as Result
  } catch (error) {
    fail(open.span, error)
    throw error
  }
}

function endWith(open: OpenSpan, given: unknown): unknown {
  if (given instanceof Promise) return given.then((value) => endWith(open, value), rethrow(open.span))
  if (isLoop(given)) return looped(open, given)
  open.span.end()
  return given
}

async function* looped(open: OpenSpan, given: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  const items = given[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await open.within(() => items.next())
      if (next.done === true) return
      yield next.value
    }
  } catch (error) {
    mark(open.span, error)
    throw error
  } finally {
    await open.within(() => items.return?.())
    open.span.end()
  }
}

function isLoop(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && !('pipe' in value)
}

function rethrow(span: Span): (error: unknown) => never {
  return (error) => {
    fail(span, error)
    throw error
  }
}

function fail(span: Span, error: unknown): void {
  mark(span, error)
  span.end()
}

/** The kind of an error alone: its message may hold a title, a host or a question. */
function mark(span: Span, error: unknown): void {
  const kind = error instanceof ApiError ? error.code : error instanceof Error ? error.name : 'unknown'
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
