import type { Log } from '../../observability/log.ts'
import type { SandboxReport } from './restrict-process.ts'

/** State of the sandbox for the children of a service. */
export type SandboxMonitor = {
  /** False after the sandbox ended a child at start: later children start without it. */
  isWanted(): boolean
  /** Called when a child is ready. */
  entered(report: SandboxReport): void
  /** Called when a child ended before it was ready. */
  ended(): void
}

/** Logs once how far the system sandboxes the children. */
export function createSandboxMonitor(log: Log): SandboxMonitor {
  let isWanted = true
  let isSaid = false
  return {
    isWanted: () => isWanted,
    entered(report) {
      if (isSaid) return
      isSaid = true
      const sentence = describeSandbox(report)
      if (isFullySandboxed(report)) log.info(sentence)
      else log.warn(report, sentence)
    },
    ended() {
      // A sandboxed child has started before, so the sandbox is not the cause.
      if (isSaid || !isWanted || process.platform !== 'linux') return
      isWanted = false
      log.warn(`${UNPROTECTED}: the first process ended before it was ready. Later processes start without a sandbox.`)
    },
  }
}

/** No sandbox, for children whose tasks must write. */
export const NO_SANDBOX: SandboxMonitor = { isWanted: () => false, entered: () => undefined, ended: () => undefined }

/** True if both parts of the sandbox apply. */
export function isFullySandboxed({ calls, reading }: SandboxReport): boolean {
  return calls === null && reading === null
}

const UNPROTECTED = 'File parsers run without a sandbox'

/** Describes in a sentence what the sandbox blocks and, with the reason, what it does not. */
export function describeSandbox({ calls, reading }: SandboxReport): string {
  if (calls !== null && reading !== null) return `${UNPROTECTED}: the system does not support it (${calls}).`
  const closed = 'File parsers cannot access the network, write files or start programs'
  if (calls !== null) return `File parsers can read only their own files, but can access the network (${calls}).`
  if (reading !== null) return `${closed}, but can read the files of this user (${reading}).`
  return `${closed}, and can read only the given files.`
}
