import { ApiError } from '../errors.ts'

/** Turns among the writes of memory files, for work that the removal of a file has to wait for: it may not wait for its turn behind that removal. */
export type Turns = {
  /** Does work in its turn; rejects with `memory_not_found` while the file is being removed. */
  take(name: string, work: () => Promise<void>): Promise<void>
  /** Does the removal, in a turn of its own; nobody waits for one meanwhile. */
  remove(name: string, removal: () => Promise<void>): Promise<void>
}

/** Turns that `run` gives. */
export function createTurns(run: (name: string, work: () => Promise<void>) => Promise<void>): Turns {
  const removing = new Set<string>()
  const waiting = new Map<string, (reason: unknown) => void>()
  const gone = () => new ApiError('memory_not_found')
  return {
    async take(name, work) {
      if (removing.has(name)) throw gone()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.set(name, reject)
      // What was given up while it waited does nothing when its turn comes.
      run(name, () => (waiting.get(name) === reject ? work() : Promise.resolve())).then(resolve, reject)
      try {
        await promise
      } finally {
        waiting.delete(name)
      }
    },
    async remove(name, removal) {
      removing.add(name)
      waiting.get(name)?.(gone())
      try {
        await removal()
      } finally {
        removing.delete(name)
      }
    },
  }
}
