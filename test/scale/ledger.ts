/**
 * The knowledge of the clients: sent, acknowledged and deleted documents. After a kill the service
 * must match the ledger. A unique word, the token, identifies each document.
 */
import type { Random } from './random.ts'

/**
 * `sent`, `leaving`: asked for, and no answer came; either outcome is right, as long as it is
 * whole. `waiting`: accepted for a job. `there`: acknowledged. `gone`: deleted, replaced, a
 * duplicate, or never arrived; must never show again.
 */
type State = 'sent' | 'waiting' | 'there' | 'leaving' | 'gone'

export type Draft = {
  kind: 'document' | 'correction'
  memory: MemoryEntry
  text: string
  /** A unique word at the end of the text, so searches cover the last chunk. */
  tail: string
  externalId: string | null
  /**
   * True where other clients replace the document concurrently, so the last writer is unknown.
   */
  isContended: boolean
  storeSource: boolean
  /** The entry whose text this entry repeats under `deduplicate`. */
  repeats: Entry | null
}

export type Entry = Draft & {
  token: string
  client: number
  /** Entries of one request share a number. */
  request: number
  state: State
  id: string | null
  jobId: string | null
  /** Read and found since the last change of state. */
  verified: boolean
  /** Logical times of the request and of the first acknowledgement. */
  sentAt: number
  shownAt: number | null
}

export type MemoryEntry = { name: string; client: number | null; id: string | null; state: State }

export type Ledger = {
  readonly entries: ReadonlyMap<string, Entry>
  readonly memories: ReadonlySet<MemoryEntry>
  /** Accepted jobs. */
  readonly jobIds: ReadonlySet<string>
  /** Identifiers of documents that are certainly gone. */
  readonly goneIds: ReadonlySet<string>
  newToken(): string
  sendMemory(client: number | null): MemoryEntry
  /** Records documents or corrections of one request before sending; `tokens` by draft. */
  send(client: number, drafts: readonly (Draft & { token: string })[]): Entry[]
  /** Records that the document is visible and its predecessor gone. */
  show(entry: Entry, id: string): void
  accept(entry: Entry, id: string, jobId: string): void
  leave(entry: Entry): void
  end(entry: Entry): void
  /** Records a deleted memory with all its content. */
  endMemory(memory: MemoryEntry): void
  /** Entries with the same external id in the same memory, without the entry itself. */
  siblings(entry: Entry): Entry[]
}

const NEW = { state: 'sent', id: null, jobId: null, verified: false, shownAt: null } as const
const LETTERS = 'bcdfghjklmnpqrtvwxz'

/** An empty ledger. Tokens are words without vowels, which no stemmer shortens. */
export function createLedger(random: Random): Ledger {
  const entries = new Map<string, Entry>()
  const byExternalId = new Map<string, Entry[]>()
  const memories = new Set<MemoryEntry>()
  const jobIds = new Set<string>()
  const goneIds = new Set<string>()
  let requests = 0
  let moments = 0

  function siblings(entry: Entry): Entry[] {
    if (entry.externalId === null) return []
    return (byExternalId.get(`${entry.memory.name} ${entry.externalId}`) ?? []).filter((other) => other !== entry)
  }

  function end(entry: Entry): void {
    entry.state = 'gone'
    entry.verified = false
    if (entry.id !== null) goneIds.add(entry.id)
  }

  const newToken = () => `zq${Array.from({ length: 9 }, () => LETTERS[random.below(LETTERS.length)]).join('')}`

  return {
    entries,
    memories,
    jobIds,
    goneIds,
    newToken,
    siblings,
    end,
    sendMemory(client) {
      const memory: MemoryEntry = { name: newToken(), client, id: null, state: 'sent' }
      memories.add(memory)
      return memory
    },
    send(client, drafts) {
      const request = ++requests
      return drafts.map((draft) => {
        const entry: Entry = { ...draft, client, request, ...NEW, sentAt: ++moments }
        entries.set(entry.token, entry)
        if (entry.externalId !== null) {
          const name = `${entry.memory.name} ${entry.externalId}`
          byExternalId.set(name, [...(byExternalId.get(name) ?? []), entry])
        }
        return entry
      })
    },
    show(entry, id) {
      entry.state = 'there'
      entry.verified = false
      entry.id = id
      entry.shownAt ??= ++moments
      if (entry.isContended) return
      for (const other of siblings(entry)) if (other.state !== 'gone') end(other)
    },
    accept(entry, id, jobId) {
      entry.state = 'waiting'
      entry.id = id
      entry.jobId = jobId
      jobIds.add(jobId)
    },
    leave(entry) {
      entry.state = 'leaving'
      entry.verified = false
    },
    endMemory(memory) {
      memory.state = 'gone'
      for (const entry of entries.values()) if (entry.memory === memory && entry.state !== 'gone') end(entry)
    },
  }
}
