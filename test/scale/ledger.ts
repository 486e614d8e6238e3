/**
 * What the clients know: what they sent, what was acknowledged, what was taken back. After a kill the service is held
 * to it. A document is known by its token, a word that stands nowhere else.
 */
import type { Random } from './random.ts'

/**
 * `sent`, `leaving`: asked for, and no answer came; either outcome is right, as long as it is whole. `waiting`: accepted
 * for a job. `there`: acknowledged. `gone`: deleted, replaced, a duplicate, or never arrived; must never show again.
 */
type State = 'sent' | 'waiting' | 'there' | 'leaving' | 'gone'

export type Draft = {
  kind: 'document' | 'correction'
  memory: MemoryEntry
  text: string
  /** A word that stands at the end of the text alone, so that the last chunk is looked for. */
  tail: string
  externalId: string | null
  /** True: other clients replace it at the same time, so that who is asked last is not known. */
  isContended: boolean
  storeSource: boolean
  /** The entry whose text this repeats under `deduplicate`. */
  repeats: Entry | null
}

export type Entry = Draft & {
  token: string
  client: number
  /** Entries of one request have the same number. */
  request: number
  state: State
  id: string | null
  jobId: string | null
  /** Read and found again since its state last changed. */
  verified: boolean
  /** Moments of the ledger at which it was sent and first acknowledged. */
  sentAt: number
  shownAt: number | null
}

export type MemoryEntry = { name: string; client: number | null; id: string | null; state: State }

export type Ledger = {
  readonly entries: ReadonlyMap<string, Entry>
  readonly memories: ReadonlySet<MemoryEntry>
  /** Jobs that were accepted. */
  readonly jobIds: ReadonlySet<string>
  /** Identifiers of documents that are gone for certain. */
  readonly goneIds: ReadonlySet<string>
  newToken(): string
  sendMemory(client: number | null): MemoryEntry
  /** Notes documents or corrections that are about to be sent in one request; `tokens` by draft. */
  send(client: number, drafts: readonly (Draft & { token: string })[]): Entry[]
  /** The document shows: what it replaced is gone. */
  show(entry: Entry, id: string): void
  accept(entry: Entry, id: string, jobId: string): void
  leave(entry: Entry): void
  end(entry: Entry): void
  /** A memory that is gone takes everything in it along. */
  endMemory(memory: MemoryEntry): void
  /** Entries with the same external id in the same memory, without the entry itself. */
  siblings(entry: Entry): Entry[]
}

const NEW = { state: 'sent', id: null, jobId: null, verified: false, shownAt: null } as const
const LETTERS = 'bcdfghjklmnpqrtvwxz'

/** An empty ledger. Tokens are words without vowels, which no stemmer takes anything from. */
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
