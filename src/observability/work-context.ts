import { AsyncLocalStorage } from 'node:async_hooks'

/** What names a piece of work in the log: `requestId` or `jobId`. */
export type WorkFacts = Readonly<Record<string, string>>

/** Knows for what a line of code is run, however many awaits it is away from where that began. */
export type WorkContext = {
  /** Runs the work, and all that it calls and awaits, under these facts. */
  within<Result>(facts: WorkFacts, work: () => Result): Result
  /** The facts of the work that runs; none outside of all. */
  facts(): WorkFacts
}

/** A context of its own: two services in one process do not see each other's. */
export function createWorkContext(): WorkContext {
  const storage = new AsyncLocalStorage<WorkFacts>()
  return {
    within: (facts, work) => storage.run(facts, work),
    facts: () => storage.getStore() ?? {},
  }
}
