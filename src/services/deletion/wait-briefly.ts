/** How long an answer waits for what follows the commit to be removed. Our choice: enough for all but huge memories. */
const MOST_MS = 5000

/**
 * Waits for work that follows a commit, and that a sweep does where it is not done, but not for long: what was committed has to be answered before the time of the
 * request is up. It goes on after the answer. Rejects as the work does meanwhile.
 */
export async function waitBriefly(work: Promise<unknown>): Promise<void> {
  const isEnough = Promise.withResolvers<void>()
  const timer = setTimeout(isEnough.resolve, MOST_MS).unref()
  try {
    await Promise.race([work, isEnough.promise])
  } finally {
    clearTimeout(timer)
  }
}
