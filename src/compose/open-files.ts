import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { CONNECTIONS } from '../limits.ts'
import type { Log } from '../observability/log.ts'

/** Fewer open files than this are refused at the start: a large search, the children and some clients would not find room. */
export const MIN_OPEN_FILES = 512
/** Fewer than this are warned of (docs/production.md, "How many open files"): connections and searches are bounded by them, rather than by what the machine can do. */
export const RECOMMENDED_OPEN_FILES = 4096
/** Files that are open whatever is asked: the database, the log, threads, children that parse, upkeep of a memory file. */
const RESERVED_FILES = 160
/** Of the rest, the part for memory files; of each connection, itself and a file that is sent or received. */
const MEMORY_FILES_SHARE = 0.5
const FILES_PER_CONNECTION = 2
/** How long the service is not ready behind the last time that it could open no more. */
const RECOVERY_MS = 10_000

/** How the files that the process may have open are shared out, and what is known of them. */
export type OpenFiles = {
  /** Most that work on memory files may have open at once. */
  maxOfMemoryFiles: number
  /** To be called where the process could open no more. */
  noteExhausted(): void
  /** What the server is to keep to. */
  ofServer: { maxConnections: number; onOutOfFiles: () => void }
  /** Rejects while it can open no more, and for some seconds behind that. */
  check(): Promise<void>
}

/**
 * Shares out the files that the process may open. Throws below {@link MIN_OPEN_FILES}, and warns below {@link RECOMMENDED_OPEN_FILES}. `limit` is the soft limit, which Node
 * raises to the hard one when it starts; `Infinity` where the system tells none.
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
      `The process may open ${limit} files only; connections and searches at a time are bounded by that. Raise the limit to ${RECOMMENDED_OPEN_FILES} or more (ulimit -n, LimitNOFILE).`,
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

/** The number of files that this process may open; `Infinity` where the system does not tell. */
export function readOpenFilesLimit(): number {
  try {
    const soft = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return Number(soft ?? Infinity) || Infinity
  } catch {
    // Linux alone has that file; macOS lets Node raise its limit to tens of thousands.
    return Infinity
  }
}

function tooFew(limit: number): string {
  return `the process may open ${limit} files, and needs ${MIN_OPEN_FILES} at least; raise the limit to ${RECOMMENDED_OPEN_FILES} or more (ulimit -n, LimitNOFILE in a systemd unit, --ulimit nofile in Docker).`
}
