import type { Kysely } from 'kysely'
import { forgetNode, forgetOtherNodes, noteNode, purgeNodes } from '../../database/process-tables.ts'
import type { Tables } from '../../database/schema.ts'
import type { Log } from '../../observability/log.ts'

/** How often a process says that it lives, and after which silence it counts as gone: several of those may be lost. */
const BEAT_MS = 5000
const GONE_AFTER_MS = 30_000

/** This process among those on the database. */
type NodeRegistry = {
  /** Processes that have said nothing since then are gone; `''` where there is no other. */
  seenSince(): string
  /** To be awaited before anything is done under this process's name. */
  start(): Promise<void>
  /** To be called when nothing is done any more: what is left under the name is cleared by others at once. */
  stop(): Promise<void>
}

/** What the registry is made of. */
type RegistryDeps = {
  db: Kysely<Tables>
  id: string
  now: () => Date
  /** True where no other process can be on this database: then all others are gone. */
  isOnly: boolean
  /** Done at every beat; what fails is logged. */
  atBeat: () => Promise<unknown>
  log: Pick<Log, 'warn'>
}

/** Makes the registry; nothing is written before `start`. */
export function createNodeRegistry({ db, id, now, isOnly, atBeat, log }: RegistryDeps): NodeRegistry {
  let timer: NodeJS.Timeout | null = null
  let beating: Promise<void> = Promise.resolve()
  const seenSince = () => (isOnly ? '' : new Date(now().getTime() - GONE_AFTER_MS).toISOString())

  async function beat(): Promise<void> {
    try {
      await noteNode(db, { id, now: now() })
      await purgeNodes(db, seenSince())
      await atBeat()
    } catch (err) {
      log.warn({ err }, 'this process could not tell the others that it lives')
    }
  }

  return {
    seenSince,
    async start() {
      await noteNode(db, { id, now: now() })
      if (isOnly) return forgetOtherNodes(db, id)
      timer = setInterval(() => {
        beating = beating.then(beat)
      }, BEAT_MS).unref()
    },
    async stop() {
      if (timer !== null) clearInterval(timer)
      await beating
      if (!isOnly) await forgetNode(db, id).catch((err: unknown) => log.warn({ err }, 'left without saying so'))
    },
  }
}

/** Time servers nudge clocks by less; whatever moves one by more has set it. Our choice. */
const SET_MS = 5000

/** The time of a machine whose clock may be set. */
type MachineClock = {
  now(): Date
  /** Follows the machine's clock; to be called now and then. Rejects, and follows nothing, when what waits cannot be moved along. */
  sync(): Promise<void>
}

/** What the clock is made of. */
type MachineClockDeps = {
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
}: MachineClockDeps): MachineClock {
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
