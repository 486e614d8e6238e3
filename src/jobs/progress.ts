/** What a job is at: 0 to 99 percent, and words for it. */
export type Progress = { progress: number; message: string }

/** Keeps the progress of one attempt: it only grows, and is written at most once in `pauseMs`, the latest always. */
export type ProgressWriter = {
  report(progress: number, message: string): void
  /** Nothing is written after it. */
  close(): void
}

/** `store` writes; when it rejects, `failed` hears of it and the next report is written as usual. */
export function createProgressWriter({
  pauseMs,
  store,
  failed,
}: {
  pauseMs: number
  store: (progress: Progress) => Promise<void>
  failed: (error: unknown) => void
}): ProgressWriter {
  let latest: Progress = { progress: 0, message: '' }
  let isWaiting = false
  let isOpen = true
  let timer: NodeJS.Timeout | null = null

  async function write(): Promise<void> {
    isWaiting = false
    await store(latest).catch(failed)
    if (isOpen) timer = setTimeout(rest, pauseMs)
  }
  function rest(): void {
    timer = null
    if (isWaiting) start()
  }
  function start(): void {
    // Held from here on, so that reports that come while the row is being written wait for the pause.
    timer = setTimeout(() => void write(), 0)
  }

  return {
    report(progress, message) {
      const grown = Math.max(latest.progress, Math.min(99, Math.max(0, Math.floor(progress) || 0)))
      if (!isOpen || (grown === latest.progress && message === latest.message)) return
      latest = { progress: grown, message }
      isWaiting = true
      if (timer === null) start()
    },
    close() {
      isOpen = false
      if (timer !== null) clearTimeout(timer)
    },
  }
}
