import { appendFileSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../../files/make-folder.ts'

/** What is known of a source: the Idempotency-Key of its add, and the documents it became; `null` while that is not known. */
type JournalEntry = { key: string; documentIds: readonly string[] | null }

/**
 * What this user has added to one memory, by content. A line is written before a source is sent and another when the service has
 * acknowledged it. So an add that is broken off between the two is sent again under the same key, and the service answers as it did the
 * first time (for 24 hours) instead of adding it twice.
 */
export type Journal = {
  get(id: string): JournalEntry | null
  /** Notes that the source is sent under this key. */
  begin(id: string, key: string): Promise<void>
  /** Notes what it became. */
  finish(id: string, documentIds: readonly string[]): Promise<void>
  /** Notes that nothing came of it. */
  forget(id: string): Promise<void>
}

type Line = { id: string; key?: string; documentIds?: readonly string[]; forgotten?: true }

/** Opens the journal in that file, which is made with the first line. Throws, as writing rejects, with a sentence that says what to do where it cannot be read. */
export function openJournal(path: string): Journal {
  const entries = new Map<string, JournalEntry>()
  for (const line of readLines(path)) apply(entries, line)
  let isFirst = true
  async function note(line: Line): Promise<void> {
    try {
      await write(line)
    } catch (cause) {
      throw withAdvice('What was added cannot be noted', cause)
    }
    apply(entries, line)
  }
  async function write(line: Line): Promise<void> {
    // Made late: a run that adds nothing leaves nothing.
    if (isFirst) await makeFolder(dirname(path))
    // A line that a crash cut short must not spoil the first of this run.
    appendFileSync(path, `${isFirst ? '\n' : ''}${JSON.stringify(line)}\n`, { mode: 0o600 })
    isFirst = false
  }
  return {
    get: (id) => entries.get(id) ?? null,
    begin: (id, key) => note({ id, key }),
    finish: (id, documentIds) => note({ id, documentIds }),
    forget: (id) => note({ id, forgotten: true }),
  }
}

function apply(entries: Map<string, JournalEntry>, { id, key, documentIds, forgotten }: Line): void {
  if (forgotten) entries.delete(id)
  else if (key !== undefined) entries.set(id, { key, documentIds: null })
  else if (documentIds !== undefined) entries.set(id, { key: entries.get(id)?.key ?? '', documentIds })
}

function readLines(path: string): Line[] {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw withAdvice('What was added before cannot be read', error)
  }
  return text.split('\n').flatMap(parseLine)
}

function withAdvice(what: string, cause: unknown): Error {
  return new Error(`${what}: ${(cause as Error).message}. Name another file with --journal.`, { cause })
}

/** A line that a crash cut short says nothing. */
function parseLine(text: string): Line[] {
  try {
    const line = JSON.parse(text) as Line
    return typeof line.id === 'string' ? [line] : []
  } catch {
    return []
  }
}
