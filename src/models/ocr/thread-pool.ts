import { createAtMost } from '../../concurrency/at-most.ts'
import type { TesseractThread } from './tesseract-thread.ts'

/** A few engines that are kept for the next page, started when there is need. */
export type ThreadPool = {
  /**
   * Hands an engine to `work`, or waits until one is free, first come first served. Rejects with what `start` or `work` rejects with,
   * and with the signal's reason when it is aborted while waiting.
   */
  use<Result>(work: (thread: TesseractThread) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Ends every engine; those at work fail. */
  close(): Promise<void>
}

/** What a pool is made of. */
export type ThreadPoolOptions = {
  size: number
  start(): Promise<TesseractThread>
  /** An engine's memory never shrinks and grows with the largest page: after so many pages it makes room for a new one. */
  recycleAfterPages: number
  /** An engine that had nothing to do for so long is ended, and its memory given back. */
  idleMs: number
}

/** A pool that is empty at first. */
export function createThreadPool({ size, start, recycleAfterPages, idleMs }: ThreadPoolOptions): ThreadPool {
  const idle: { thread: TesseractThread; timer: NodeJS.Timeout }[] = []
  const busy = new Set<TesseractThread>()
  const engines = createAtMost(size)

  const take = async () => {
    const resting = idle.pop()
    if (resting === undefined) return await start()
    clearTimeout(resting.timer)
    return resting.thread
  }
  const giveBack = async (thread: TesseractThread) => {
    busy.delete(thread)
    if (!thread.isAlive || thread.pages >= recycleAfterPages) return await thread.end()
    const entry = { thread, timer: setTimeout(() => retire(entry), idleMs).unref() }
    idle.push(entry)
  }
  const retire = (entry: (typeof idle)[number]) => {
    idle.splice(idle.indexOf(entry), 1)
    void entry.thread.end()
  }
  return {
    use: (work, signal) =>
      engines.run(async () => {
        const thread = await take()
        busy.add(thread)
        try {
          return await work(thread)
        } finally {
          await giveBack(thread)
        }
      }, signal),
    close: async () => {
      const resting = idle.splice(0)
      for (const { timer } of resting) clearTimeout(timer)
      await Promise.all([...resting.map(({ thread }) => thread), ...busy].map((thread) => thread.end()))
    },
  }
}
