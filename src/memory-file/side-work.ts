/** What is done to memory files beside their writes: one piece of work at a time each. */
export type SideWork = {
  /** Does the work; who asks while some is under way shares that. */
  share(name: string, work: () => Promise<void>): Promise<void>
  /** Does the work when nothing else is under way. */
  do<Value>(name: string, work: () => Promise<Value>): Promise<Value>
  /** Resolves when what is under way has ended, well or not. */
  ended(name: string): Promise<void>
  /** The same of all. */
  idle(): Promise<void>
}

/** Work of which none is under way. */
export function createSideWork(): SideWork {
  const running = new Map<string, Promise<void>>()

  function begin<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const begun = work()
    const ended = begun.then(() => undefined).finally(() => running.delete(name))
    running.set(name, ended)
    // Whoever began it hears of a failure.
    ended.catch(() => undefined)
    return begun
  }

  async function ended(name: string): Promise<void> {
    await running.get(name)?.catch(() => undefined)
  }

  return {
    async share(name, work) {
      await (running.get(name) ?? begin(name, work))
    },
    async do(name, work) {
      while (running.has(name)) await ended(name)
      return begin(name, work)
    },
    ended,
    async idle() {
      await Promise.allSettled(running.values())
    },
  }
}
