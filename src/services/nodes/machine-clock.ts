import type { Log } from '../../observability/log.ts'

/** Time servers nudge clocks by less; whatever moves one by more has set it. Our choice. */
const SET_MS = 5000

/** The time of a machine whose clock may be set. */
export type MachineClock = {
  now(): Date
  /** Follows the machine's clock; to be called now and then. Rejects, and follows nothing, when what waits cannot be moved along. */
  sync(): Promise<void>
}

/** What the clock is made of. */
export type MachineClockParts = {
  /** Moves what waits by so many milliseconds, either way. */
  moveTimes: (byMs: number) => Promise<void>
  log: Pick<Log, 'warn'>
  /** The machine's clock. */
  wallMs?: () => number
  /** A clock that nobody sets. */
  elapsedMs?: () => number
}

/**
 * The clock of a process that has no database server to ask. A machine's clock is set, and it jumps when the machine wakes up: whatever
 * waits would be due at once, or as much later. So the time goes on by a clock that nobody sets, and where the machine's turns out to have been
 * set, first everything that waits is moved by as much, and then the time follows.
 */
export function createMachineClock({
  moveTimes,
  log,
  wallMs = Date.now,
  elapsedMs = () => performance.now(),
}: MachineClockParts): MachineClock {
  let startMs = wallMs() - elapsedMs()

  return {
    now: () => new Date(startMs + elapsedMs()),
    async sync() {
      const jumpMs = Math.round(wallMs() - elapsedMs() - startMs)
      if (Math.abs(jumpMs) >= SET_MS) {
        await moveTimes(jumpMs)
        log.warn(
          { seconds: Math.round(jumpMs / 1000) },
          'the clock of this machine was set; what waits was moved along',
        )
      }
      startMs += jumpMs
    },
  }
}
