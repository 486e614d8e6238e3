/** A user without any files, on every machine. */
const NOBODY = 65_534

/**
 * Runs the work as an unprivileged user, since file modes do not stop root. Returns the result of
 * the work.
 */
export async function asAnotherUser<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return work()
  process.seteuid?.(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}
