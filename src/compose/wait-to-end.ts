import type { Log } from '../observability/log.ts'

/** A container is given ten seconds to stop: what takes half of it is worth a line. */
const LONG_MS = 5000

/** Waits for one step of a stop; one that lasts is named in the log, so that whoever waits for the end knows for what. */
export async function waitToEnd(log: Log, what: string, step: Promise<unknown>): Promise<void> {
  const patience = setTimeout(() => log.warn({}, `the stop waits for ${what}`), LONG_MS)
  try {
    await step
  } finally {
    clearTimeout(patience)
  }
}
