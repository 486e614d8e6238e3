import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { CONNECTIONS } from '../limits.ts'
import type { Log } from '../observability/log.ts'

/**
 * With a lower limit the start fails: a large search, the children and some clients would not fit.
 */
export const MIN_OPEN_FILES = 512
/**
 * With a lower limit the start warns (docs/production.md, "How many open files"): the limit then
 * bounds connections and searches more than the machine does.
 */
export const RECOMMENDED_OPEN_FILES = 4096
/**
 * Files open at all times: the database, the log, threads, parsing children, maintenance of a
 * memory file.
 */
const RESERVED_FILES = 160
/**
 * Share of the rest for memory files. A connection counts itself and a file being sent or received.
 */
const MEMORY_FILES_SHARE = 0.5
const FILES_PER_CONNECTION = 2
/** Time that the service is not ready after it last ran out of file handles. */
const RECOVERY_MS = 10_000

/** Shares of the limit on open files, and its exhaustion. */
export type OpenFiles = {
  /** Maximum for operations on memory files. */
  maxOfMemoryFiles: number
  /** Call when the process has run out of file handles. */
  noteExhausted(): void
  /** Limits for the server. */
  ofServer: { maxConnections: number; onOutOfFiles: () => void }
  /** Rejects while the process is out of file handles, and some seconds after that. */
  check(): Promise<void>
}

/**
 * Divides the limit on open files. Throws below {@link MIN_OPEN_FILES}, and warns below {@link
 * RECOMMENDED_OPEN_FILES}. `limit` is the soft limit, which Node raises to the hard limit at start;
 * `Infinity` if unknown.
 */
export function planOpenFiles(limit: number, log: Pick<Log, 'warn'>, nowMs = () => performance.now()): OpenFiles {
  if (limit < MIN_OPEN_FILES) throw new Error(tooFew(limit))
  const rest = limit - RESERVED_FILES
  const maxOfMemoryFiles = Math.min(RECOMMENDED_OPEN_FILES, Math.floor(rest * MEMORY_FILES_SHARE))
  const ofConnections = Math.floor((rest * (1 - MEMORY_FILES_SHARE)) / FILES_PER_CONNECTION)
  const maxConnections = Math.min(CONNECTIONS.max, ofConnections)
  if (limit < RECOMMENDED_OPEN_FILES) {
    const facts = { maxOpenFiles: limit, maxConnections, maxOfMemoryFiles }
    log.warn(
      facts,
      `The process may open only ${limit} files, which limits connections and parallel searches. ` +
        `Raise the limit to ${RECOMMENDED_OPEN_FILES} or more (ulimit -n, LimitNOFILE).`,
    )
  }
  let exhaustedMs = Number.NEGATIVE_INFINITY
  const noteExhausted = () => {
    exhaustedMs = nowMs()
  }
  return {
    maxOfMemoryFiles,
    noteExhausted,
    ofServer: { maxConnections, onOutOfFiles: noteExhausted },
    async check() {
      const handle = await open(process.execPath)
      await handle.close()
      if (nowMs() - exhaustedMs < RECOVERY_MS) throw new Error('the process had as many files open as it may')
    },
  }
}

/** The process's limit on open files; `Infinity` if unknown. */
export function readOpenFilesLimit(): number {
  try {
    const soft = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return Number(soft ?? Infinity) || Infinity
  } catch {
    // Only Linux has the file. On macOS, Node raises its limit to tens of thousands.
    return Infinity
  }
}

function tooFew(limit: number): string {
  return (
    `the process may open ${limit} files, and needs ${MIN_OPEN_FILES} at least; ` +
    `raise the limit to ${RECOMMENDED_OPEN_FILES} or more ` +
    '(ulimit -n, LimitNOFILE in a systemd unit, --ulimit nofile in Docker).'
  )
}

/** Memory that this process may use: the limit of its container, or the machine's memory. */
export function readMemoryBytes(): number {
  const total = totalmem()
  // Without a container limit, the value is 0 or larger than the machine's memory.
  return Math.min(process.constrainedMemory() || total, total)
}
