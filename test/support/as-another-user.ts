/** Somebody who owns nothing, on any machine. */
const NOBODY = 65_534

/** What comes of the work as a user gets it who may not do everything: root, whom no mode keeps out, is another one meanwhile. */
export async function asAnotherUser<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return work()
  process.seteuid?.(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}
