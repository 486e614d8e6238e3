/** Work that excludes other work of the same key; works of different keys go side by side. */
export type KeyedMutex = {
  /** Does the work when all that asked before it is over, first come first served. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>
  /** Single flight: who asks while some work of the key is under way shares that, whatever it is; else does its own. */
  share(key: string, work: () => Promise<void>): Promise<void>
  /** Resolves when all that was asked for by now is over, well or not. */
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
    // Whoever began it hears of a failure.
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
