import type { Log } from '../../observability/log.ts'
import type { FenceReport } from './raise-fence.ts'

/** What is known of the fence around the children of a service. */
export type FenceWatch = {
  /** False once it was seen to end a child before it could do anything: what follows is started without. */
  isWanted(): boolean
  /** A child is ready. */
  entered(report: FenceReport): void
  /** A child ended before it was ready. */
  ended(): void
}

/** Writes to the log, once, whether the system keeps the children from what they have no use for. */
export function createFenceWatch(log: Log): FenceWatch {
  let isWanted = true
  let isSaid = false
  return {
    isWanted: () => isWanted,
    entered(report) {
      if (isSaid) return
      isSaid = true
      const sentence = describeFence(report)
      if (isWhole(report)) log.info(sentence)
      else log.warn(report, sentence)
    },
    ended() {
      // Where one has come up behind it, the fence is no reason.
      if (isSaid || !isWanted || process.platform !== 'linux') return
      isWanted = false
      log.warn(`${NONE}: the first ended before it was ready. Those that follow are started without a fence.`)
    },
  }
}

/** For children whose tasks have to write: they are started without a fence. */
export const NO_FENCE: FenceWatch = { isWanted: () => false, entered: () => undefined, ended: () => undefined }

/** True where the system keeps a child from everything that it has no use for. */
export function isWhole({ calls, reading }: FenceReport): boolean {
  return calls === null && reading === null
}

const NONE = 'Nothing but the limits of time and memory holds the processes that read files'

/** What the fence keeps children from, and what it does not, with the reason: a sentence. */
export function describeFence({ calls, reading }: FenceReport): string {
  if (calls !== null && reading !== null) return `${NONE}: the system offers no fence (${calls}).`
  const closed = 'Processes that read files reach no network, write no file and start no program'
  if (calls !== null) return `Processes that read files reach only their own files, but the network as well (${calls}).`
  if (reading !== null) return `${closed}, but may read the files of this user (${reading}).`
  return `${closed}, and read only files whose names they are given.`
}
