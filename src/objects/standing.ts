/** The check, of which one at a time runs and a success stands for so long; a failure is found out anew at the next call. */
export function standing(check: () => Promise<void>, standsMs: number): () => Promise<void> {
  let running: Promise<void> | null = null
  let standsUntilMs = Number.NEGATIVE_INFINITY
  const run = async () => {
    try {
      await check()
      standsUntilMs = performance.now() + standsMs
    } finally {
      running = null
    }
  }
  return async () => {
    if (performance.now() < standsUntilMs) return
    running ??= run()
    await running
  }
}
