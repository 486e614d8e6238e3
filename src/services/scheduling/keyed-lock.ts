/** Runs tasks of one key one after the other, those of different keys side by side. */
export type KeyedLock = { run<Result>(key: string, task: () => Promise<Result>): Promise<Result> }

/** A lock within this process; a key without tasks takes no memory. */
export function createKeyedLock(): KeyedLock {
  const last = new Map<string, Promise<unknown>>()
  return {
    run(key, task) {
      const result = (last.get(key) ?? Promise.resolve()).then(task, task)
      const settled = result
        .catch(() => undefined)
        .then(() => {
          if (last.get(key) === settled) last.delete(key)
        })
      last.set(key, settled)
      return result
    },
  }
}
