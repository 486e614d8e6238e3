/** Mutual exclusion by key: works of different keys run in parallel. */
export type KeyedMutex = {
  /** Runs the work after all earlier work of the key, first come first served. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>
  /** Single flight: joins any running work of the key; otherwise runs `work`. */
  share(key: string, work: () => Promise<void>): Promise<void>
  /** Resolves when all work requested so far has settled. */
  idle(): Promise<void>
}

/** A mutex within this process; a key without work takes no memory. */
export function createKeyedMutex(): KeyedMutex {
  const underWay = new Map<string, Promise<void>>()
  const last = new Map<string, Promise<void>>()

  function begin<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const begun = work()
    const ended = begun.then(() => undefined).finally(() => underWay.delete(key))
    underWay.set(key, ended)
    // The caller that started the work receives its failure.
    ended.catch(() => undefined)
    return begun
  }

  function run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = last.get(key)
    const result = before === undefined ? begin(key, work) : before.then(() => begin(key, work))
    const settled = result
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === settled) last.delete(key)
      })
    last.set(key, settled)
    return result
  }

  return {
    run,
    share: async (key, work) => void (await (underWay.get(key) ?? run(key, work))),
    idle: async () => void (await Promise.all(last.values())),
  }
}
