import type { Kysely } from 'kysely'
import { deleteNode, deleteOtherNodes, purgeNodes, recordHeartbeat } from '../../database/process-tables.ts'
import type { Tables } from '../../database/schema.ts'
import type { Log } from '../../observability/log.ts'

/** Heartbeat interval and timeout: several heartbeats may be lost. */
const HEARTBEAT_MS = 5000
const DEAD_AFTER_MS = 30_000

/** Registers this process among the processes of the database. */
type NodeRegistry = {
  /** Processes without a heartbeat since this time are dead; `''` if there is no other process. */
  seenSince(): string
  /** Call before any work under this process's id. */
  start(): Promise<void>
  /** Call after the last work: other processes then clear the remains immediately. */
  stop(): Promise<void>
}

/** Dependencies of the registry. */
type RegistryDeps = {
  db: Kysely<Tables>
  id: string
  now: () => Date
  /** True if no other process can use this database, so all others are dead. */
  isOnly: boolean
  /** Runs at every heartbeat; failures are logged. */
  onHeartbeat: () => Promise<unknown>
  log: Pick<Log, 'warn'>
}

/** Creates the registry; nothing is written before `start`. */
export function createNodeRegistry({ db, id, now, isOnly, onHeartbeat, log }: RegistryDeps): NodeRegistry {
  let timer: NodeJS.Timeout | null = null
  let beating: Promise<void> = Promise.resolve()
  const seenSince = () => (isOnly ? '' : new Date(now().getTime() - DEAD_AFTER_MS).toISOString())

  async function beat(): Promise<void> {
    try {
      await recordHeartbeat(db, { id, now: now() })
      await purgeNodes(db, seenSince())
      await onHeartbeat()
    } catch (err) {
      log.warn({ err }, 'the heartbeat of this process failed')
    }
  }

  return {
    seenSince,
    async start() {
      await recordHeartbeat(db, { id, now: now() })
      if (isOnly) return deleteOtherNodes(db, id)
      timer = setInterval(() => {
        beating = beating.then(beat)
      }, HEARTBEAT_MS).unref()
    },
    async stop() {
      if (timer !== null) clearInterval(timer)
      await beating
      if (!isOnly)
        await deleteNode(db, id).catch((err: unknown) => log.warn({ err }, 'the process could not be unregistered'))
    },
  }
}

/** Time servers adjust a clock by less; a larger jump means that the clock was set. Our choice. */
const MIN_JUMP_MS = 5000

/** Clock of a machine whose wall clock may be set. */
type MachineClock = {
  now(): Date
  /**
   * Follows the wall clock; call periodically. Rejects without a change if the stored times cannot
   * be moved.
   */
  sync(): Promise<void>
}

/** Dependencies of the clock. */
type MachineClockDeps = {
  /** Shifts all stored due times by a number of milliseconds. */
  shiftDueTimes: (byMs: number) => Promise<void>
  log: Pick<Log, 'warn'>
  /** Wall clock. */
  wallMs?: () => number
  /** Monotonic clock. */
  elapsedMs?: () => number
}

/**
 * Clock of a process without a database server. A wall clock can be set, and jumps after suspend:
 * all pending work would become due, or be late. So time advances by the monotonic clock. When the
 * wall clock was set, the stored due times are shifted first, and then this clock follows.
 */
export function createMachineClock({
  shiftDueTimes,
  log,
  wallMs = Date.now,
  elapsedMs = () => performance.now(),
}: MachineClockDeps): MachineClock {
  let startMs = wallMs() - elapsedMs()

  return {
    now: () => new Date(startMs + elapsedMs()),
    async sync() {
      const jumpMs = Math.round(wallMs() - elapsedMs() - startMs)
      if (Math.abs(jumpMs) >= MIN_JUMP_MS) {
        await shiftDueTimes(jumpMs)
        log.warn({ seconds: Math.round(jumpMs / 1000) }, 'the clock of this machine was set; due times were shifted')
      }
      startMs += jumpMs
    },
  }
}
