import { appendFileSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../../files/make-folder.ts'

/** State of a source: the Idempotency-Key of its add and its documents; `null` until known. */
type JournalEntry = { key: string; documentIds: readonly string[] | null }

/**
 * Sources that this user has added to one memory, by content. A line is written before a source is
 * sent, and another after the service acknowledges it. An interrupted add is sent again with the
 * same key. For 24 hours, the service then replays the answer instead of adding twice.
 */
export type Journal = {
  get(id: string): JournalEntry | null
  /** Records that the source is sent with this key. */
  begin(id: string, key: string): Promise<void>
  /** Records the documents of the source. */
  finish(id: string, documentIds: readonly string[]): Promise<void>
  /** Records that the add failed. */
  forget(id: string): Promise<void>
}

type Line = { id: string; key?: string; documentIds?: readonly string[]; forgotten?: true }

/**
 * Opens the journal; the first line creates its file. An unreadable file throws with instructions,
 * and so does writing.
 */
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
    // Created late: a run that adds nothing leaves no file.
    if (isFirst) await makeFolder(dirname(path))
    // The leading newline protects the first line from a truncated line of a crashed run.
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

/** Skips a line truncated by a crash. */
function parseLine(text: string): Line[] {
  try {
    const line = JSON.parse(text) as Line
    return typeof line.id === 'string' ? [line] : []
  } catch {
    return []
  }
}
