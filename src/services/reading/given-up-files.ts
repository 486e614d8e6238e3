import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '../../errors.ts'
import type { TaskOwner } from '../../parsers/child/fair-queue.ts'
import type { ParseEvent, SourceFile } from '../../parsers/parse-event.ts'
import { pluralize } from '../../text/pluralize.ts'

/** A file of an organization, or one page of it. */
type PartOfFile = { owner: TaskOwner; page?: number }

/**
 * Files that were given up lately for their time or memory, known by the hash of their content.
 * Every organization has its own, so that none learns what another has sent.
 */
export type GivenUpFiles = {
  /** Throws `unprocessable_document` for a file that is known. */
  requireReadable(source: SourceFile, owner: TaskOwner): Promise<void>
  /**
   * Why it was given up and when it may be tried again, in sentences; `null` where it is not known.
   */
  find(source: SourceFile, part: PartOfFile): Promise<string | null>
  remember(source: SourceFile, part: PartOfFile & { message: string }): Promise<void>
  /** The events of a parse, which is remembered where it says that it was given up. */
  watch(
    source: SourceFile,
    owner: TaskOwner,
    parse: (onLimitExceeded: (sentence: string) => void) => AsyncIterable<ParseEvent>,
  ): AsyncIterable<ParseEvent>
}

/** Knows no file yet. */
export function createGivenUpFiles(failures: RecentFailures = createRecentFailures()): GivenUpFiles {
  const hashes = new WeakMap<SourceFile, Promise<string>>()

  function hashOf(source: SourceFile): Promise<string> {
    const hash = hashes.get(source) ?? hashFile(source.path)
    hashes.set(source, hash)
    return hash
  }

  async function find(source: SourceFile, { owner, page }: PartOfFile): Promise<string | null> {
    const sameSize = sizeName(source, owner)
    // Nearly always nothing of this size is known, and the file need not be hashed.
    if (!failures.has((name) => name.startsWith(sameSize))) return null
    const failure = failures.find(`${sameSize}${await hashOf(source)}/${page ?? ''}`)
    if (failure === null) return null
    const what = page === undefined ? 'The same file' : 'The same page'
    return `${failure.message} ${what} is not read again for ${pluralize(failure.minutes, 'minute')}.`
  }

  async function remember(source: SourceFile, { owner, page, message }: PartOfFile & { message: string }) {
    const name = `${sizeName(source, owner)}${await hashOf(source)}/${page ?? ''}`
    failures.remember({ organizationId: owner.organizationId, name, message })
  }

  return {
    async requireReadable(source, owner) {
      const message = await find(source, { owner })
      if (message === null) return
      const remedy = 'Send it again then, or send it in smaller parts.'
      throw new ApiError('unprocessable_document', { message, remedy })
    },
    find,
    remember,
    async *watch(source, owner, parse) {
      let message: string | null = null
      try {
        yield* parse((sentence) => {
          message = sentence
        })
      } finally {
        if (message !== null) await remember(source, { owner, message })
      }
    },
  }
}

function sizeName({ bytes }: SourceFile, { organizationId }: TaskOwner): string {
  return `${organizationId}/${bytes}/`
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/**
 * Work of an organization that failed lately and would fail again, by name. Forgotten after a
 * while; a process remembers its own.
 */
export type RecentFailures = {
  /**
   * Why it failed, and in how many minutes it may be tried again; `null` where nothing is known.
   */
  find(name: string): { message: string; minutes: number } | null
  has(isMeant: (name: string) => boolean): boolean
  remember(failed: { organizationId: string; name: string; message: string }): void
}

/**
 * Our choice: long enough that repeating costs next to nothing, short enough to wait where the
 * machine was to blame.
 */
const KEPT_MS = 15 * 60_000
/**
 * Each failure has cost seconds of work, so that many organizations would have to fail for long to
 * push out those of others.
 */
const MAX_KEPT = 2_000
const MAX_KEPT_OF_ONE = 200

/** No failures yet. */
export function createRecentFailures({ keptMs = KEPT_MS, now = () => performance.now() } = {}): RecentFailures {
  const failures = new Map<string, { organizationId: string; message: string; untilMs: number }>()

  /** In the order of their ends, since all are kept for the same time. */
  function dropOld(): void {
    for (const [name, { untilMs }] of failures) {
      if (untilMs > now() && failures.size <= MAX_KEPT) return
      failures.delete(name)
    }
  }

  function dropOldest(organizationId: string): void {
    const own = [...failures].filter(([, failure]) => failure.organizationId === organizationId)
    for (const [name] of own.slice(0, Math.max(0, own.length - MAX_KEPT_OF_ONE))) failures.delete(name)
  }

  return {
    find(name) {
      dropOld()
      const failure = failures.get(name)
      if (failure === undefined) return null
      return { message: failure.message, minutes: Math.max(1, Math.ceil((failure.untilMs - now()) / 60_000)) }
    },
    has(isMeant) {
      dropOld()
      return [...failures.keys()].some(isMeant)
    },
    remember({ organizationId, name, message }) {
      failures.delete(name)
      failures.set(name, { organizationId, message, untilMs: now() + keptMs })
      dropOldest(organizationId)
      dropOld()
    },
  }
}
