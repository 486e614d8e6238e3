import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '../../errors.ts'
import type { TaskOwner } from '../../parsers/child/fair-queue.ts'
import type { ParseEvent, SourceFile } from '../../parsers/parse-event.ts'
import { pluralize } from '../../text/pluralize.ts'

/** A file of an organization, or a single page. */
type PartOfFile = { owner: TaskOwner; page?: number }

/**
 * Files that recently exceeded time or memory, by content hash. Separate per organization, so that
 * no organization learns what others have sent.
 */
export type GivenUpFiles = {
  /** Throws `unprocessable_document` for a known file. */
  requireReadable(source: SourceFile, owner: TaskOwner): Promise<void>
  /** Reason and retry time, as sentences; `null` for an unknown file. */
  find(source: SourceFile, part: PartOfFile): Promise<string | null>
  remember(source: SourceFile, part: PartOfFile & { message: string }): Promise<void>
  /** Yields the events of a parse, and remembers the file when the parse reports a limit. */
  watch(
    source: SourceFile,
    owner: TaskOwner,
    parse: (onLimitExceeded: (sentence: string) => void) => AsyncIterable<ParseEvent>,
  ): AsyncIterable<ParseEvent>
}

/** Creates an empty memory of failed files. */
export function createGivenUpFiles(failures: RecentFailures = createRecentFailures()): GivenUpFiles {
  const hashes = new WeakMap<SourceFile, Promise<string>>()

  function hashOf(source: SourceFile): Promise<string> {
    const hash = hashes.get(source) ?? hashFile(source.path)
    hashes.set(source, hash)
    return hash
  }

  async function find(source: SourceFile, { owner, page }: PartOfFile): Promise<string | null> {
    const sameSize = sizeName(source, owner)
    // Usually no failure has this size, and the file need not be hashed.
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
      const remedy = 'Send the file again later, or in smaller parts.'
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
 * Recent failures of an organization that would repeat, by name. Per process, and forgotten after a
 * while.
 */
export type RecentFailures = {
  /** Reason, and minutes until the next try; `null` for an unknown name. */
  find(name: string): { message: string; minutes: number } | null
  has(isMeant: (name: string) => boolean): boolean
  remember(failed: { organizationId: string; name: string; message: string }): void
}

/**
 * Our choice: long enough that repetitions cost next to nothing, short enough if the machine was to
 * blame.
 */
const RETENTION_MS = 15 * 60_000
/**
 * Each failure costs seconds of work, so evicting the entries of other organizations would take
 * many organizations a long time.
 */
const MAX_FAILURES = 2_000
const MAX_FAILURES_PER_ORGANIZATION = 200

/** Creates an empty list of failures. */
export function createRecentFailures({ keptMs = RETENTION_MS, now = () => performance.now() } = {}): RecentFailures {
  const failures = new Map<string, { organizationId: string; message: string; untilMs: number }>()

  /** Entries are in order of expiry, since all have the same lifetime. */
  function dropOld(): void {
    for (const [name, { untilMs }] of failures) {
      if (untilMs > now() && failures.size <= MAX_FAILURES) return
      failures.delete(name)
    }
  }

  function dropOldest(organizationId: string): void {
    const own = [...failures].filter(([, failure]) => failure.organizationId === organizationId)
    for (const [name] of own.slice(0, Math.max(0, own.length - MAX_FAILURES_PER_ORGANIZATION))) failures.delete(name)
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
